// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads lines that may hold messages: asks the finders for each message on a line, and has it
/// taken (`LogTaker`).
///
/// Messages are looked for here. `+Marked` has lines whose mark says in what form, `+Objects`
/// objects, `+Texts` texts that are no lists, `+Layers` those that wait until the layer of their
/// program is known, `+Notes` what else lines say, and `+Ending` what comes at the end.
struct LogReader {
  var place: Place { didSet { taker.reporter.place = place } }
  let limits: Limits
  let recogniser: any TextRecogniser
  /// Find messages on lines.
  let leads: LogLeads
  var lists: CandidateFinder
  var contexts: ContextObjectFinder
  private let bytes: BytesFinder
  let texts: TextFinder
  let marked: MarkedLineFinder
  var narrated: NarratedReader
  var fragments: LogFragments
  /// Takes what was found.
  var taker: LogTaker
  private let nowhere = NullSink()
  /// Lines are the output of diff, whose marks look like those of a prompt.
  var isDiff = false

  init(_ place: Place, _ limits: Limits) {
    let choice = place.choice
    let recogniser = choice.recogniser()
    (self.place, self.limits, self.recogniser) = (place, limits, recogniser)
    lists = CandidateFinder(recogniser, limits, isForced: choice.isForced)
    contexts = ContextObjectFinder(recogniser, limits)
    bytes = BytesFinder(recogniser: recogniser)
    leads = LogLeads(recogniser)
    texts = TextFinder(
      recogniser: recogniser, packets: leads.packets, dialect: choice.dialect,
      isForced: choice.isForced, only: choice.logFormat, mostOpen: limits.openLists,
      takesSentJSON: leads.takesSentJSON, limits: limits)
    let named = NamedFields(recogniser.printedMessages, only: choice.logFormat)
    marked = MarkedLineFinder(recogniser: recogniser, named: named, limits: limits)
    narrated = NarratedReader(recogniser.narratedLogs(), choice, limits)
    fragments = LogFragments(mostBytes: limits.messageBytes)
    taker = LogTaker(place, limits, recogniser, named.layouts, nowhere)
  }

  /// The sink for all that is found; it is set while lines are read.
  var sink: any EvidenceSink {
    get { taker.reporter.sink }
    set { taker.reporter.sink = newValue }
  }

  /// Nothing is reported until there is a sink again.
  mutating func endReporting() { sink = nowhere }

  /// One line, or several that belong together.
  ///
  /// - Returns: whether it has a message, or waits until that is known.
  mutating func read(_ line: LogLine) -> Bool {
    readInAnyForm(line) || line.hasAnchor && reportUnread(line)
      || reportCut(line.text, line.origin)
  }

  /// Reads a line in each form that it may have, until one has a message:
  /// 1. what a program printed into strings of a record, where the line has a mark of one,
  /// 2. the line as it stands,
  /// 3. the same without colours that are written out,
  /// 4. the same with its escapes of bytes undone,
  /// 5. the same with the string undone that ends it, as consoles of browsers print one,
  /// 6. the strings of any record, where something hints at more.
  private mutating func readInAnyForm(_ line: LogLine) -> Bool {
    if line.hasAnchor, let text = DebugStyles.undone(line.text) ?? XMLText.undone(line.text) {
      return readMessages(line.standingFor(text.bytes, leads))
    }
    // Strings of a record come first: with their escapes undone, each is a line as the program
    // printed it. On the line around them, the escapes are still there.
    // Only what a message of a known protocol quotes is no message.
    let mayBePrinted = PrintedText.mayBegin(line.text) && mayBePrinted(line)
    let isPrinted = mayBePrinted && !holdsSentMessage(line)
    if isPrinted && readPrintedLines(line) { return true }
    if readMessages(line) { return true }
    if ANSI.hasSpelledOutSequences(line.text) {
      let text = ANSI.withoutSpelledOutSequences(line.text)
      if readMessages(line.standingFor(text.bytes, leads)) { return true }
    }
    if let text = PrintedOctets.undone(line.text), readMessages(line.standingFor(text.bytes, leads))
    {
      return true
    }
    if let text = ConsoleString.undone(line.text), readMessages(line.standingFor(text.bytes, leads))
    {
      return true
    }
    let mayHoldMore =
      !line.anchors.isEmpty || LogFormats.hasFrame(line.text)
      || LogMarks.last(" byte", in: line.text) != nil
      || leads.packets.next(line.text, from: 0) != nil
    return mayHoldMore && !isPrinted && readPrintedLines(line)
  }

