// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Takes messages that the finders have found: reads what the line says of each (`FactReader`), has
/// it judged (`LogJudge`), holds it while another line may print it again, and has it reported
/// (`LogReporter`), with the text around it (`LogContext`).
struct LogTaker {
  private let recogniser: any TextRecogniser
  private let isForced: Bool
  /// What lines say of their messages.
  var factReader: FactReader
  /// Decide what becomes of them.
  var judge: LogJudge
  var layers = LogLayers()
  private(set) var secondPrint = LogSecondPrint()
  private(set) var libraryPrints = LogLibraryPrints()
  private(set) var turns = LogTurns()
  /// Report those that were taken, and what stands around them.
  var reporter: LogReporter
  var context: LogContext
  /// Bytes of context that may wait with messages.
  private let mostContext: Int

  init(
    _ place: Place, _ limits: Limits, _ recogniser: any TextRecogniser, _ layouts: FieldLayouts,
    _ sink: any EvidenceSink
  ) {
    let choice = place.choice
    (self.recogniser, isForced) = (recogniser, choice.isForced)
    factReader = FactReader(layouts, only: choice.logFormat)
    judge = LogJudge(isForced: choice.isForced || choice.isPasted, layouts)
    reporter = LogReporter(place, limits, sink)
    context = LogContext(isWanted: choice.keepsContext)
    mostContext = limits.contextBytes
  }

  /// Whether too many bytes of context wait.
  var isContextFull: Bool { context.octets > mostContext }

  /// Whether a message has what it needs to count as one: a mark, a conversation or a handshake.
  mutating func hasWhatItNeeds(_ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts)
    -> Bool
  {
    if found.needs.isEmpty { return true }
    if found.needs.contains(.mark) && facts.message.match == nil { return false }
    if found.needs.isDisjoint(with: [.conversation, .handshake]) { return true }
    let candidate = candidate(at: found.place, line, &facts)
    if isBegun(candidate, found.needs) { return true }
    let isText = found.kind == .text || found.kind == .abridged
    if isText && libraryPrints.hasBegun(candidate.match) { return true }
    // A message that waits may have begun the conversation, unless it is this one, printed twice.
    if !secondPrint.isSame(found.content, line.text) { endSecondPrint() }
    endLibraryPrints()
    endTurns()
    return isBegun(candidate, found.needs)
  }

  private func isBegun(_ candidate: LogCandidate, _ needs: FoundMessage.Needs) -> Bool {
    reporter.conversations.isKnown(candidate)
      || needs.contains(.handshake)
        && reporter.conversations.handshakes.subprotocol(LogConversationName(candidate)) != nil
  }

  /// What the line says of words on it that are no message by themselves: their conversation.
  mutating func candidate(
    at place: Range<Int>, _ line: LogLine, _ facts: inout LineFacts
  ) -> LogCandidate {
    factReader.candidate(
      FoundMessage(.line(place), Recognition(.possible), .text, place), .text, line, &facts)
  }

  /// Whether the handshake has chosen a subprotocol that has no message with this beginning:
  /// `[4,"f694cdbc-…","Inte…"]` of OCPP looks like one of WAMP.
  private mutating func isOfOthers(
    _ bytes: RawSpan, _ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts
  ) -> Bool {
    let name = LogConversationName(candidate(at: found.place, line, &facts))
    guard let chosen = reporter.conversations.handshakes.subprotocol(name), !chosen.isEmpty else {
      return false
    }
    return recogniser.recognise(bytes, found.kind, subprotocol: chosen).grade == .none
  }

  /// Takes a message that was found: asks its line, has it judged, and does what that says.
  mutating func accept(
    _ bytes: RawSpan, _ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts
  ) {
    var found = found
    if found.kind == .abridged && found.recognition.isCounted
      && isOfOthers(bytes, found, line, &facts)
    {
      found.recognition = Recognition(.possible)
    }
    let (start, end) = (found.place.lowerBound, found.place.upperBound)
    reporter.tally.hasMessages = true
    if isPrintedElsewhere(found.place, line, &facts) { return markUsed(line) }
    if found.recognition.grade < .likely && !facts.message.isOfBatch
      && facts.message.match?.isInPayload(line.text, start) == true
    {
      if !isForced { reporter.tally.note(otherOn: line.origin.record) }
      return
    }
    if facts.message.begin > 0 && judge.isCopy(bytes, line, found.place) {
      markUsed(line)
      return reportContext(around: found.place, line, &facts)
    }
    judge.remember(bytes, line, behind: end)
    let kind = facts.message.kind(of: bytes, as: found.kind)
    // Not a `var`: a candidate that can change is copied for each call.
    let candidate = factReader.candidate(found, kind, line, &facts)
    let judgement =
      libraryPrints.isEcho(candidate, bytes)
      ? .echo
      : judge.judge(
        candidate, bytes, behind: line.text.extracting(0..<start), from: facts.message.begin)
    switch judgement {
    case .denied:
      endSecondPrint()
      reporter.sink.finding(
        .logLoss, .warning, candidate.origin,
        "the line says that its message was not sent, so it is left out")
      return markUsed(line)
    case .echo:
      reporter.tally.echoes += 1
      markUsed(line)
      return reportContext(around: found.place, line, &facts)
    case .take: reportContext(around: found.place, line, &facts)
    case .hold:
      let offset = candidate.origin.offset
      context.hold(offset..<offset + UInt64(found.place.count))
    case .pass: break
    }
    // It may be printed once more.
    if !keepsForSecondPrint(candidate, bytes, judgement, line) { pass(candidate, bytes, judgement) }
  }

