// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Texts of one record that were read: some loggers put a line into two members, as `message` and
/// `log.original` of ECS. In the next record on the line, the same text counts as new.
struct ReadTexts {
  private var read: Set<UInt64> = []
  /// Behind the last text.
  private var end = 0

  /// Whether a text, which stands behind all those before it, is the first like it in its record.
  mutating func isNew(_ text: RawSpan, at range: Range<Int>, on line: RawSpan) -> Bool {
    defer { end = range.upperBound }
    if Self.hasBoundary(line.extracting(min(end, range.lowerBound)..<range.lowerBound)) {
      read = []
    }
    return read.insert(text.fingerprint).inserted
  }

  /// Whether a record ends, and another begins: `},{`, `}{`.
  static func hasBoundary(_ text: RawSpan) -> Bool {
    var at = 0
    while let close = text.firstIndex(of: .closeBrace, from: at) {
      at = close + 1
      while at < text.byteCount, [.space, .comma, 0x1E].contains(text.byte(at: at)) { at += 1 }
      if at < text.byteCount, text.byte(at: at) == .openBrace { return true }
    }
    return false
  }
}
