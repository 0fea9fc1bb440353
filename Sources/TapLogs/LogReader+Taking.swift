// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What becomes of what the finders have found.
extension LogReader {
  /// Whether what a message needs to be one is there.
  mutating func hasWhatItNeeds(_ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts)
    -> Bool
  {
    if found.needs.isEmpty { return true }
    if found.needs.contains(.mark) && facts.message.match == nil { return false }
    if found.needs.isDisjoint(with: [.conversation, .handshake]) { return true }
    let candidate = candidate(at: found.place, line, &facts)
    return teller.conversations.isKnown(candidate)
      || found.needs.contains(.handshake)
        && teller.conversations.handshakes.subprotocol(LogConversationName(candidate)) != nil
  }

  /// What stands there and is no message by itself.
  mutating func candidate(
    at place: Range<Int>, _ line: LogLine, _ facts: inout LineFacts
  ) -> LogCandidate {
    factReader.candidate(
      FoundMessage(.line(place), Recognition(.possible), .text, place), .text, line, &facts)
  }

  /// A message: knows now what the line says of it.
  mutating func accept(_ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts) {
    switch found.content {
    case .line(let range): accept(line.text.extracting(range), found, line, &facts)
    case .made(let text): accept(text.bytes, found, line, &facts)
    }
  }

  private mutating func accept(
    _ bytes: RawSpan, _ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts
  ) {
    let (start, end) = (found.place.lowerBound, found.place.upperBound)
    tally.hasMessages = true
    if layers.isPrintedElsewhere(facts.message.match) { return markUsed(line) }
    if found.recognition.grade < .likely
      && facts.message.match?.isInPayload(line.text, start) == true
    {
      if !place.choice.isForced { tally.note(otherOn: line.origin.record) }
      return
    }
    if facts.message.begin > 0 && judge.isCopy(bytes, line, start) {
      markUsed(line)
      return tellContext(around: found.place, line, &facts)
    }
    judge.remember(bytes, line, behind: end)
    var kind = found.kind
    if kind == .text {
      // However it was read: where the line says another length, something of it is not there.
      if facts.message.extent != nil && facts.message.length > 0
        && facts.message.length != bytes.byteCount
      {
        kind = .abridged
      }
      if UTF8.firstInvalid(in: bytes) != nil { kind = .brokenText }
    }
    // It stays as it is until it is told: what changes is copied for each call.
    let candidate = factReader.candidate(found, kind, line, &facts)
    let judgement = judge.judge(
      candidate, bytes, behind: line.text.extracting(0..<start), facts.message.begin)
    switch judgement {
    case .denied:
      endSecondPrint()
      sink.finding(
        Finding(
          .logLoss, .warning, candidate.origin,
          "the line says that its message was not sent, so it is left out"))
      return markUsed(line)
    case .echo:
      tally.echoes += 1
      markUsed(line)
      return tellContext(around: found.place, line, &facts)
    case .take: tellContext(around: found.place, line, &facts)
    case .hold, .pass: break
    }
    if waits(candidate, bytes, judgement, line) { return }
    carryOut(candidate, bytes, judgement)
  }

  /// The lines of a message are used.
  private mutating func markUsed(_ line: LogLine) { tally.use(line.origin.record, line.height) }

  /// Whether a message waits for being printed once more.
  private mutating func waits(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement, _ line: LogLine
  ) -> Bool {
    if secondPrint.waiting != nil {
      let isTwice = secondPrint.isSameLine(candidate, bytes, line)
      if isTwice || secondPrint.isSame(candidate, bytes), let (first, _, _) = secondPrint.take() {
        tally.use(first.origin.record)
        if isTwice { tally.echoes += 1 }
      }
      endSecondPrint()
      if isTwice { return false }
    }
    if candidate.match?.form.hasOwnHandler == true && !candidate.origin.time.isKnown {
      secondPrint.wait(candidate, bytes, judgement)
      return true
    }
    // The console of a browser prints an object as it may be unfolded, `(3) [1, "realm1", {…}]`.
    guard candidate.match == nil, tally.hasRepeats || candidate.isCut else { return false }
    secondPrint.wait(candidate, bytes, judgement)
    return true
  }

  /// What waited for being printed once more is told now.
  mutating func endSecondPrint() {
    if let (waiting, held, judgement) = secondPrint.take() {
      carryOut(waiting, held.span.bytes, judgement)
    }
    passContext()
  }

  /// What was judged is done.
  private mutating func carryOut(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement
  ) {
    switch judgement {
    case .take:
      for (released, held) in judge.take(candidate) {
        teller.tell(released, held.span.bytes, &factReader.clock, &tally, sink)
        tally.use(released.origin.record, released.height)
      }
      teller.tell(candidate, bytes, &factReader.clock, &tally, sink)
      tally.use(candidate.origin.record, candidate.height)
    case .hold: judge.hold(candidate, bytes)
    case .pass, .echo, .denied: break
    }
  }

