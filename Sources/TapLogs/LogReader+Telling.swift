// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What is told beside messages, and lines that wait for what others say of them.
extension LogReader {
  /// The program says itself that it lost something.
  mutating func tellLoss(_ line: LogLine, _ start: Int, _ facts: inout LineFacts) {
    var origin = line.origin
    origin.set(factReader.time(of: start..<start, on: line, &facts))
    let words = line.text.dropping(start).copied().prefix(200)
    let title = facts.message.match?.form.title ?? "the program"
    sink.finding(
      Finding(
        .logLoss, .warning, origin,
        "\(title) says that it dropped \(String(decoding: words, as: Unicode.UTF8.self))"))
  }

  /// A line that a known program marks as one with a message, of which nothing can be read: its
  /// conversation is not whole.
  ///
  /// - Returns: whether it is one.
  mutating func tellUnread(_ line: LogLine) -> Bool {
    guard let match = CandidateFinder.unreadMark(line.text, marked.named) else {
      return false
    }
    var facts = LineFacts(of: line)
    facts.message.match = match
    if layers.isPrintedElsewhere(match) { return false }
    endSecondPrint()
    tellContext(line.text, line.origin)
    tally.hasMessages = true
    let candidate = candidate(at: match.markEnd..<line.text.byteCount, line, &facts)
    let origin = teller.tellGap(candidate, sink)
    let mark = match.markEnd - (match.row?.mark.utf8CodeUnitCount ?? 0)
    let words = line.text.dropping(mark).copied().prefix { $0 != 0x0A }.prefix(100)
    sink.finding(
      Finding(
        .logUnread, .warning, origin,
        "\(match.form.title) marks a message here that is not understood:"
          + " \(String(decoding: words, as: Unicode.UTF8.self))"))
    return true
  }

  /// A line of the beginning, which may show that such lines hold no messages.
  mutating func look(early line: RawSpan) {
    if !hasMessages && tally.byteless == nil { tally.byteless = BytelessLog.find(line) }
  }

  /// A line that should stand above what it names, and the next.
  mutating func look(at line: RawSpan, above next: RawSpan) {
    if !hasMessages && tally.byteless == nil {
      tally.byteless = BytelessLog.find(line, above: next)
    }
  }

  /// A line that may name the file of those below.
  mutating func note(heading line: RawSpan) { factReader.sources.note(heading: line) }

  /// A list behind these words is no message.
  mutating func note(strange shape: UInt64) { judge.note(strange: shape) }

  /// What stands on the line so far is not what comes next.
  mutating func beginLine() { judge.copies = LogRecordCopies() }

  /// Whether a line of this number may tell in words what was sent.
  @inline(__always)
  func mayNarrate(_ number: UInt64) -> Bool { narration.isAsked(number) }

  /// A line of a program that tells in words what was sent.
  ///
  /// - Returns: whether it is of a program whose log this is.
  mutating func narrate(_ line: RawSpan, _ origin: Origin) -> Bool {
    var end = line.byteCount
    while end > 0, line.byte(at: end - 1) == 0x0D { end -= 1 }
    let line = line.extracting(0..<end)
    guard narration.mayTell(line), !teller.order.isBackward, !place.choice.isPasted,
      place.choice.logFormat == nil
    else { return false }
    if !narration.isKnown {
      for held in narration.look(at: line, origin, factReader.sources)
      where held.origin.record != origin.record {
        _ = read(narrated: held.text.span.bytes, held.origin)
      }
    }
    return narration.isKnown && read(narrated: line, origin)
  }

  private mutating func read(narrated line: RawSpan, _ origin: Origin) -> Bool {
    let isRead = narration.read(line, origin, &factReader)
    if isRead {
      tally.hasMessages = true
      tally.use(origin.record)
    }
    tellNarrated()
    return isRead
  }

  private mutating func tellNarrated() {
    narratedTeller.tell(narration.take(), &factReader.clock, &teller, sink)
  }

