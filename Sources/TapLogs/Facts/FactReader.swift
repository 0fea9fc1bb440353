// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads what a line says of a message on it: when it was sent, by whom, and in which session. It
/// remembers what similar lines have said, and reports nothing itself.
struct FactReader {
  var rules: LogRules
  var clock = LogClock()
  var sources = LogSources()
  var writers = LogWriters()
  /// What lines of a kind have said of their conversation, by the shape of what is before the
  /// message.
  var cache = IDTable<LogFactCache>()
  /// The sides that lines have shown, of programs that may be either.
  private var sides = LogSides()
  /// The only format that is asked; nil for all.
  let only: Int?

  init(_ layouts: FieldLayouts = FieldLayouts(), only: Int?) {
    (self.only, rules) = (only, LogRules(layouts, only: only))
  }

  /// Asks what stands before a message who sends it.
  ///
  /// - Parameter asksOuter: where that says nothing, ask the record that has the line as a string.
  mutating func match(
    _ line: RawSpan, _ before: Range<Int>, asksOuter: Bool = true, _ facts: inout LineFacts
  ) {
    let prefix = line.extracting(before)
    (facts.message.members, facts.message.isMatchOfMembers) = (nil, false)
    facts.message.shape = LogRules.shape(prefix)
    facts.message.match = rules.match(prefix, facts.message.shape)
    facts.message.match?.markEnd += before.lowerBound
    checkWhatFollows(line, before, &facts)
    if facts.message.match == nil && asksOuter { facts.message.match = facts.outer?.match }
  }

  /// A rule may also require what follows its mark. If that does not follow, the words of the line
  /// say who sends.
  private func checkWhatFollows(_ line: RawSpan, _ before: Range<Int>, _ facts: inout LineFacts) {
    guard let match = facts.message.match, case .ignoredBefore(let head)? = match.rule?.form,
      !line.dropping(match.markEnd).starts(with: head)
    else { return }
    facts.message.match = rules.words(line.extracting(before))
  }

  /// Asks the same for a list; the members of the record around it may say it as well.
  ///
  /// - Parameter end: of the list before it, 0 for none.
  mutating func match(_ line: LogLine, list start: Int, behind end: Int, _ facts: inout LineFacts) {
    let found: LogMatch?
    if end == 0, let first = facts.firstList {
      (facts.message.shape, found) = (first.shape, first.match)
    } else {
      facts.message.shape = line.shape(end..<start)
      found = rules.match(line.text.extracting(end..<start), facts.message.shape)
    }
    if var match = found {
      match.markEnd += end
      (facts.message.match, facts.message.members, facts.message.isMatchOfMembers) = (
        match, nil, false
      )
      checkWhatFollows(line.text, end..<start, &facts)
    } else {
      if end == 0 { facts.message.match = nil }
      askMembers(line.text, start, &facts)
      if facts.message.match == nil { facts.message.match = facts.outer?.match }
    }
  }

  /// Whether a list stands right behind a mark that says what it is, so that nothing else need be
  /// looked for.
  mutating func hasListBehindMark(_ line: LogLine, _ facts: inout LineFacts) -> Bool {
    guard let start = line.first?.list?.lowerBound ?? ListStart.next(line.text, from: 0)
    else { return false }
    let shape = line.shape(0..<start)
    let match = rules.match(line.text.extracting(0..<start), shape)
    facts.firstList = (start, shape, match)
    guard let match, match.isOfDialect else { return false }
    return (match.markEnd..<start).allSatisfy { line.text.byte(at: $0).isJSONSpace }
  }

  /// What was found, with all that its line says of it.
  ///
  /// - Parameter kind: its kind, with what the line says of it taken into account.
  mutating func candidate(
    _ found: FoundMessage, _ kind: Delivery.Kind, _ line: LogLine, _ facts: inout LineFacts
  ) -> LogCandidate {
    var candidate = LogCandidate(
      recognition: found.recognition, kind: kind, match: facts.message.match,
      shape: facts.message.shape,
      origin: line.origin)
    candidate.height = line.height
    (candidate.length, candidate.certain) = (facts.message.length, facts.message.certain)
    candidate.traits = found.traits
    let start = found.place.lowerBound
    describe(&candidate, line, found.place, &facts)
    candidate.origin.offset += UInt64(start)
    candidate.origin.set(time(of: found.place, on: line, &facts))
    return candidate
  }

