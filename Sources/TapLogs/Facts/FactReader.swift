// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads what a line says of a message on it: when it was sent, by whom, and in which session. It
/// remembers what lines that are alike have said, and tells nothing.
struct FactReader {
  var rules: LogRules
  var clock = LogClock()
  var sources = LogSources()
  var writers = LogWriters()
  /// What lines of a kind have said of their conversation, by the shape of what is before the
  /// message.
  var cache = IDTable<LogFactCache>()
  /// The only format that is asked; nil for all.
  let only: Int?

  init(_ layouts: FieldLayouts = FieldLayouts(), only: Int?) {
    (self.only, rules) = (only, LogRules(layouts, only: only))
  }

  /// Asks what stands before a message who sends it.
  ///
  /// - Parameter asksOuter: where that says nothing, the record is asked in whose string the line
  ///   was printed.
  mutating func match(
    _ line: RawSpan, _ before: Range<Int>, asksOuter: Bool = true, _ facts: inout LogFacts
  ) {
    let prefix = line.extracting(before)
    facts.shape = LogRules.shape(prefix)
    facts.match = rules.match(prefix, facts.shape)
    facts.match?.markEnd += before.lowerBound
    if facts.match == nil && asksOuter { facts.match = facts.outer?.match }
  }

  /// The same for a list, whose record may say it as well.
  ///
  /// - Parameter end: of the list before it, 0 for none.
  mutating func match(_ line: RawSpan, list start: Int, behind end: Int, _ facts: inout LogFacts) {
    let found: LogMatch?
    if end == 0, let first = facts.first {
      (facts.shape, found) = (first.shape, first.match)
    } else {
      facts.shape = facts.shape(line, end..<start)
      found = rules.match(line.extracting(end..<start), facts.shape)
    }
    if var match = found {
      match.markEnd += end
      (facts.match, facts.around, facts.isToldByMembers) = (match, nil, false)
    } else {
      if end == 0 { facts.match = nil }
      askMembers(line, start, &facts)
      if facts.match == nil { facts.match = facts.outer?.match }
    }
  }

  /// Whether a list stands right behind a mark that says what it is, so that nothing else need be
  /// looked for.
  mutating func hasListBehindMark(_ line: RawSpan, _ facts: inout LogFacts) -> Bool {
    guard let start = facts.list?.lowerBound ?? ListStart.next(line, from: 0) else { return false }
    let shape = facts.shape(line, 0..<start)
    let match = rules.match(line.extracting(0..<start), shape)
    facts.first = (start, shape, match)
    guard let match, match.isOfDialect else { return false }
    return (match.markEnd..<start).allSatisfy { isJSONSpace(line.byte(at: $0)) }
  }

  /// What was found, with all that its line says of it.
  ///
  /// - Parameter kind: what it is when what the line says of it is known.
  mutating func candidate(
    _ found: FoundMessage, _ kind: Delivery.Kind, _ line: LogLine, _ facts: inout LogFacts
  ) -> LogCandidate {
    var candidate = LogCandidate(
      recognition: found.recognition, kind: kind, match: facts.match, shape: facts.shape,
      origin: facts.origin)
    candidate.height = facts.height
    (candidate.length, candidate.certain) = (facts.length, facts.certain)
    (candidate.isReworded, candidate.isTooDeep) = (found.isReworded, found.isTooDeep)
    (candidate.isUnread, candidate.isMarkedObject) = (found.isUnread, found.isMarkedObject)
    let start = found.place.lowerBound
    describe(&candidate, line, start, &facts)
    if let outer = facts.outer {
      if candidate.writer.isEmpty { candidate.writer = outer.writer }
      if candidate.source.isEmpty { candidate.source = outer.source }
    }
    candidate.origin.offset += UInt64(start)
    candidate.origin.set(time(line, start, found.place.upperBound, &facts))
    return candidate
  }

  /// Session, writer and side, as the line has them.
  private mutating func describe(
    _ candidate: inout LogCandidate, _ line: LogLine, _ start: Int,
    _ facts: inout LogFacts
  ) {
    name(&candidate, line.text, start, &facts)
    guard let match = candidate.match else { return }
    if facts.names == nil || facts.names!.match.rule != match.rule
      || facts.names!.match.format != match.format
    {
      facts.names = (
        match, LogNames.session(match.row, line.text), LogNames.side(match.form, line.text)
      )
    }
    candidate.side = facts.names!.side
    guard let row = match.row else { return }
    candidate.session =
      LogNames.session(row, line.text, markEnd: match.markEnd, start: start) ?? facts.names!.session
    switch row.writer {
    case .firstWord:
      candidate.writer = LogNames.writer(row.writer, line.text.extracting(0..<start), line.above)
      candidate.peer = LogNames.peer(line.text, markEnd: match.markEnd)
    case .peer:
      let peer = LogNames.peer(line.text, markEnd: match.markEnd)
      candidate.writer = String(decoding: peer.prefix(64), as: Unicode.UTF8.self)
    case .secret(let lengths):
      let mark = match.markEnd - row.mark.utf8CodeUnitCount
      candidate.writer = LogNames.secret(line.text, lengths: lengths, before: mark)
      candidate.side = candidate.writer.isEmpty ? .client : .server
    case .process:
      candidate.writer = LogNames.writer(row.writer, line.text.extracting(0..<start), line.above)
    case .nobody: break
    }
  }

  /// The rule that a member is the mark of, or what its words say.
  func match(_ way: LogRule.Way, _ member: RawSpan) -> LogMatch? {
    if let match = LogMarks.all.find(member, only: only) { return match }
    let words = LogFormats.unmarked.format
    guard only ?? words == words else { return nil }
    return LogMatch(format: words, rule: nil, way: way)
  }
}
