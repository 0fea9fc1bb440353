// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@testable import TapLogs

@Suite("The text of a line") struct LineTextTests {
  @Test(
    "what encodings, terminals and syslog have added is no part of it",
    arguments: [
      ("sent [35,4]", "sent [35,4]"), ("\u{FEFF}\0sent [35,4]", "sent [35,4]"),
      ("\u{1B}[32msent\u{1B}[0m [35,4]", "sent [35,4]"),
      ("Nov 20 23:34:50 host app[9]: #033[32msent#033[0m", "Nov 20 23:34:50 host app[9]: sent"),
      ("", ""),
    ])
  func text(line: String, expected: String) {
    let bytes = Array(line.utf8)
    let text = LineText(bytes.span.bytes)
    let found = String(decoding: text.bytes(of: bytes.span.bytes).copied(), as: Unicode.UTF8.self)
    #expect(found == expected)
  }

  @Test("only a line without them is plain") func plain() {
    func isPlain(_ line: String) -> Bool {
      let bytes = Array(line.utf8)
      let control = bytes.span.bytes.firstIndex(ofAny: LineText.controls, from: 0)
      return LineText.isPlain(bytes.span.bytes, control: control)
    }
    #expect(isPlain("sent [35,4]") && isPlain("sent [35,4]\r"))
    #expect(!isPlain("\u{FEFF}sent") && !isPlain("\u{1B}[32msent") && !isPlain("10%\r20%"))
  }
}
