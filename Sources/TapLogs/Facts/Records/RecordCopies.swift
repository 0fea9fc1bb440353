// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Texts of one record, which may have the same in several members: a line in `message` and
/// `log.original` of ECS, the whole line and its text as loguru writes them, or a message as it was
/// sent and what was made of it. Texts are asked for in the order in which they stand on their
/// line, or in the reverse; in the next record of the line, the same text counts as new.
struct RecordCopies {
  enum Kind {
    /// What programs have printed: one may be the end of another.
    case lines
    /// Two of these may differ in blanks. Without a string between them, they are no members.
    case messages
  }

  /// Texts that are remembered: few records have that many.
  private static let most = 16

  private let kind: Kind
  private var texts: [[UInt8]] = []
  /// Where the last text stands.
  private var last = 0..<0

  init(of kind: Kind) { self.kind = kind }

  /// Whether a text is the same as one that was added of its record.
  mutating func has(_ text: RawSpan, at place: Range<Int>, on line: RawSpan) -> Bool {
    // Of a line that is read from its end, the last text stands behind this one.
    let between =
      place.upperBound <= last.lowerBound
      ? line.extracting(place.upperBound..<last.lowerBound)
      : line.extracting(min(last.upperBound, place.lowerBound)..<place.lowerBound)
    last = place
    if Self.hasBoundary(between) { texts = [] }
    if kind == .messages && between.firstIndex(of: .quote) == nil { return false }
    return texts.contains { isSame($0.span.bytes, text) }
  }

  /// Adds a text that ends there on its line.
  mutating func add(_ text: RawSpan, endingAt end: Int) {
    if texts.count >= Self.most { texts.removeAll() }
    texts.append(text.copied())
    last = min(last.lowerBound, end)..<end
  }

  private func isSame(_ one: RawSpan, _ other: RawSpan) -> Bool {
    if kind == .messages { return SameList.isSame(one, other) }
    let (end, otherEnd) = (one.beforeSpace(one.byteCount), other.beforeSpace(other.byteCount))
    let count = min(end, otherEnd)
    return one.extracting(end - count..<end).equals(other.extracting(otherEnd - count..<otherEnd))
  }

  /// Whether a record ends, and another begins: `},{`, `}{`.
  private static func hasBoundary(_ text: RawSpan) -> Bool {
    var at = 0
    while let close = text.firstIndex(of: .closeBrace, from: at) {
      at = close + 1
      while at < text.byteCount, [.space, .comma, 0x1E].contains(text.byte(at: at)) { at += 1 }
      if at < text.byteCount, text.byte(at: at) == .openBrace { return true }
    }
    return false
  }
}
