// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// Pasted lists that are JSON but for what happened to them on their way.
@Suite("Repaired pastes") struct PasteRepairTests {
  @Test(
    "what is read",
    arguments: [
      ("[33,1,2,]", "[33,1,2]", ["paste.trailing-comma"]),
      ("[33,1,[2, ],{\"a\":1, },]", "[33,1,[2 ],{\"a\":1 }]", ["paste.trailing-comma"]),
      ("[48,1,{},“com.x”]", "[48,1,{},\"com.x\"]", ["paste.curly-quotes"]),
      (
        "[48,1,{},„com.x“,[“a “b” c”]]", "[48,1,{},\"com.x\",[\"a “b” c\"]]", ["paste.curly-quotes"]
      ),
      (
        "[48,1,{},“com.x\",]", "[48,1,{},\"com.x\"]",
        ["paste.trailing-comma", "paste.curly-quotes"]
      ),
      ("[48,“a\"b”]", "[48,\"a\\\"b\"]", ["paste.curly-quotes"]),
      ("[48,\"a “b”, c,]\",[1,]]", "[48,\"a “b”, c,]\",[1]]", ["paste.trailing-comma"]),
      ("[33,11", "[33,\"…\"]", ["paste.cut"]),
      ("[48,1,{},\"com.x\",[1,\"te", "[48,1,{},\"com.x\",[1,\"te…\"]]", ["paste.cut"]),
      ("[33,1,2],", "[33,1,2]", ["paste.trailing-comma"]),
      ("[33,1,2]", "[33,1,2]", []),
    ])
  func reads(_ pasted: String, _ json: String, _ codes: [String]) {
    let sink = read(text: [Array(pasted.utf8)]).sink
    #expect(sink.messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } == [json])
    #expect(sink.codes == codes)
    #expect(difference(forEveryCutOf: Array(pasted.utf8)) { read(text: $0).sink.lines } == nil)
  }

  @Test(
    "a comma between messages is none to tell", arguments: ["[33,1,2],[33,1,3]", "[33,1,2],\n"])
  func between(_ pasted: String) {
    let sink = read(text: [Array(pasted.utf8)]).sink
    #expect(sink.findings.count == (pasted.hasSuffix("\n") ? 1 : 0))
  }
}
