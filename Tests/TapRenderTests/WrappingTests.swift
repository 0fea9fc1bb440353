// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapRender

@Suite struct WrappingTests {
  private func wrap(_ line: String, _ width: Int, indent: Int) -> [String] {
    var text = TextBuffer(capacity: 0)
    text.append("before\n")
    let start = text.count
    text.append(line)
    TextLayout.wrap(&text, from: start, to: width, indent: indent)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self).split(separator: "\n")
      .dropFirst().map { String($0) }
  }

  @Test(
    arguments: [
      ("short", 10, 2, ["short"]), ("one two three", 8, 2, ["one two", "  three"]),
      ("  1.0 !  code  a text", 12, 4, ["  1.0 !", "    code  a", "    text"]),
      ("a verylongwordthatdoesnotfit b", 10, 2, ["a", "  verylongwordthatdoesnotfit", "  b"]),
      ("verylongwordthatdoesnotfit b", 10, 2, ["verylongwordthatdoesnotfit", "  b"]),
      ("漢漢漢 漢漢", 8, 2, ["漢漢漢", "  漢漢"]), ("aa bb", 4, 30, ["aa", "  bb"]),
      ("\u{1B}[1maaaa\u{1B}[0m bbbb", 9, 2, ["\u{1B}[1maaaa\u{1B}[0m bbbb"]), ("", 4, 2, []),
    ] as [(String, Int, Int, [String])])
  func words(_ line: String, _ width: Int, _ indent: Int, _ lines: [String]) {
    #expect(wrap(line, width, indent: indent) == lines)
  }

  @Test func findingsAreWrappedOnATerminalOnly() {
    let finding = Finding("a.code", .warning, Origin(), "one two three four five six seven")
    for width in [nil, 30] as [Int?] {
      var options = LineRenderer.Options()
      options.width = width
      var page = Page(LineRenderer(options))
      let reported = page.write { $0.finding(finding, connection: 1, messages: [], into: &$1) }
      let expected =
        width == nil
        ? "#1 !  a.code  one two three four five six seven\n"
        : "#1 !  a.code  one two three\n        four five six seven\n"
      #expect(reported == expected)
    }
  }
}
