// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds the rule of what stands before a message. Lines of one program differ in numbers mostly:
/// what was found for one is remembered for all that are alike.
struct LogRules {
  /// Kinds of lines that are remembered.
  private static let most = 1024
  /// Bytes before a message that are looked at.
  private static let furthest = 1024

  /// By shape; nil for lines that follow no rule.
  private var known = IDTable<LogMatch?>()
  private let marks = LogMarks.all
  /// The only format that is asked; nil for all.
  private let only: Int?
  private let layouts: FieldLayouts

  init(_ layouts: FieldLayouts, only: Int?) { (self.layouts, self.only) = (layouts, only) }

  /// Whether lines that no format knows are asked who sends.
  var takesWords: Bool { only == nil || only == LogFormats.unmarked.formatIndex }

  /// - Parameter shape: of `prefix`.
  mutating func match(_ prefix: RawSpan, _ shape: UInt64) -> LogMatch? {
    let near = prefix.dropping(max(0, prefix.byteCount - Self.furthest))
    let start = prefix.byteCount - near.byteCount
    let key = WideKey(0, shape)
    if let slot = known.slot(of: key) {
      guard var match = known[slot: slot] else { return nil }
      guard let rule = match.rule else { return match }
      guard let at = LogMarks.last(rule.mark, in: near) else { return search(near, from: start) }
      match.markEnd = start + at + rule.mark.utf8CodeUnitCount
      return match
    }
    if known.count >= Self.most { known = IDTable() }
    let found = search(near, from: start)
    known[key] = .some(found)
    return found
  }

  /// - Parameter start: where the text begins on its line.
  private func search(_ near: RawSpan, from start: Int) -> LogMatch? {
    var match = search(near)
    match?.markEnd += start
    return match
  }

  private func search(_ prefix: RawSpan) -> LogMatch? {
    if let match = marks.find(prefix, only: only) {
      return match.format.traits.contains(.generic) ? corrected(match, prefix) : match
    }
    return words(prefix)
  }

  /// What words say that are of no format.
  func words(_ prefix: RawSpan) -> LogMatch? {
    guard takesWords, let direction = Self.direction(prefix, layouts) else { return nil }
    return LogMatch(words: direction)
  }

  /// Who sends, as words say that are of no format.
  static func direction(_ prefix: RawSpan, _ layouts: FieldLayouts = FieldLayouts())
    -> LogDirection?
  {
    LogDirectionWords.direction(prefix, layouts)
      ?? LogPeerWords.direction(prefix.extracting(0..<LogWrapping.start(prefix)))
  }

  /// The marks of some formats are words that many programs print: other words before them outweigh
  /// them.
  private func corrected(_ match: LogMatch, _ prefix: RawSpan) -> LogMatch {
    // A mark that begins with an arrow is a prompt: what stands before it does not count.
    guard let rule = match.rule, rule.mark.utf8Start[0] != UInt8(ascii: "<"),
      rule.mark.utf8Start[0] != UInt8(ascii: ">")
    else {
      return match
    }
    let mark = match.markEnd - rule.mark.utf8CodeUnitCount
    if rule.direction == .unsaid {
      // `Received URLSessionWebSocketTask.Message.string("`
      var said = match
      said.direction = LogDirectionWords.direction(prefix.extracting(0..<mark), layouts) ?? .unsaid
      return said
    }
    return match
  }

  /// A hash of a text, the same for all texts that differ only in their numbers.
  static func shape(_ prefix: RawSpan) -> UInt64 {
    LogLineShape.of(prefix.dropping(max(0, prefix.byteCount - furthest)))
  }
}
