// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The marks of all rules, in the order in which they are asked.
struct LogMarks: Sendable {
  private struct Entry {
    var mark: StaticString
    var octets: ASCIISet
    /// Index of the format in `LogFormats.all`, and of the rule in the format.
    var (formatIndex, ruleIndex): (Int, Int)
    var direction: LogDirection
    var isFirst: Bool
    /// Stands before the mark; empty for nothing.
    var word: StaticString
  }

  private let entries: ContiguousArray<Entry>

  static let all = LogMarks(LogFormats.all)

  private init(_ formats: [LogFormat]) {
    var entries: ContiguousArray<Entry> = []
    for (formatIndex, format) in formats.enumerated() {
      for (ruleIndex, rule) in format.rules.enumerated() where rule.isOfLists {
        entries.append(
          Entry(
            mark: rule.mark, octets: ASCIISet(rule.mark), formatIndex: formatIndex,
            ruleIndex: ruleIndex, direction: rule.direction,
            isFirst: rule.placement.contains(.first),
            word: format.requiredWord))
      }
    }
    self.entries = entries
  }

  /// The first rule whose mark stands in what is before a message.
  ///
  /// - Parameter only: the only format that is asked; nil for all.
  func find(_ prefix: RawSpan, only: Int?) -> LogMatch? {
    let octets = ASCIISet(prefix)
    for entry in entries where entry.octets.isSubset(of: octets) {
      guard only == nil || only == entry.formatIndex, let at = Self.last(entry.mark, in: prefix)
      else {
        continue
      }
      let end = at + entry.mark.utf8CodeUnitCount
      // A mark in quotes, `"RX",`, has to be an element of a list, and not the value of a member.
      if entry.mark.utf8Start[0] == .quote && Self.isMember(prefix, at) { continue }
      if entry.isFirst && !(end == prefix.byteCount && Self.isFirst(prefix, at)) { continue }
      if !Self.hasName(entry.word, prefix.extracting(0..<at)) { continue }
      return LogMatch(
        formatIndex: entry.formatIndex, ruleIndex: entry.ruleIndex, direction: entry.direction,
        markEnd: end)
    }
    return nil
  }

  /// Whether a logger of this name, or one below it, stands in a text: no part of another word, as
  /// in the `csms-ocpp-1` of a container.
  private static func hasName(_ name: StaticString, _ text: RawSpan) -> Bool {
    if name.utf8CodeUnitCount == 0 { return true }
    var rest = text
    while let at = last(name, in: rest) {
      let end = at + name.utf8CodeUnitCount
      let begins = at == 0 || !text.byte(at: at - 1).isOfName
      let ends =
        end == text.byteCount || !text.byte(at: end).isOfName || text.byte(at: end) == .period
      if begins && ends { return true }
      rest = text.extracting(0..<at)
    }
    return false
  }

  /// Whether nothing but a time, and the prompt of a terminal, stands before the mark, which is not
  /// the end of a longer arrow, `>>> `.
  private static func isFirst(_ prefix: RawSpan, _ mark: Int) -> Bool {
    if mark > 0, prefix.byte(at: mark - 1) == prefix.byte(at: mark) { return false }
    let time = LogTimeReader.read(prefix, 0, isStart: true)?.end ?? 0
    return prefix.behind(time, to: mark) { $0 == .space || $0 == UInt8(ascii: ">") } >= mark
  }

  /// Whether a string is the value of a member.
  private static func isMember(_ text: RawSpan, _ string: Int) -> Bool {
    let at = text.beforeSpace(string)
    return at > 0 && text.byte(at: at - 1) == .colon
  }

  /// Where the mark stands for the last time.
  static func last(_ mark: StaticString, in text: RawSpan) -> Int? {
    let pivot = pivot(mark)
    let latest = text.byteCount - mark.utf8CodeUnitCount + pivot
    var found: Int?
    var at = pivot
    while at <= latest, let hit = text.firstIndex(of: mark.utf8Start[pivot], from: at),
      hit <= latest
    {
      if text.dropping(hit - pivot).starts(with: mark) { found = hit - pivot }
      at = hit + 1
    }
    return found
  }

  /// The byte of a mark that is looked for: one that is rare in words.
  @inline(__always)
  private static func pivot(_ mark: StaticString) -> Int {
    for index in 0..<mark.utf8CodeUnitCount {
      let byte = mark.utf8Start[index]
      if byte != .space && byte &- 0x61 >= 26 { return index }
    }
    return mark.utf8CodeUnitCount > 1 ? 1 : 0
  }
}
