// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence
internal import TapTraffic

/// What stands in the place of a message and is none: malformed, which is worth more than silence.
/// Nothing but what stands around it can tell it from lists of other protocols.
extension LogReader {
  /// What stands before a list of numbers that is no message.
  mutating func note(strange skeleton: UInt64) { judge.note(strange: skeleton) }

  /// Whether a list of numbers is in something else that the line says was sent as it stands there:
  /// `< TEXT '{"type":"cursor","pos":[33,1,5]}'`.
  @inline(__always)
  func isInPayload(_ line: RawSpan, _ start: Int, _ facts: LogFacts) -> Bool {
    guard let match = facts.match, let row = match.row, !match.form.isWrapping,
      match.markEnd < start, row.isOfPayloads
    else { return false }
    return Self.hasBracket(line.extracting(match.markEnd..<start))
  }

  @inline(never)
  private static func hasBracket(_ prefix: RawSpan) -> Bool {
    let text = prefix.extracting(0..<LogWrapping.start(prefix))
    return text.firstIndex(of: 0x7B) != nil || text.firstIndex(of: 0x5B) != nil
  }

  /// A line that a known program marks as one with a message, of which nothing can be read: its
  /// conversation is not whole.
  ///
  /// - Returns: whether it is one.
  mutating func tellUnread(_ line: LogLine, _ sink: any EvidenceSink) -> Bool {
    guard let match = unreadMatch(line.text) else { return false }
    var facts = LogFacts(of: line)
    facts.match = match
    if isPrintedElsewhere(facts) { return false }
    endRepeated(sink)
    context(line: line.text, line.origin, sink)
    tally.hasMessages = true
    var candidate = factReader.candidate(
      Recognition(.possible), .text, line, match.markEnd, line.text.byteCount, &facts)
    if teller.conversations.find(&candidate) { sink.gap(nil, Delivery(candidate.origin)) }
    let mark = match.markEnd - (match.row?.mark.utf8CodeUnitCount ?? 0)
    let words = line.text.dropping(mark).copied().prefix { $0 != 0x0A }.prefix(100)
    sink.finding(
      Finding(
        .logUnread, .warning, candidate.origin,
        "\(match.form.title) marks a message here that is not understood:"
          + " \(String(decoding: words, as: Unicode.UTF8.self))"))
    return true
  }

  private func unreadMatch(_ line: RawSpan) -> LogMatch? {
    let only = place.choice.logFormat
    if let (match, _) = NamedFields.find(line, only: only), case .keywords? = match.row?.form {
      return match
    }
    guard let match = LogMarks.all.find(line, only: only), match.isOfDialect else { return nil }
    // Of what is printed in several parts, this one may be without a message.
    let hasWords = (match.markEnd..<line.byteCount).contains {
      LiteralReader.isWord(line.byte(at: $0))
    }
    return hasWords || match.row?.isBelow == true ? match : nil
  }

  /// Whether a list stands right behind such a mark, so that nothing else need be looked for.
  mutating func hasListBehindMark(_ line: RawSpan, _ facts: inout LogFacts) -> Bool {
    guard let start = facts.list?.lowerBound ?? ListStart.next(line, from: 0) else { return false }
    let prefix = line.extracting(0..<start)
    let skeleton = facts.skeleton(line, 0..<start)
    let match = factReader.rules.match(prefix, skeleton)
    facts.first = (start, skeleton, match)
    guard let match, match.isOfDialect else { return false }
    return (match.markEnd..<start).allSatisfy { isJSONSpace(line.byte(at: $0)) }
  }

  /// The list behind such a mark that does not begin with a number and a comma, as messages do.
  func start(behindMarkOf line: RawSpan) -> Int? {
    guard let match = LogMarks.all.find(line, only: place.choice.logFormat), match.isOfDialect
    else { return nil }
    var at = match.markEnd
    // In a list of Node, the mark is a string before it.
    while at < line.byteCount, isBetween(line.byte(at: at)) { at += 1 }
    return at < line.byteCount && line.byte(at: at) == 0x5B ? at : nil
  }

  private func isBetween(_ byte: UInt8) -> Bool {
    isJSONSpace(byte) || byte == 0x27 || byte == 0x2C
  }
}

extension LogMatch {
  /// What stands behind the mark is of a dialect, whatever it looks like.
  var isOfDialect: Bool { (row?.dialect.utf8CodeUnitCount ?? 0) > 0 }
}
