// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads lines that may hold messages: finds each message on a line, makes JSON of it, and tells it
/// with its time, its direction and its conversation.
struct LogReader {
  var place: Place { didSet { teller.place = place } }
  let limits: Limits
  let recogniser: any TextRecogniser
  /// Finds messages on lines.
  var finder: CandidateFinder
  /// What lines say of their messages.
  var factReader: FactReader
  var narration: LogNarration
  /// One of its readers knows the program.
  var isNarrated = false
  /// Decides what becomes of them.
  var judge: LogJudge
  /// Tells those that were taken.
  var teller: LogTeller
  var tally = LogTally()
  var fragments: LogFragments
  /// Lines that what is read consists of.
  var height: UInt64 = 1
  /// Bytes of what is read that have been told: as a message, or as what stands around one.
  var told = 0
  /// What stands around messages that are not told yet.
  var waitingContext = LogContext()
  /// Lines of formats of which it is not known yet which layer tells their messages.
  var undecided: [LogLayers.Line] = []
  /// A message without a direction that the next line may print once more.
  var repeated: (candidate: LogCandidate, bytes: [UInt8], judgement: LogJudge.Judgement)?

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits, recogniser) = (place, limits, place.choice.recogniser())
    narration = LogNarration(recogniser.narratedLogs(), limits: limits)
    finder = CandidateFinder(recogniser, limits, isForced: place.choice.isForced)
    factReader = FactReader(only: place.choice.logFormat)
    judge = LogJudge(isForced: place.choice.isForced || place.choice.isPasted)
    teller = LogTeller(place, limits)
    fragments = LogFragments(mostBytes: limits.messageBytes)
  }

  /// One line, or several that belong together.
  ///
  /// - Parameter mayBeContext: it is told as context if it is no message.
  /// - Returns: whether it has a message, or waits until that is known.
  @discardableResult
  mutating func read(
    _ line: LogLine, mayBeContext: Bool = true, _ sink: any EvidenceSink
  ) -> Bool {
    if readWhole(line, sink) { return true }
    if line.hasAnchor && tellUnread(line, sink) { return true }
    if mayBeContext { context(line: line.text, line.origin, sink) }
    return false
  }

  /// Reads a line as it stands, then as what it may have been before something printed it.
  private mutating func readWhole(_ line: LogLine, _ sink: any EvidenceSink) -> Bool {
    // What a program printed is whole in the string of a record; around it, its escapes are not
    // undone.
    if line.hasAnchor && Self.mayHoldStrings(line.text) && readStrings(line, sink) { return true }
    if readAll(line, sink) { return true }
    if ANSI.isNoted(line.text) {
      let text = ANSI.withoutNoted(line.text)
      if readAll(line.standingFor(text.bytes), sink) { return true }
    }
    if let text = PrintedOctets.undone(line.text), readAll(line.standingFor(text.bytes), sink) {
      return true
    }
    let mayHoldMore =
      line.hasAnchor || LogFormats.hasFrame(line.text)
      || LogMarks.last(" bytes]", in: line.text) != nil
      || PacketStart.next(line.text, from: 0) != nil
    return mayHoldMore && readStrings(line, sink)
  }

  /// All messages of a line, or of a text on it.
  ///
  /// - Returns: whether there is any.
  mutating func readAll(
    _ line: LogLine, of time: LogMoment? = nil, _ sink: any EvidenceSink
  ) -> Bool {
    var facts = LogFacts(of: line)
    facts.time = time
    factReader.clock.begin()
    let mayBeNamed =
      (line.hasAnchor || LogFormats.hasFrame(line.text)) && !hasListBehindMark(line.text, &facts)
    var outcome = mayBeNamed ? readNamed(line, &facts, sink) : .other
    if outcome == .other { outcome = readTexts(line, &facts, sink) }
    if outcome == .other && readMessages(line, &facts, sink) { outcome = .message }
    if outcome == .message && place.choice.keepsContext { context(behind: line.text, facts, sink) }
    told = 0
    return outcome == .message
  }

  private mutating func readMessages(
    _ line: LogLine, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    if LogFormats.isAboveCopy(line.above) { return false }
    var hasMessage = false
    var at = 0
    // A list that is no message leaves what stands before it to the one behind it.
    var begin = 0
    while let start = (at == 0 ? facts.first?.start ?? facts.list?.lowerBound : nil)
      ?? ListStart.next(line.text, from: at)
      ?? (at == 0 && facts.hasAnchor ? self.start(behindMarkOf: line.text) : nil)
    {
      // A list in the bytes of a message is of its payload.
      if at == 0 && CandidateFinder.isInBytes(line.text, start) && readBytes(line, &facts, sink) {
        return true
      }
      let found: LogMatch?
      if at == 0, let first = facts.first {
        (facts.skeleton, found) = (first.skeleton, first.match)
      } else {
        let prefix = line.text.extracting(at..<start)
        facts.skeleton = facts.skeleton(line.text, at..<start)
        found = factReader.rules.match(prefix, facts.skeleton)
      }
      if var match = found {
        match.markEnd += at
        (facts.match, facts.around, facts.isToldByMembers) = (match, nil, false)
      } else {
        if at == 0 { facts.match = nil }
        factReader.askMembers(line.text, start, &facts)
      }
      if case .ignored? = facts.match?.row?.form { return hasMessage }
      facts.begin = begin
      facts.isExpected = judge.knows(facts.skeleton)
      switch finder.find(line, start, &facts) {
      case .none(let end, let isOther):
        at = end
        if isOther {
          tally.note(otherOn: facts.origin.record)
          judge.note(strange: facts.skeleton)
        }
      case .one(var found, let end):
        (at, begin, hasMessage) = (end, end, true)
        take(found, line, &facts, sink)
        finder.giveBack(&found)
      case .several(let all, let end):
        (at, begin, hasMessage) = (end, end, true)
        for found in all { take(found, line, &facts, sink) }
      }
    }
    return at == 0 ? readBytes(line, &facts, sink) : hasMessage
  }

  /// A message: knows now what the line says of it.
  mutating func take(
    _ found: FoundMessage, _ line: LogLine, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) {
    switch found.content {
    case .line(let range): take(line.text.extracting(range), found, line, &facts, sink)
    case .made(let text): take(text.bytes, found, line, &facts, sink)
    }
  }

  private mutating func take(
    _ bytes: RawSpan, _ found: FoundMessage, _ line: LogLine, _ facts: inout LogFacts,
    _ sink: any EvidenceSink
  ) {
    let (start, end) = (found.place.lowerBound, found.place.upperBound)
    tally.hasMessages = true
    if isPrintedElsewhere(facts) { return tally.use(facts.origin.record, height) }
    if found.recognition.grade < .likely && isInPayload(line.text, start, facts) {
      if !place.choice.isForced { tally.note(otherOn: facts.origin.record) }
      return
    }
    if facts.begin > 0 && judge.isCopy(bytes, line.text, start, facts) {
      tally.use(facts.origin.record, height)
      return context(around: found.place, line.text, facts, sink)
    }
    judge.remember(bytes, line.text, end, facts)
    var kind = found.kind
    if kind == .text {
      // However it was read: where the line says another length, something of it is not there.
      if facts.isMeasured && facts.length > 0 && facts.length != bytes.byteCount {
        kind = .abridged
      }
      if UTF8.firstInvalid(in: bytes) != nil { kind = .brokenText }
    }
    // It stays as it is until it is told: what changes is copied for each call.
    let candidate = factReader.candidate(found, kind, line, &facts)
    let judgement = judge.judge(
      candidate, bytes, behind: line.text.extracting(0..<start), facts.begin)
    switch judgement {
    case .denied:
      endRepeated(sink)
      sink.finding(
        Finding(
          .logLoss, .warning, candidate.origin,
          "the line says that its message was not sent, so it is left out"))
      return tally.use(candidate.origin.record, height)
    case .echo:
      tally.echoes += 1
      tally.use(candidate.origin.record, height)
      return context(around: found.place, line.text, facts, sink)
    case .take: context(around: found.place, line.text, facts, sink)
    case .hold, .pass: break
    }
    if isRepetition(candidate, bytes, judgement, sink) { return }
    settle(candidate, bytes, judgement, sink)
  }

  /// What was judged is done.
  mutating func settle(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement,
    _ sink: any EvidenceSink
  ) {
    switch judgement {
    case .take:
      tell(candidate, bytes, sink)
      tally.use(candidate.origin.record, height)
    case .hold: judge.hold(candidate, bytes)
    case .pass, .echo, .denied: break
    }
  }

  private mutating func tell(_ candidate: LogCandidate, _ bytes: RawSpan, _ sink: any EvidenceSink)
  {
    for (released, held) in judge.take(candidate) {
      teller.tell(released, held.span.bytes, &factReader.clock, &tally, sink)
      tally.use(released.origin.record)
    }
    teller.tell(candidate, bytes, &factReader.clock, &tally, sink)
  }

  /// No more lines come.
  mutating func finish(_ sink: any EvidenceSink) {
    decide(sink)
    endRepeated(sink)
    teller.endOrder(&factReader.clock, &tally, sink)
    settleNarrated(sink)
    tally.narrated = narration.counts
    tally.untaken = judge.untaken
    sink.recognised(tally.verdict(factReader.clock), place.origin(0))
    if place.choice.isPasted { return }
    sink.count(.line, Int(tally.lines))
    sink.count(.linePassedOver, Int(tally.passedOver))
  }
}
