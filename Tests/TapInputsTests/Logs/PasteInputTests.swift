// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct PasteInputTests {
  @Test(arguments: [
    ("[1]", ["0 [1]"]),
    ("  [1]\n\n[2,\n 3]\t,[4][5]", ["2 [1]", "7 [2,\n 3]", "16 [4]", "19 [5]"]),
    ("\u{FEFF}[1]", ["3 [1]"]),
    (
      #"["]", "\"]", {"a": ["}"]}] [2]"#,
      [#"0 ["]", "\"]", {"a": ["}"]}]"#, "27 [2]"]
    ),
    ("[1]\u{1E}[2]\u{18}[3]", ["0 [1]", "4 [2]", "8 [3]"]),
    ("[1]\n[2, \"cut", ["0 [1]", "4 [2, \"cut"]),
    ("[[[", ["0 [[["]),
  ])
  func values(text: String, expected: [String]) {
    let sink = read(Array(text.utf8))
    #expect(sink.findings.isEmpty)
    #expect(
      sink.messages.map {
        "\($0.delivery.origin.offset) \(String(decoding: $0.bytes, as: Unicode.UTF8.self))"
      } == expected)
    for message in sink.messages {
      #expect(message.delivery.kind == .text)
      #expect(message.delivery.origin.direction == .unknown)
      #expect(message.delivery.origin.record == 0)
      #expect(message.delivery.origin.input == 3)
      #expect(!message.delivery.origin.time.isKnown)
    }
  }

  @Test func whatFollowsIsALog() {
    let text = "[1,{}] then [33,1,5] and more\nagain\n  [35,3]\n{\"a\":1}\n[4,x] tail"
    let sink = read(Array(text.utf8))
    #expect(sink.messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } == ["[1,{}]"])
    #expect(sink.codes == ["paste.not-understood"])
    #expect(sink.findings.map(\.origin.offset) == [7])
  }

  /// Many lists of lists are none of messages: one has to be hardly anything else.
  @Test(arguments: [
    (#"[[36,1,2,{}], [1,2] ]"#, [1, 14]),
    (#"[ [1,2],"# + "\n" + #"[36,1,2,{"a":"]"}]]"#, [2, 9]),
    ("[[1,2],[3,4]]", [0]),
    (#"[[36,1,2,{}],7]"#, [0]),
    (#"[[[36,1,2,{}]]]"#, [0]),
  ])
  func listOfLists(text: String, offsets: [UInt64]) {
    for pieces in everyCut(of: Array(text.utf8)) {
      let sink = read(pieces) { Events() }.sink
      #expect(sink.messages.map(\.delivery.origin.offset) == offsets)
    }
  }

  @Test func tooLarge() {
    var limits = Limits()
    limits.messageBytes = 10
    let text = Array("[12345678]\n[123456789]\n[1]".utf8)
    for pieces in everyCut(of: text) {
      let sink = read(pieces, limits: limits).sink
      #expect(sink.messages.map(\.delivery.origin.offset) == [0, 23])
      #expect(sink.codes == ["paste.too-large"])
      #expect(sink.findings.first?.origin.offset == 11)
    }
  }
}

/// Texts that begin as EVENT does are messages.
private final class Events: TextRecogniser {
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    text.starts(with: "[36,") ? Recognition(.likely) : .none
  }
}
