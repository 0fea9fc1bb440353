// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Messages of one record, which may have the same text in several members: as a whole line and as
/// a field of it, or as what was sent and what was made of it.
struct LogRecordCopies {
  /// Messages that are remembered of one line.
  private static let most = 16
  /// Bytes between two copies of a message.
  private static let mostBetween = 32 << 10

  private struct Entry {
    var text: [UInt8]
    /// Where it ends on the line.
    var end: Int
  }

  private var record: UInt64 = 0
  private var entries: [Entry] = []

  /// A message of a line that may have more of them.
  mutating func add(_ text: RawSpan, on record: UInt64, _ end: Int) {
    if record != self.record || entries.count >= Self.most { entries.removeAll() }
    self.record = record
    entries.append(Entry(text: text.copied(), end: end))
  }

  /// Whether another member of this record has already given the same message.
  func has(_ text: RawSpan, on record: UInt64, _ line: RawSpan, _ start: Int) -> Bool {
    guard record == self.record else { return false }
    return entries.contains {
      $0.end <= start && start - $0.end <= Self.mostBetween
        && SameList.isSame($0.text.span.bytes, text)
        && Self.isMember(line.extracting($0.end..<start))
    }
  }

  /// Whether the text between two messages is of one record: a key stands there, and no other
  /// record begins.
  private static func isMember(_ between: RawSpan) -> Bool {
    guard between.firstIndex(of: .quote) != nil else { return false }
    var at = 0
    while let brace = between.firstIndex(of: .openBrace, from: at) {
      let before = between.beforeSpace(brace)
      // `},{` begins another.
      if before > 1, between.byte(at: before - 1) == .comma { return false }
      at = brace + 1
    }
    return true
  }
}
