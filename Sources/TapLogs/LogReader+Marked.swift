// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines with a mark: words of a known program that say in what form a message follows.
extension LogReader {
  /// Reads what stands behind a mark, in the form that the mark announces.
  mutating func readMarked(_ line: LogLine, _ facts: inout LineFacts) -> LineOutcome {
    guard let (match, start) = marked.named.find(line.text) else {
      return .other
    }
    facts.message.match = match
    facts.message.shape = LogRules.shape(line.text.extracting(0..<start))
    if taker.keepsForLayer(start..<line.text.byteCount, line, &facts) {
      facts.reported = line.text.byteCount
      if taker.layers.isFull { decideLayers() }
      return .message
    }
    return take(marked.find(line.text, start, &facts), behind: start, line, &facts)
  }

  /// Takes what the finder has found there.
  private mutating func take(
    _ found: FoundLine, behind start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> LineOutcome {
    switch found {
    case .other: return .other
    case .nothing: return .noMessage
    case .aside:
      _ = taker.candidate(at: start..<line.text.byteCount, line, &facts)
      return .noMessage
    case .message(let found):
      switch facts.message.match?.rule?.form {
      case .structure?, .bareStructure?: taker.reporter.tally.hasUnquoted = true
      default: break
      }
      accept(found, line, &facts)
    case .incomplete(let found):
      accept(found, line, &facts)
      taker.reportGap(at: found.place.lowerBound, line, &facts)
    case .unread(let start):
      if taker.isPrintedElsewhere(start..<start, line, &facts) {
        taker.markUsed(line)
        return .noMessage
      }
      count(unread: start, line, &facts)
    case .frame(let frame): return take(frame, at: start, line, &facts)
    case .cut(let octets):
      if !accept(frame: octets, at: start, line, &facts) { count(unread: start, line, &facts) }
    case .stream(let octets, let at, let missing):
      if taker.isPrintedElsewhere(at..<at, line, &facts) {
        taker.markUsed(line)
        return .noMessage
      }
      decideWhatWasOvertaken(by: at..<at, line, &facts)
      let candidate = taker.candidate(at: start..<line.text.byteCount, line, &facts)
      taker.reportContext(around: at..<at, line, &facts)
      decideWhenFull()
      taker.markUsed(line)
      taker.report(stream: octets.bytes, missing: missing, candidate)
    case .dots:
      reportDots(line, &facts)
      return .noMessage
    case .subprotocols, .request, .ended: return note(handshake: found, start, line, &facts)
    case .loss:
      reportLoss(line, start, &facts)
      return .noMessage
    }
    return .message
  }

  /// Counts a message of which the program prints too little to be read.
  ///
  /// - Parameter start: where it stands.
  /// - Returns: true, as there is one.
  @discardableResult
  private mutating func count(
    unread start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> Bool {
    // It may stand for bytes that belong to the message that waits: that is reported first.
    taker.endPrints()
    taker.reporter.tally.hasMessages = true
    taker.markUsed(line)
    taker.reporter.tally.unread += 1
    // A message that waits for it is shown above it.
    taker.reportGap(at: start, line, &facts)
    reportContext(line.text, line.origin)
    facts.reported = line.text.byteCount
    return true
  }

  /// A line of a handshake, or one that says that a connection has ended.
  private mutating func note(
    handshake found: FoundLine, _ start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> LineOutcome {
    if case .subprotocols = found {
      let candidate = taker.candidate(at: start..<line.text.byteCount, line, &facts)
      taker.reporter.conversations.handshakes.note(
        subprotocol: Array(RuleFacts.peer(line.text, markEnd: start).prefix { $0 != .quote }),
        candidate)
      return .noMessage
    }
    // In a string of a record, it was noted when that string was read.
    if PrintedText.mayBegin(line.text) { return .noMessage }
    // Behind a list, these are words of its message.
    if ListStart.next(line.text.extracting(0..<start), from: 0) != nil { return .other }
    if case .ended = found {
      taker.noteEnd(at: start, line, &facts)
    } else if facts.message.match?.format.traits.contains(.ownHandler) != true
      || !line.repeatsAbove
    {
      // Not the same line once more, printed by another handler.
      taker.noteRequest(at: start, line, &facts)
    }
    return .noMessage
  }

  /// A WebSocket frame: a piece of a stream, a control frame such as CLOSE, or all or part of a
  /// message.
  private mutating func take(
    _ frame: LoggedFrame, at start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> LineOutcome {
    // If the message waits, its line is counted as used when the message is reported.
    let mayWait = facts.message.match.map {
      $0.format.traits.contains(.ownHandler) || LogFormats.isLibrary($0.formatIndex)
    }
    if mayWait != true || !frame.isData || !frame.isFinal { taker.markUsed(line) }
    if taker.isPrintedElsewhere(start..<line.text.byteCount, line, &facts) { return .noMessage }
    // Two handlers may print the same line. Whole messages are compared later; any other frame that
    // repeats the line above is dropped here.
    if facts.message.match?.format.traits.contains(.ownHandler) == true && line.repeatsAbove
      && !(frame.isData && frame.isFinal)
    {
      taker.markUsed(line)
      // Read in another way, a record would have it with its escapes.
      taker.reportContext(around: start..<start, line, &facts)
      return .message
    }
    let end = facts.records.isInBrace(line.text, start) ? start : line.text.byteCount
    let candidate = taker.candidate(at: start..<end, line, &facts)
    if frame.reserved & 4 != 0 || taker.reporter.conversations.isStream(candidate) {
      // Compressed (RSV1): it may refer to the frames before it, so it goes into the stream.
      decideWhatWasOvertaken(by: start..<end, line, &facts)
      taker.reportContext(around: start..<start, line, &facts)
      decideWhenFull()
      let octets = frame.octets()
      taker.report(stream: octets.bytes, candidate)
      return .message
    }
    if !frame.isData {
      taker.endPrints()
      taker.reportContext(around: start..<start, line, &facts)
      decideWhenFull()
      taker.report(control: frame, candidate)
      return .message
    }
    let writer = "\(candidate.source) \(candidate.writer)"
    let match = facts.message.match
    let name = "\(match?.formatIndex ?? 0) \(match?.direction == .sent) \(writer)"
    guard let whole = fragments.add(frame, name) else {
      if frame.isFinal { return .noMessage }
      // It waits for the rest. Read in another way, the line must not add it once more.
      taker.reportContext(around: start..<start, line, &facts)
      return .message
    }
    return LineOutcome(isMessage: accept(frame: whole, at: start, line, &facts))
  }

  /// The message of a frame that is whole, unless the logger left out some of it.
  ///
  /// - Returns: whether it is one.
  mutating func accept(
    frame: LoggedFrame, at start: Int, _ line: LogLine, _ facts: inout LineFacts
  ) -> Bool {
    // In a record, members behind the string may say more of the message.
    let end = facts.records.isInBrace(line.text, start) ? start : line.text.byteCount
    var found = frame.message(start..<end, recogniser, takesSentJSON: leads.takesSentJSON)
    if !found.needs.isEmpty, let sent = frame.sentJSON(start..<end, recogniser, limits) {
      found = sent
    }
    if !taker.hasWhatItNeeds(found, line, &facts) {
      guard mayBegin(&found, facts) else { return false }
    }
    if frame.isCut { facts.message.length = frame.length < .max ? frame.length : 0 }
    if found.kind == .withheld { facts.message.certain = frame.payload.count }
    accept(found, line, &facts)
    return true
  }

  /// Whether a frame that shows nothing of its protocol may begin a conversation: then it waits for
  /// a message that shows it. Of one that is cut, nothing can be read before.
  mutating func mayBegin(_ found: inout FoundMessage, _ facts: LineFacts) -> Bool {
    if found.kind == .abridged { taker.reporter.tally.unread += 1 }
    guard found.needs == .conversation, found.kind != .abridged,
      let match = facts.message.match, match.isOfFrame, !taker.libraryPrints.isBelowProgram(match)
    else { return false }
    found.traits.insert(.unproven)
    return true
  }

  /// Reads a line for what `LogRareNotations` finds; the line was reported as context already.
  ///
  /// - Returns: whether there is something on it.
  mutating func readRare(_ line: RawSpan, _ origin: Origin) -> Bool {
    let whole = LogLine(
      line, above: line.extracting(0..<0), origin, anchors: .program, reported: line.byteCount)
    var facts = LineFacts(of: whole)
    if let (match, _) = marked.named.find(line) {
      if match.format.rareAnchors.isEmpty { return false }
      let outcome = readMarked(whole, &facts)
      if outcome == .noMessage { taker.reporter.tally.unread += 1 }
      return outcome != .other
    }
    guard taker.factReader.rules.takesWords, let start = LogRareNotations.length(line) else {
      return false
    }
    taker.factReader.match(line, 0..<start, &facts)
    if facts.message.match == nil { taker.factReader.askMembers(line, start, &facts) }
    if facts.message.match == nil { return false }
    taker.reporter.tally.unread += 1
    return true
  }

  /// The program prints what was sent as text, from which bytes cannot be told: said once.
  private mutating func reportDots(_ line: LogLine, _ facts: inout LineFacts) {
    guard taker.reporter.tally.dots == nil, let title = facts.message.match?.format.title else {
      return
    }
    taker.reporter.tally.dots = title
    var origin = line.origin
    origin.set(taker.factReader.time(of: 0..<0, on: line, &facts))
    sink.finding(
      .logUnread, .warning, origin,
      "\(title) prints a dot for each byte that is no printable ASCII, so nothing of such text is"
        + " read: use --trace in place of --trace-ascii")
  }

  /// The program says itself that it lost something.
  private mutating func reportLoss(_ line: LogLine, _ start: Int, _ facts: inout LineFacts) {
    var origin = line.origin
    origin.set(taker.factReader.time(of: start..<start, on: line, &facts))
    let words = line.text.dropping(start).copied().prefix(200)
    let title = facts.message.match?.format.title ?? "the program"
    sink.finding(
      .logLoss, .warning, origin,
      "\(title) says that it dropped \(String(decoding: words, as: Unicode.UTF8.self))")
  }

  /// A line that a known program marks as one with a message, which cannot be read: its
  /// conversation is not whole.
  ///
  /// - Returns: whether it is one.
  mutating func reportUnread(_ line: LogLine) -> Bool {
    guard let match = marked.unreadMark(line.text) else { return false }
    var facts = LineFacts(of: line)
    facts.message.match = match
    if taker.isPrintedElsewhere(match.markEnd..<match.markEnd, line, &facts) { return false }
    // A few characters of a text show nothing.
    if match.rule?.isClipped == true { return count(unread: match.markEnd, line, &facts) }
    taker.endSecondPrint()
    reportContext(line.text, line.origin)
    taker.reporter.tally.hasMessages = true
    let origin = taker.reportGap(at: match.markEnd, line, &facts)
    let mark = match.markEnd - (match.rule?.mark.utf8CodeUnitCount ?? 0)
    let words = line.text.dropping(mark).copied().prefix { $0 != .lineFeed }.prefix(100)
    sink.finding(
      .logUnread, .warning, origin,
      "\(match.format.title) marks a message here that is not understood:"
        + " \(String(decoding: words, as: Unicode.UTF8.self))")
    return true
  }
}