  /// A line, or several, of which nothing is a message.
  mutating func tellContext(_ line: RawSpan, _ origin: Origin) {
    guard context.isWanted else { return }
    var origin = origin
    // What is looked at here is no message whose time others could depend on.
    var clock = factReader.clock
    origin.set(clock.above(line, number: origin.record))
    tellContext(each: line, origin)
  }

  /// What stands before a message of a line.
  ///
  /// - Parameter message: where it stands; nothing says where what ends at its own start does.
  mutating func tellContext(around message: Range<Int>, _ line: LogLine, _ facts: inout LineFacts) {
    guard context.isWanted else { return }
    tellContext(line, to: message.lowerBound, facts)
    facts.told = message.isEmpty ? line.text.byteCount : max(facts.told, message.upperBound)
  }

  /// What stands behind the last message of a line.
  mutating func tellContext(behind line: LogLine, _ facts: inout LineFacts) {
    guard context.isWanted else { return }
    facts.told = LogContext.start(behind: facts.told, line.text)
    tellContext(line, to: line.text.byteCount, facts)
  }

  private mutating func tellContext(_ line: LogLine, to end: Int, _ facts: LineFacts) {
    guard let range = LogContext.range(line.text, facts.told, to: end) else { return }
    var origin = line.origin
    origin.offset += UInt64(range.lowerBound)
    origin.set(facts.message.moment)
    tellContext(each: line.text.extracting(range), origin)
  }

  private mutating func tellContext(each lines: RawSpan, _ origin: Origin) {
    if let first = secondPrint.waiting?.candidate.origin.record, origin.record > first + 1 {
      endSecondPrint()
    }
    context.tell(lines, origin, factReader.clock, waits: !hasAllTold, sink)
    if context.octets > limits.contextBytes {
      decide()
      endSecondPrint()
    }
  }

  /// Whether no message waits, for whatever it is.
  private var hasAllTold: Bool { layers.waiting.isEmpty && secondPrint.waiting == nil }

  /// What waited for messages before it is told.
  mutating func passContext() {
    if hasAllTold { context.pass(sink) }
  }

  /// The uppermost of the layers that have printed something tells the messages.
  mutating func decide() {
    for waiting in layers.decide() {
      context.pass(before: waiting.origin.offset, sink)
      let line = LogLine(
        waiting.line.span.bytes, above: waiting.before.span.bytes, waiting.origin,
        anchors: waiting.anchors.union(.program), height: waiting.height)
      if !readMessages(line) && !readPrintedLines(line) { tellContext(line.text, line.origin) }
    }
    passContext()
  }

  /// A message was found, or may be on a line that waits.
  var hasMessages: Bool { tally.hasMessages || !layers.waiting.isEmpty }

  /// Where the first line that waits for others begins.
  var waiting: UInt64? {
    let first = [
      layers.waiting.first?.origin.offset, secondPrint.waiting?.candidate.origin.offset,
      narration.waiting,
    ]
    return first.compactMap { $0 }.min()
  }

  /// Others do not come.
  mutating func settle() {
    decide()
    endSecondPrint()
    settleNarrated()
  }

  private mutating func settleNarrated() {
    narration.settle()
    tellNarrated()
  }

  /// A line that is skipped, as it is too long.
  func tellOverlong(_ origin: Origin) {
    sink.finding(
      Finding(
        .logLineTooLong, .warning, origin,
        "line \(origin.record), at \(place.byte(origin.offset)), is longer than"
          + " \(limits.lineBytes) bytes; it is skipped"))
  }

  /// No more lines come.
  mutating func finish() {
    decide()
    endSecondPrint()
    teller.endOrder(&factReader.clock, &tally, sink)
    settleNarrated()
    tally.narrated = narratedTeller.counts
    (tally.untaken, tally.untakenJSON) = (judge.untaken, judge.untakenJSON)
    sink.recognised(
      tally.verdict(factReader.clock, isForced: place.choice.isForced), place.origin(0))
    if place.choice.isPasted { return }
    sink.count(.line, Int(tally.lines))
    sink.count(.linePassedOver, Int(tally.passedOver))
  }
}