  /// Whether the line says that its first object was sent, and this is a message of a protocol that
  /// is known; not one that tells a frame of WebSocket, `{"payloadData":"…"}`.
  private mutating func holdsSentMessage(_ line: LogLine) -> Bool {
    guard leads.takesSentJSON, let start = line.text.firstIndex(of: .openBrace),
      !line.text.contains(PrintedText.payload), let end = ListEnd.json(line.text, start)
    else { return false }
    var facts = LineFacts(of: line)
    taker.factReader.match(line.text, 0..<start, asksOuter: false, &facts)
    return isSent(line, start, &facts)
      && recogniser.recognise(sent: line.text.extracting(start..<end), .text).grade == .likely
  }

  /// Whether a string of a record holds what is more than a list: a mark, an object, or how long a
  /// text was.
  private func mayBePrinted(_ line: LogLine) -> Bool {
    let isOfObject = line.anchors.contains(.object)
    if isOfObject && leads.objects.isMember(on: line.text) { return false }
    return line.hasAnchor || isOfObject
      || line.anchors.contains(.sent) && line.text.contains(PrintedText.payload)
      || LogMarks.last(" byte", in: line.text) != nil
  }

  /// Lines of programs that stand in the strings of a record, or in the fields of a table. A record
  /// may stand in a string of another.
  ///
  /// - Parameters:
  ///   - time: of the record that the line stands in.
  ///   - around: what that record says.
  ///   - height: how many records that one stands in.
  /// - Returns: whether one of them has a message.
  mutating func readPrintedLines(
    _ line: LogLine, of time: LogMoment? = nil, in around: LogCandidate? = nil, height: Int = 0
  ) -> Bool {
    var hasMessage = false
    var copies = RecordCopies(of: .lines)
    var texts = PrintedText(line.text, leads)
    var record = LogRecord()
    var outer = LineFacts(of: line)
    while let (text, anchors, range) = texts.next(line.text, mayBeField: !hasMessage) {
      if copies.has(text.bytes, at: range, on: line.text) { continue }
      copies.add(text.bytes, endingAt: range.upperBound)
      let moment = taker.factReader.clock.time(
        of: range.lowerBound + 1..<range.upperBound, from: 0, on: line.text,
        number: line.origin.record, &record)?.moment
      let whole = LogLine(
        text.bytes, above: line.above, whole: line.whole, line.origin, anchors: anchors,
        height: line.height)
      let inner = taker.factReader.around(line, string: range, &outer)
      let said = inner.match == nil ? around ?? inner : inner
      let mayBeRecord =
        height < Self.mostRecords && PrintedText.mayBegin(text.bytes) && mayBePrinted(whole)
      if mayBeRecord,
        readPrintedLines(whole, of: moment ?? time, in: said, height: height + 1)
      {
        hasMessage = true
      } else if readMessages(whole, of: moment ?? time, in: said) {
        hasMessage = true
      } else if let inner = ConsoleString.undone(text.bytes),
        readMessages(whole.standingFor(inner.bytes, leads), of: moment ?? time, in: said)
      {
        hasMessage = true
      }
    }
    return hasMessage
  }

  /// Records in strings of others that are looked into.
  private static let mostRecords = 2

  /// All messages of a line, or of a text on it.
  ///
  /// - Parameter around: what the record that contains the text says of its messages.
  /// - Returns: whether there is any.
  mutating func readMessages(
    _ line: LogLine, of time: LogMoment? = nil, in around: LogCandidate? = nil
  ) -> Bool {
    if LogFormats.isAboveCopy(line.above) { return false }
    var facts = LineFacts(of: line)
    (facts.time, facts.outer) = (time, around)
    return readMessages(line, &facts)
  }

  mutating func readMessages(_ line: LogLine, _ facts: inout LineFacts) -> Bool {
    let outcome = readShown(line, &facts)
    let hasMessage = outcome == .other ? readValues(line, &facts) : outcome == .message
    if hasMessage {
      taker.reportContext(behind: line, &facts)
      decideWhenFull()
    }
    return hasMessage
  }

  /// Messages that are recognised without looking for lists and objects: behind a mark, or by their
  /// own text. A list right behind a mark is the message itself: nothing else is looked for then.
  private mutating func readShown(_ line: LogLine, _ facts: inout LineFacts) -> LineOutcome {
    if line.hasAnchor && taker.factReader.hasListBehindMark(line, &facts) { return .other }
    if line.hasAnchor || LogFormats.hasFrame(line.text) {
      let outcome = readMarked(line, &facts)
      if outcome != .other { return outcome }
    }
    return readTexts(line, &facts)
  }

