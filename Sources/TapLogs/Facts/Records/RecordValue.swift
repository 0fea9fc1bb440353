// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The value of a member of a record, as far as it may say something: a short string, or one word.
enum RecordValue {
  /// The longest value that is read, in bytes.
  private static let longest = 96

  /// The value behind a colon; empty for anything else.
  ///
  /// - Parameter escapes: backslashes before the quotation marks of the record.
  static func range(_ line: RawSpan, _ colon: Int, _ escapes: Int) -> Range<Int> {
    var start = line.behind(colon) { isBlank($0) }
    let last = min(line.byteCount, start + longest)
    var end = line.behind(start, to: last) { !isEnd($0) }
    guard end < last || last == line.byteCount, end > start || end < last else { return 0..<0 }
    if end == start, line.byte(at: end) == .quote || line.byte(at: end) == .apostrophe {
      start += 1
      end = start
      while end < last, line.byte(at: end) != line.byte(at: start - 1) { end += 1 }
      if end == last || RecordWalk.backslashes(line, end) != escapes { return 0..<0 }
      end = max(start, end - escapes)
    }
    return start..<end
  }

  /// What may stand between a colon and its value.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == .space || byte == .tab || byte == .backslash
  }

  /// What ends a value without quotation marks.
  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case .quote, .apostrophe, .comma, .closeBrace, .closeBracket, .openBrace, .openBracket, .space,
      .lineFeed, .carriageReturn:
      true
    default: false
    }
  }
}