  /// What stands behind a mark that says in what form.
  mutating func handle(
    _ found: FoundLine, behind start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> LineOutcome {
    switch found {
    case .other: return .other
    case .nothing: return .noMessage
    case .message(let found):
      switch facts.message.match?.row?.form {
      case .structure?, .bareStructure?: tally.hasUnquoted = true
      default: break
      }
      accept(found, line, &facts)
    case .incomplete(let found):
      accept(found, line, &facts)
      tellGap(at: found.place.lowerBound, line, &facts)
    case .unread(let start):
      // Its message comes ahead of its bytes.
      endSecondPrint()
      tally.hasMessages = true
      markUsed(line)
      tally.unread += 1
      tellContext(line.text, line.origin)
      facts.told = line.text.byteCount
      tellGap(at: start, line, &facts)
    case .frame(let frame): return handle(frame, at: start, line, &facts)
    case .octets(let octets):
      return LineOutcome(isMessage: accept(message: octets, at: start, line, &facts))
    case .stream(let octets, let at):
      if layers.isPrintedElsewhere(facts.message.match) {
        markUsed(line)
        return .noMessage
      }
      let candidate = candidate(at: start..<line.text.byteCount, line, &facts)
      tellContext(around: at..<at, line, &facts)
      tally.hasMessages = true
      markUsed(line)
      teller.tell(stream: octets.bytes, candidate, &factReader.clock, &tally, sink)
    case .subprotocols:
      let candidate = candidate(at: start..<line.text.byteCount, line, &facts)
      teller.conversations.handshakes.note(
        subprotocol: LogNames.peer(line.text, markEnd: start), candidate)
      return .noMessage
    // Those in the strings of a record have been noted.
    case .request where PrintedText.mayBegin(line.text),
      .ended where PrintedText.mayBegin(line.text):
      return .noMessage
    // Behind a list, these are words of its message.
    case .request where ListStart.next(line.text.extracting(0..<start), from: 0) != nil,
      .ended where ListStart.next(line.text.extracting(0..<start), from: 0) != nil:
      return .other
    case .request:
      teller.conversations.noteRequest(candidate(at: start..<start, line, &facts), sink)
      return .noMessage
    case .ended:
      teller.conversations.handshakes.end(candidate(at: start..<start, line, &facts))
      return .noMessage
    case .loss:
      tellLoss(line, start, &facts)
      return .noMessage
    }
    return .message
  }

  /// A frame of WebSocket: one of a stream, the end of a conversation, or of a message.
  private mutating func handle(
    _ frame: LoggedFrame, at start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> LineOutcome {
    markUsed(line)
    if layers.isPrintedElsewhere(facts.message.match) { return .noMessage }
    let end = facts.records.isInBrace(line.text, start) ? start : line.text.byteCount
    let candidate = candidate(at: start..<end, line, &facts)
    if frame.reserved & 4 != 0 || teller.conversations.isStream(candidate) {
      // Compressed, and what it says depends on the frames before it.
      tellContext(around: start..<start, line, &facts)
      let octets = frame.octets(isMasked: !frame.mask.isEmpty)
      tally.hasMessages = true
      teller.tell(stream: octets.bytes, candidate, &factReader.clock, &tally, sink)
      return .message
    }
    if !frame.isData {
      tellContext(around: start..<start, line, &facts)
      tally.hasMessages = true
      teller.tell(control: frame, candidate, &factReader.clock, sink)
      return .message
    }
    let writer = "\(candidate.source) \(candidate.writer)"
    let name = "\(facts.message.match?.format ?? 0) \(facts.message.match?.way == .sent) \(writer)"
    guard let whole = fragments.add(frame, name) else { return .noMessage }
    return LineOutcome(isMessage: accept(message: whole, at: start, line, &facts))
  }

  /// Something of the conversation is not there.
  private mutating func tellGap(at start: Int, _ line: LogLine, _ facts: inout LineFacts) {
    _ = teller.tellGap(candidate(at: start..<line.text.byteCount, line, &facts), sink)
  }

  /// The message of a frame that is whole, unless the logger left out some of it.
  ///
  /// - Returns: whether it is one.
  mutating func accept(
    message frame: LoggedFrame, at start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> Bool {
    // In a record, the line may say more of it behind its string.
    let end = facts.records.isInBrace(line.text, start) ? start : line.text.byteCount
    let found = frame.message(start..<end, recogniser)
    if !hasWhatItNeeds(found, line, &facts) { return false }
    if found.kind == .withheld {
      facts.message.length = frame.length < .max ? frame.length : 0
      facts.message.certain = frame.payload.count
    }
    accept(found, line, &facts)
    return true
  }
}