  /// Whether a higher layer of the program prints the same message.
  mutating func isPrintedElsewhere(
    _ place: Range<Int>, _ line: LogLine, _ facts: inout LineFacts
  ) -> Bool {
    guard let rule = facts.message.match?.rule, rule.layer > 0,
      let printer = factReader.printer(of: place, line, &facts)
    else { return false }
    return layers.isPrintedElsewhere(printer)
  }

  /// Whether a message that is taken now was sent after one whose line waits.
  mutating func overtakes(
    _ place: Range<Int>, _ line: LogLine, _ facts: inout LineFacts
  ) -> Bool {
    guard let printer = factReader.printer(of: place, line, &facts) else { return true }
    return !layers.isPrintedElsewhere(printer)
      && layers.waiting.contains { $0.printer.key != printer.key }
  }

  /// Keeps a line until it is known whether a higher layer of the program prints its message;
  /// answers false for one that need not wait.
  mutating func keepsForLayer(_ place: Range<Int>, _ line: LogLine, _ facts: inout LineFacts)
    -> Bool
  {
    guard let rule = facts.message.match?.rule, rule.layer > 1,
      let printer = factReader.printer(of: place, line, &facts)
    else { return false }
    facts.names?.side = printer.side
    return layers.keep(line, printer, facts)
  }

  /// Carries out the judgement, or holds the message until the print of a library or of the program
  /// above it comes.
  private mutating func pass(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement
  ) {
    if !libraryPrints.holds(candidate) { return carryOut(candidate, bytes, judgement) }
    let (twice, reported) = libraryPrints.take(candidate, bytes, judgement)
    carryOut(reported)
    if let twice {
      reporter.tally.echoes += 1
      reporter.tally.use(line: twice.origin.record, height: twice.height)
    }
  }

  /// Counts the lines of a message as used.
  mutating func markUsed(_ line: LogLine) {
    reporter.tally.use(line: line.origin.record, height: line.height)
  }

  /// Whether a message waits for being printed once more.
  private mutating func keepsForSecondPrint(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement, _ line: LogLine
  ) -> Bool {
    if secondPrint.waiting != nil {
      let isTwice = secondPrint.isSameLine(candidate, bytes, line)
      if isTwice || secondPrint.isSame(candidate, bytes), let (first, _, _) = secondPrint.take() {
        reporter.tally.use(line: first.origin.record)
        if isTwice { reporter.tally.echoes += 1 }
      }
      endSecondPrint()
      if isTwice { return false }
    }
    let isOfTwoHandlers =
      candidate.match?.format.traits.contains(.ownHandler) == true && !candidate.origin.time.isKnown
    // A browser's console prints an object folded, `(3) [1, "realm1", {…}]`, and perhaps unfolded
    // below.
    let mayBeUnfolded = candidate.match == nil && (reporter.tally.hasRepeats || candidate.isCut)
    guard isOfTwoHandlers || mayBeUnfolded else { return false }
    secondPrint.wait(candidate, bytes, judgement)
    return true
  }

  /// Bytes of a stream that a line has.
  ///
  /// - Parameter missing: bytes behind them that are not printed.
  mutating func report(stream octets: RawSpan, missing: Int = 0, _ candidate: LogCandidate) {
    endTurns()
    if hasAllReported { context.pass(before: candidate.origin.offset, reporter.sink) }
    reporter.report(stream: octets, missing: missing, candidate, factReader.clock.caveats)
  }

  /// A control frame that a line has.
  mutating func report(control frame: LoggedFrame, _ candidate: LogCandidate) {
    reporter.report(control: frame, candidate, factReader.clock.caveats)
  }

  /// Reports that something of the conversation is missing.
  ///
  /// - Returns: where that is reported.
  @discardableResult
  mutating func reportGap(at start: Int, _ line: LogLine, _ facts: inout LineFacts) -> Origin {
    endTurns()
    return reporter.reportGap(candidate(at: start..<line.text.byteCount, line, &facts))
  }

  /// A handshake begins: what waits is of the connection before.
  mutating func noteRequest(at start: Int, _ line: LogLine, _ facts: inout LineFacts) {
    endPrints()
    libraryPrints.expect(facts.message.match)
    reporter.conversations.noteRequest(candidate(at: start..<start, line, &facts), reporter.sink)
  }

