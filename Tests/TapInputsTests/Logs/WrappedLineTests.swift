// SPDX-License-Identifier: Apache-2.0
import TapBytes
@testable import TapLogs
import TapTraffic
import Testing

/// Lines of a console with thirty columns, whose messages begin in the seventh.
@Suite struct WrappedLineTests {
  private func joined(_ lines: [String]) -> (text: String, height: UInt64) {
    let first = Array(lines[0].utf8)
    var wrapped = WrappedLine(first.span.bytes, place: 6, width: 30, Origin())
    for line in lines.dropFirst() {
      let filled = line + String(repeating: " ", count: max(0, 30 - line.count))
      if !wrapped.appendContinuation(Array(filled.utf8).span.bytes) { break }
    }
    return (String(decoding: wrapped.text.bytes.copied(), as: Unicode.UTF8.self), wrapped.height)
  }

  @Test(
    "what goes on below is of the message",
    arguments: [
      (["DEBUG  sent one two", "       three four five", "       six"], 3),
      (["DEBUG  sent one two"], 1), (["DEBUG  één twee drie", "       vier"], 2),
      // Wide characters take two columns.
      (["DEBUG  sent 日本 🎉", "       three four"], 2), (["DEBUG  日本 🎉", "       one"], 1),
      // At the margin of another column, of another line, or not filled up.
      (["DEBUG  sent one two", "        three"], 1), (["DEBUG  sent one two", "INFO   three"], 1),
      (["DEBUG  sent one two", "       three four five six seven"], 1),
      (["DEBUG  sent one two", ""], 1),
      // What had room above it is a line of its own.
      (["DEBUG  sent", "       one"], 1),
    ])
  func goesOn(lines: [String], height: Int) {
    let (text, found) = joined(lines)
    let parts = lines.prefix(height).enumerated().map { $0 == 0 ? $1 : String($1.dropFirst(7)) }
    #expect(text == parts.joined(separator: " "))
    #expect(found == UInt64(height))
  }

  @Test("words that no line has room for are cut")
  func cut() {
    #expect(
      joined(["DEBUG  sent", "       {\"a\":\"0123456789", "       0123456789\"}"]).text
        == #"DEBUG  sent {"a":"01234567890123456789"}"#)
  }
}