  /// Lists, and objects where those are looked for: what begins first, and then what is behind it.
  private mutating func readValues(_ line: LogLine, _ facts: inout LineFacts) -> Bool {
    var objects = ObjectSearch(line, leads.objects, most: limits.openLists)
    var hasMessage = false
    // Behind the last list, and behind the last message: a list that is none leaves what stands
    // before it to the next.
    var (at, begin) = (0, 0)
    var list = nextList(line, from: at, &facts)
    while true {
      if let (start, end) = objects.next(line.text, from: begin, before: list) {
        guard let end = readObject(line, start, end, behind: begin, &facts) else { continue }
        // The next list is known already: it begins behind this object, or there is none.
        let isKnown = list.map { at > 0 && $0 >= end } ?? true
        (at, begin, hasMessage) = (end, end, true)
        if !isKnown { list = nextList(line, from: at, &facts) }
        continue
      }
      guard let start = list else { break }
      // A list inside the printed bytes of a message is part of its payload.
      if at == 0 && BytesFinder.isInBytes(line.text, start) && readBytes(line, &facts) {
        return true
      }
      facts.message.begin = begin
      taker.factReader.match(line, list: start, behind: at, &facts)
      if facts.message.match?.rule?.isIgnored == true { return hasMessage }
      facts.message.isExpected = taker.judge.score.knows(facts.message.shape)
      facts.message.isSent = isSent(line, start, &facts)
      switch lists.find(line, start, &facts) {
      case .none(let end, let isOther):
        at = end
        if isOther {
          taker.reporter.tally.note(otherOn: line.origin.record)
          taker.judge.score.note(strange: facts.message.shape)
        }
      case .one(let found, let end):
        (at, begin, hasMessage) = (end, end, true)
        accept(found, line, &facts)
        lists.giveBack(found.content)
      case .several(let all, let end):
        (at, begin, hasMessage) = (end, end, true)
        for found in all { accept(found, line, &facts) }
      }
      list = nextList(line, from: at, &facts)
    }
    if objects.isExhausted { taker.reporter.tally.unread += 1 }
    return at == 0 ? readBytes(line, &facts) : hasMessage
  }

  /// Where the next list begins. It is `mutating` so that a caller that is changing itself lends
  /// this value and does not copy it.
  private mutating func nextList(
    _ line: LogLine, from at: Int, _ facts: inout LineFacts
  ) -> Int? {
    (at == 0 ? facts.firstList?.start ?? line.first?.list?.lowerBound : nil)
      ?? ListStart.next(line.text, from: at)
      ?? (at == 0 && line.hasAnchor
        ? ListStart.behindMark(line.text, only: place.choice.logFormat) : nil)
  }

  /// Printed bytes without words that say what they are.
  private mutating func readBytes(_ line: LogLine, _ facts: inout LineFacts) -> Bool {
    var hasMessage = false
    var at = 0
    while let (found, cut) = bytes.next(line.text, from: at) {
      at = found.end
      taker.factReader.match(line.text, 0..<found.place.lowerBound, &facts)
      if !taker.hasWhatItNeeds(found, line, &facts) { continue }
      if let cut {
        if accept(frame: cut, at: found.place.lowerBound, line, &facts) { hasMessage = true }
      } else {
        accept(found, line, &facts)
        hasMessage = true
      }
    }
    return hasMessage
  }

  // MARK: Taking what was found

  mutating func accept(_ found: FoundMessage, _ line: LogLine, _ facts: inout LineFacts) {
    decideWhatWasOvertaken(by: found.place, line, &facts)
    switch found.content {
    case .line(let range): taker.accept(line.text.extracting(range), found, line, &facts)
    case .made(let text): taker.accept(text.bytes, found, line, &facts)
    }
    decideWhenFull()
  }

  /// A line, or several, without a message.
  mutating func reportContext(_ line: RawSpan, _ origin: Origin) {
    taker.reportContext(line, origin)
    decideWhenFull()
  }

  /// Context waits with the messages around it. If too much of it waits, all is decided now.
  mutating func decideWhenFull() {
    if !taker.isContextFull { return }
    decideLayers()
    taker.endPrints()
  }
}