  /// Who prints the message in which layer of a program; nil where there are no layers.
  mutating func printer(
    of message: Range<Int>, _ line: LogLine, _ facts: inout LineFacts
  ) -> LogLayers.Printer? {
    guard let match = facts.message.match, match.format.traits.contains(.layered),
      let layer = match.rule?.layer
    else { return nil }
    var candidate = LogCandidate(
      recognition: .none, kind: .text, match: match, shape: facts.message.shape,
      origin: line.origin)
    name(&candidate, line.text, message, &facts)
    findSide(&candidate, match, line, &facts)
    var printer = LogLayers.Printer(
      key: LogLayers.Key(
        format: match.formatIndex, source: candidate.source, end: candidate.end,
        direction: match.direction),
      layer: layer, side: candidate.side)
    if case .octets? = match.rule?.form {
      printer.isHandshake = LoggedOctets.isHead(line.text)
    }
    return printer
  }

  /// The side that writes, as its line or other lines of its source show.
  private mutating func findSide(
    _ candidate: inout LogCandidate, _ match: LogMatch, _ line: LogLine, _ facts: inout LineFacts
  ) {
    if let outer = facts.outer, candidate.source.isEmpty { candidate.source = outer.source }
    let namesEnds = match.format.traits.contains(.namesEnds)
    if facts.names == nil || facts.names!.match.ruleIndex != match.ruleIndex
      || facts.names!.match.formatIndex != match.formatIndex
    {
      let side = RuleFacts.side(match, line.whole)
      facts.names = (match, RuleFacts.session(match.rule, line.text), side)
      if namesEnds && side != .unknown { sides.note(side, match.formatIndex, candidate.source) }
    }
    candidate.side = facts.names!.side
    if !namesEnds { return }
    if candidate.side != .unknown {
      candidate.end = sides.end(candidate.side, match.formatIndex, candidate.source)
    } else if match.format.traits.contains(.showsSideElsewhere) {
      (candidate.side, candidate.end) = sides.elsewhere(
        match.direction, match.formatIndex, candidate.source)
    }
  }

  /// Session, writer and side, as the line has them.
  private mutating func describe(
    _ candidate: inout LogCandidate, _ line: LogLine, _ message: Range<Int>,
    _ facts: inout LineFacts
  ) {
    defer {
      if candidate.writer.isEmpty, let outer = facts.outer { candidate.writer = outer.writer }
    }
    let start = message.lowerBound
    name(&candidate, line.text, message, &facts)
    guard let match = candidate.match else {
      if let outer = facts.outer, candidate.source.isEmpty { candidate.source = outer.source }
      return
    }
    findSide(&candidate, match, line, &facts)
    guard let rule = match.rule else { return }
    candidate.session =
      RuleFacts.session(rule, line.text, markEnd: match.markEnd, start: start)
      ?? facts.names!.session
    if candidate.session == 0 && RuleFacts.isInMember(rule, line.text, markEnd: match.markEnd) {
      candidate.session = session(of: line.text, start, &facts)
    }
    let before = line.text.extracting(0..<start)
    let mark = match.markEnd - rule.mark.utf8CodeUnitCount
    switch rule.writer {
    case .firstWord:
      candidate.writer = RuleFacts.firstWord(before)
      candidate.peer = RuleFacts.peer(line.text, markEnd: match.markEnd)
    case .peer:
      let peer = RuleFacts.peer(line.text, markEnd: match.markEnd)
      candidate.writer = String(decoding: peer.prefix(64), as: Unicode.UTF8.self)
    case .wordBefore: candidate.writer = RuleFacts.word(line.text, before: mark)
    case .secret(let lengths):
      candidate.writer = RuleFacts.secret(line.text, lengths: lengths, before: mark)
      candidate.side = candidate.writer.isEmpty ? .client : .server
    case .secretBehind(let words):
      candidate.writer = RuleFacts.secret(line.text, behind: words, from: start)
    case .process:
      candidate.writer = RuleFacts.process(before) ?? RuleFacts.process(line.above) ?? ""
    case .nobody: break
    }
  }

  /// The rule that a member is the mark of, or what its words say.
  func match(_ direction: LogDirection, _ member: RawSpan) -> LogMatch? {
    if let match = LogMarks.all.find(member, only: only) { return match }
    return rules.takesWords ? LogMatch(words: direction) : nil
  }
}
