// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Texts of one record that were read. Some loggers put a line into two members, as `message` and
/// `log.original` of ECS, or the whole line into one and its text into another, as loguru. In the
/// next record on the line, the same text counts as new.
struct ReadTexts {
  /// Texts whose ends are compared: as many as a record may have of one line.
  private static let most = 4

  private var read: Set<UInt64> = []
  private var first: [Scratch] = []
  /// Behind the last text.
  private var end = 0

  /// Whether a text, which stands behind all those before it, is the first like it in its record.
  mutating func isNew(_ text: RawSpan, at range: Range<Int>, on line: RawSpan) -> Bool {
    defer { end = range.upperBound }
    if Self.hasBoundary(line.extracting(min(end, range.lowerBound)..<range.lowerBound)) {
      (read, first) = ([], [])
    }
    if !read.insert(text.fingerprint).inserted { return false }
    if first.contains(where: { Self.isSame($0.bytes, text) }) { return false }
    if first.count < Self.most {
      var copy = Scratch()
      copy.append(text)
      first.append(copy)
    }
    return true
  }

  /// Whether the shorter of two texts is the end of the longer.
  static func isSame(_ one: RawSpan, _ other: RawSpan) -> Bool {
    let (end, otherEnd) = (one.beforeSpace(one.byteCount), other.beforeSpace(other.byteCount))
    let count = min(end, otherEnd)
    return one.extracting(end - count..<end).equals(other.extracting(otherEnd - count..<otherEnd))
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
