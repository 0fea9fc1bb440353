// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapInputs
import TapLogs
import TapTesting
import TapTraffic
import Testing

@Suite struct UTF16InputTests {
  /// Text in either order, with a mark or without.
  static func octets(_ text: String, isLittle: Bool, hasMark: Bool = true) -> [UInt8] {
    ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap {
      isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
    }
  }

  private func kind(_ file: [UInt8]) -> String { read([file]).kind }

  @Test("text is read as it would be in UTF-8", arguments: [true, false], [true, false])
  func text(isLittle: Bool, hasMark: Bool) {
    for text in [
      "2026-11-20T23:34:50Z sent [36,1,{},[\"é ☃ 😀\"]]\r\nno message\r\n",
      "[33,1,5862354]\n", "{\"a\": 1}\nrecv [33,1,5862354]",
    ] {
      let file = Self.octets(text, isLittle: isLittle, hasMark: hasMark)
      let plain = read(text: [Array(text.utf8)]).sink.lines
      #expect(read(text: [file]).sink.lines == plain)
      let reported = difference(forEveryCutOf: file) { read(text: $0).sink.lines }
      #expect(reported == nil, "\(reported?.pieces ?? [])")
    }
  }

  @Test("the kind that was named is found in it", arguments: ["log", "utf-16"])
  func named(name: String) {
    var choice = TestLog.choice
    choice.input = name
    let file = Self.octets("x recv: [33,1,7]\n", isLittle: true)
    let sink = LogSink()
    guard
      case .input(var input) = Inputs.recognise(
        file.span.bytes, isAll: true, input: 0, limits: Limits(), choice: choice)
    else {
      Issue.record("not recognised")
      return
    }
    input.receive(file.span.bytes, sink)
    input.finish(sink)
    #expect(sink.reported == ["1 toClient [33,1,7]"])
  }

  @Test("half a character is a finding, and what follows is read")
  func invalid() {
    let lone: [UInt8] = [0x3D, 0xD8]
    let text = Self.octets("recv [36,1,\"", isLittle: true)
    let rest = Self.octets("\"]\n", isLittle: true, hasMark: false)
    for (damage, count) in [(lone, "1 unit"), (lone + lone, "2 units"), ([0, 0xDC], "1 unit")] {
      let sink = read(text + damage + rest + [0x41])
      #expect(sink.codes.last == "utf16.invalid")
      // The byte at the end is one more.
      let found = count == "1 unit" ? "2 units" : "3 units"
      #expect(sink.findings.last?.text.hasPrefix("\(found) of the text are no UTF-16") == true)
      #expect(sink.findings.last?.origin.offset == UInt64(text.count))
    }
  }

  @Test("what only begins so is none") func others() {
    let noise = [UInt8](repeating: 0x99, count: 99)
    #expect(kind([0xFF, 0xFE] + noise) == "unknown")
    #expect(kind([0xFE, 0xFF] + noise) == "unknown")
    let utf32 = "\u{FEFF}sent".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0, 0] }
    #expect(kind(utf32) == "unknown")
    #expect(kind([0x41, 0, 0x42, 0]) != "utf-16")
    #expect(kind(Self.octets("", isLittle: true)) == "utf-16")
    // Of other scripts, too.
    #expect(
      kind(Self.octets("2026年11月20日 サーバーが起動しました", isLittle: true)) == "utf-16")
  }
}
