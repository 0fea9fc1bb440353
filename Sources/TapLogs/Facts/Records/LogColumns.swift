// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds the time and the direction of a message in columns of a table beside it, wherever they
/// stand. The message is in quotes (RFC 4180), or bare where columns do not end with commas.
enum LogColumns {
  /// Bytes before and behind the message that are looked at.
  private static let furthest = 512

  /// A time that is a whole column.
  static func time(
    _ line: RawSpan, beside message: Range<Int>, _ order: LogDayOrder?
  ) -> LogTime? {
    let (start, end) = (message.lowerBound, message.upperBound)
    // The rows of a browser begin with the message, and end with the time of the day.
    let isFirst = start == 0 && end < line.byteCount && line.byte(at: end) == .tab
    guard let separator = isFirst ? 0x09 : separator(line, start) else { return nil }
    var at = isFirst ? end + 1 : end
    if at < line.byteCount, line.byte(at: at) == .quote { at += 1 }
    let before = max(0, start - furthest)..<max(0, start - 1)
    for range in [before, at..<min(line.byteCount, at + furthest)] {
      for column in columns(line, range, separator) {
        guard let first = column.first,
          let found = LogTimeReader.read(line, first, isStart: true, order),
          !found.isUnsure, found.day == .whole || isFirst && found.day == .none,
          found.end == column.upperBound
        else { continue }
        return found
      }
    }
    return nil
  }

  /// Who sends, where a whole column before the message says it.
  static func direction(_ line: RawSpan, _ start: Int) -> LogDirection? {
    guard let separator = separator(line, start) else { return nil }
    for column in columns(line, max(0, start - furthest)..<start - 1, separator) {
      let word = line.extracting(column)
      if let direction = LogDirectionWords.direction(ofWhole: word) ?? LogPeerWords.direction(word)
      {
        return direction
      }
    }
    return nil
  }

  /// The character between columns, if the message begins a column; else nil.
  private static func separator(_ line: RawSpan, _ start: Int) -> UInt8? {
    guard start > 0 else { return nil }
    let last = line.byte(at: start - 1)
    if last == UInt8(ascii: ";") || last == .tab { return last }
    if last != .quote { return nil }
    // The first column has nothing before it.
    if start == 1 { return 0x2C }
    let byte = line.byte(at: start - 2)
    return byte == .comma || byte == UInt8(ascii: ";") || byte == .tab ? byte : nil
  }

  /// Without their quotation marks.
  private static func columns(
    _ line: RawSpan, _ range: Range<Int>, _ separator: UInt8
  ) -> [Range<Int>] {
    var columns: [Range<Int>] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let isQuoted = line.byte(at: at) == .quote
      let start = isQuoted ? at + 1 : at
      let end = line.behind(start, to: range.upperBound) { $0 != (isQuoted ? 0x22 : separator) }
      columns.append(start..<end)
      at = end + (isQuoted ? 2 : 1)
    }
    return columns
  }
}