  /// A connection has ended.
  mutating func noteEnd(at start: Int, _ line: LogLine, _ facts: inout LineFacts) {
    endPrints()
    reporter.conversations.handshakes.end(candidate(at: start..<start, line, &facts))
  }

  /// Passes on what waits for another print, and the context of what is undecided.
  mutating func endPrints() {
    endSecondPrint()
    endLibraryPrints()
    endTurns()
    endContext()
  }

  /// Passes on what was kept because the newest line came first.
  mutating func endOrder() { reporter.endOrder(factReader.clock.caveats) }

  /// Passes on what waited to be printed once more.
  mutating func endSecondPrint() {
    if let (waiting, held, judgement) = secondPrint.take() {
      pass(waiting, held.span.bytes, judgement)
    }
    passContext()
  }

  /// Passes on what waits for the print of a program.
  mutating func endLibraryPrints() { carryOut(libraryPrints.takeAll()) }

  /// Messages that have waited, with what stands before them.
  private mutating func carryOut(_ messages: [LogLibraryPrints.Message]) {
    for (candidate, held, judgement) in messages {
      carryOut(candidate, held.span.bytes, judgement)
    }
    passContext()
  }

  /// Carries out a judgement.
  private mutating func carryOut(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement
  ) {
    switch judgement {
    case .take:
      let turn = turns.begin()
      for released in judge.score.take(candidate) { turns.add(released: released) }
      let waiting = judge.score.earliest(from: turns.first)
      if turns.isEmpty && waiting == nil { return report(candidate, bytes) }
      turns.add((candidate, bytes.copied(), turn))
      report(turns.take(before: waiting))
    case .hold: judge.score.hold(candidate, bytes, at: turns.begin())
    case .pass, .echo, .denied: break
    }
  }

  /// Passes on the messages that wait for what stands above them.
  mutating func endTurns() {
    if turns.isEmpty { return }
    report(turns.takeAll())
    passContext()
  }

  private mutating func report(_ messages: [LogTurns.Message]) {
    for (candidate, bytes, _) in messages { report(candidate, bytes.span.bytes) }
  }

  private mutating func report(_ candidate: LogCandidate, _ bytes: RawSpan) {
    context.pass(before: candidate.origin.offset, reporter.sink)
    reporter.report(candidate, bytes, factReader.clock.caveats)
    reporter.tally.use(line: candidate.origin.record, height: candidate.height)
  }

  // MARK: - Context

  /// A line, or several, without a message.
  mutating func reportContext(_ line: RawSpan, _ origin: Origin) {
    guard context.isWanted else { return }
    var origin = origin
    // A copy of the clock: the time of a line without a message must not change those of messages.
    var clock = factReader.clock
    origin.set(clock.above(line, number: origin.record))
    reportContext(each: line, origin)
  }

  /// Reports what stands on a line before a message.
  ///
  /// - Parameter message: where it stands; an empty range stands for the rest of the line.
  mutating func reportContext(around message: Range<Int>, _ line: LogLine, _ facts: inout LineFacts)
  {
    guard context.isWanted else { return }
    reportContext(line, to: message.lowerBound, facts)
    facts.reported = message.isEmpty ? line.text.byteCount : max(facts.reported, message.upperBound)
  }

  /// Reports what stands on a line behind its last message.
  mutating func reportContext(behind line: LogLine, _ facts: inout LineFacts) {
    guard context.isWanted else { return }
    facts.reported = LogContext.start(behind: facts.reported, line.text)
    reportContext(line, to: line.text.byteCount, facts)
  }

  private mutating func reportContext(_ line: LogLine, to end: Int, _ facts: LineFacts) {
    guard let range = LogContext.range(line.text, facts.reported, to: end) else { return }
    var origin = line.origin
    origin.offset += UInt64(range.lowerBound)
    origin.set(facts.message.moment)
    reportContext(each: line.text.extracting(range), origin)
  }

  private mutating func reportContext(each lines: RawSpan, _ origin: Origin) {
    if let first = secondPrint.waiting?.candidate.origin.record, origin.record > first + 1 {
      endSecondPrint()
    }
    context.report(lines, origin, factReader.clock, waits: !isAllDecided, reporter.sink)
  }

  /// Whether no message waits for another print, for what stands above it, or until its layer is
  /// known.
  private var hasAllReported: Bool {
    layers.waiting.isEmpty && secondPrint.waiting == nil && libraryPrints.waiting == nil
      && turns.isEmpty
  }

  private var isAllDecided: Bool { hasAllReported && context.firstUndecided == nil }

  /// Reports the context that waited, once no message waits any more.
  mutating func passContext() {
    if isAllDecided { context.pass(reporter.sink) }
  }

  /// The same without waiting for lists that may be messages.
  mutating func endContext() {
    context.giveUp()
    passContext()
  }
}
