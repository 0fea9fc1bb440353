// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The marks of all rules, in the order in which they are asked.
struct LogMarks: Sendable {
  private struct Entry {
    var mark: StaticString
    var octets: OctetSet
    /// In `LogFormats.all`, and of the format.
    var (format, rule): (Int, Int)
    var way: LogRule.Way
    var isFirst: Bool
  }

  private let entries: ContiguousArray<Entry>

  static let all = LogMarks(LogFormats.all)

  private init(_ formats: [LogFormat]) {
    var entries: ContiguousArray<Entry> = []
    for (format, row) in formats.enumerated() {
      for (number, rule) in row.rules.enumerated() where rule.isOfLists {
        entries.append(
          Entry(
            mark: rule.mark, octets: OctetSet(rule.mark), format: format, rule: number,
            way: rule.way, isFirst: rule.isFirst))
      }
    }
    self.entries = entries
  }

  /// The first rule whose mark stands in what is before a message.
  ///
  /// - Parameter only: the only format that is asked; nil for all.
  func find(_ prefix: RawSpan, only: Int?) -> LogMatch? {
    let octets = OctetSet(prefix)
    for entry in entries where entry.octets.isSubset(of: octets) {
      guard only == nil || only == entry.format, let at = Self.last(entry.mark, in: prefix) else {
        continue
      }
      let end = at + entry.mark.utf8CodeUnitCount
      if entry.isFirst && !(end == prefix.byteCount && Self.isFirst(prefix, at)) { continue }
      return LogMatch(format: entry.format, rule: entry.rule, way: entry.way, markEnd: end)
    }
    return nil
  }

  /// Whether nothing but a time, and the prompt of a terminal, stands before the mark.
  private static func isFirst(_ prefix: RawSpan, _ mark: Int) -> Bool {
    var at = LogTimeReader.read(prefix, 0, isStart: true)?.end ?? 0
    while at < mark, prefix.byte(at: at) == 0x20 || prefix.byte(at: at) == 0x3E { at += 1 }
    return at >= mark
  }

  /// Where the mark stands for the last time.
  static func last(_ mark: StaticString, in text: RawSpan) -> Int? {
    let count = mark.utf8CodeUnitCount
    let first = mark.utf8Start[0]
    var at = text.byteCount - count
    while at >= 0 {
      if text.byte(at: at) == first && text.dropping(at).starts(with: mark) { return at }
      at -= 1
    }
    return nil
  }
}
