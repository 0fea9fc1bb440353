// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

/// Lines of a language client's trace, as vscode-jsonrpc writes them.
@Suite("Traces of language clients") struct ClientTraceTests {
  /// `direction JSON`, a line for each message.
  private func reported(_ lines: String) -> [String] {
    var log = ClientTrace(limits: Limits())
    var reported: ContiguousArray<Narration> = []
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      let bytes = Array(line.utf8)
      if !log.isKnown { _ = log.look(at: bytes.span.bytes) }
      if log.isKnown { _ = log.read(bytes.span.bytes, Origin(), &reported) }
    }
    log.settle(&reported)
    return reported.map {
      guard case .message(let json) = $0.event else { return "" }
      let arrow = $0.origin.direction == .toServer ? "→" : "←"
      return "\(arrow) \(String(decoding: json, as: Unicode.UTF8.self))"
    }
  }

  @Test(arguments: [
    (
      "[Trace - 9:32:36 PM] Sending request 'a/b - (1)'.\nParams: {\"x\":1}\n\n",
      [#"→ {"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":1}}"#]
    ),
    (
      "[Trace - 9:32:36 PM] Sending request 'a/b - (u-1)'.\nParams: {\n    \"x\": \"}\"\n}\n\n",
      ["→ " + #"{"jsonrpc":"2.0","id":"u-1","method":"a/b","params":{\#n    "x": "}"\#n}}"#]
    ),
    (
      "[Trace - 09:32:36] Received notification 'n'.\nNo parameters provided.\n\n",
      [#"← {"jsonrpc":"2.0","method":"n"}"#]
    ),
    (
      "[Trace - 9:32:36 PM] Received response 'a - (2)' in 5ms.\nNo result returned.\n\n",
      [#"← {"jsonrpc":"2.0","id":2,"result":null}"#]
    ),
    (
      "[Trace - 9:32:36 PM] Received response 'a - (2)' in 5ms. Request failed: no (-32601).\n",
      [#"← {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}"#]
    ),
    (
      "[Trace - 9:32:36 PM] Sending response 'a - (0)'. Processing request took 1ms\nResult: [\n"
        + "    null\n]\n\n",
      ["→ " + #"{"jsonrpc":"2.0","id":0,"result":[\#n    null\#n]}"#]
    ),
    // With "messages" in place of "verbose", nothing else is there.
    (
      "[Trace - 9:32:36 PM] Sending request 'a - (3)'.\n"
        + "[Trace - 9:32:36 PM] Received response 'a - (3)' in 0ms.\n",
      [
        #"→ {"jsonrpc":"2.0","id":3,"method":"a"}"#,
        #"← {"jsonrpc":"2.0","id":3,"result":"…"}"#,
      ]
    ),
    (
      "Nov 27 22:18:00 host code[12]: [Trace - 9:32:36 PM] Sending request 'a - (1)'.\n"
        + "Nov 27 22:18:01 host code[12]: Params: {\nNov 27 22:18:01 host code[12]:   \"x\": 1\n"
        + "Nov 27 22:18:01 host code[12]: }\n",
      ["→ " + #"{"jsonrpc":"2.0","id":1,"method":"a","params":{\#n  "x": 1\#n}}"#]
    ),
    (
      "[Trace - 9:32:36 PM] Sending request 'a - (1)'.\nParams: {\n[Trace - 9:32:36 PM] Sending "
        + "notification 'b'.\n",
      [
        #"→ {"jsonrpc":"2.0","id":1,"method":"a","params":["…"]}"#,
        #"→ {"jsonrpc":"2.0","method":"b"}"#,
      ]
    ),
    // What is not indented is of another program; the object has lost its end.
    (
      "[Trace - 9:32:36 PM] Sending request 'a - (1)'.\nParams: {\n    \"x\": 1,\n{\"y\":2}\n}\n",
      [#"→ {"jsonrpc":"2.0","id":1,"method":"a","params":["…"]}"#]
    ),
    (#"{"log":"[Trace - 9:32:36 PM] Sending request 'a - (1)'.\n"}"#, []),
    ("[Trace - 9:32:36 PM] Sending nothing 'a'.\nParams: {}\n", []),
  ])
  func tells(_ lines: String, _ messages: [String]) {
    #expect(reported(lines) == messages)
  }
}
