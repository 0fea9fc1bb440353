// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Which rule of which format a line follows.
struct LogMatch: Sendable {
  /// In `LogFormats.all`.
  var format: Int
  /// Of the format; nil where only words say who sends.
  var rule: Int?
  var way: LogRule.Way
  /// Behind the mark.
  var markEnd = 0

  var form: LogFormat { LogFormats.all[format] }
  var row: LogRule? { rule.map { LogFormats.all[format].rules[$0] } }
}

/// Finds the rule of what stands before a message. Lines of one program differ in numbers mostly:
/// what was found for one is remembered for all that are alike.
struct LogRules {
  /// Kinds of lines that are remembered.
  private static let most = 1024
  /// Octets before a message that are looked at.
  private static let furthest = 1024

  private var known: [UInt64: LogMatch?] = [:]
  /// The only format that is asked; nil for all.
  private let only: Int?

  init(only: Int?) { self.only = only }

  /// - Parameter skeleton: of `prefix`.
  mutating func match(_ prefix: RawSpan, _ skeleton: UInt64) -> LogMatch? {
    let near = prefix.dropping(max(0, prefix.byteCount - Self.furthest))
    if let remembered = known[skeleton] {
      guard var match = remembered else { return nil }
      guard let rule = match.row else { return match }
      guard let at = Self.last(rule.mark, in: near) else { return look(near) }
      match.markEnd = prefix.byteCount - near.byteCount + at + rule.mark.utf8CodeUnitCount
      return match
    }
    if known.count >= Self.most { known.removeAll() }
    var found = look(near)
    found?.markEnd += prefix.byteCount - near.byteCount
    known[skeleton] = found
    return found
  }

  private func look(_ prefix: RawSpan) -> LogMatch? {
    for (index, format) in LogFormats.all.enumerated() where only == nil || only == index {
      for (number, rule) in format.rules.enumerated() {
        guard let at = Self.last(rule.mark, in: prefix) else { continue }
        let end = at + rule.mark.utf8CodeUnitCount
        if rule.isFirst && !(end == prefix.byteCount && Self.isFirst(prefix, at)) { continue }
        return LogMatch(format: index, rule: number, way: rule.way, markEnd: end)
      }
    }
    let words = LogFormats.all.count - 1
    guard only == nil || only == words, let way = LogWords.way(prefix) else { return nil }
    return LogMatch(format: words, rule: nil, way: way)
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
    var found: Int?
    var at = 0
    while let hit = text.firstIndex(of: first, from: at), hit + count <= text.byteCount {
      if text.dropping(hit).starts(with: mark) { found = hit }
      at = hit + 1
    }
    return found
  }

  /// A number for all texts that differ in numbers only.
  static func skeleton(_ prefix: RawSpan) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var wasDigit = false
    for at in max(0, prefix.byteCount - furthest)..<prefix.byteCount {
      var byte = prefix.byte(at: at)
      if byte &- 0x30 < 10 {
        if wasDigit { continue }
        (byte, wasDigit) = (0x30, true)
      } else {
        wasDigit = false
      }
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash
  }
}
