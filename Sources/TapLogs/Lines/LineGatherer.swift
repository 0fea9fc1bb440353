// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Hands the lines that are worth reading to the reader, each with those that belong to it: below,
/// where a message goes on there, and above, where its record began.
struct LineGatherer {
  /// Bytes that are kept of a line for the one below.
  private static let kept = 256
  /// Lines of other containers that may come between those of a message.
  static let mostForeign = 256

  let limits: Limits
  let leads: LogLeads
  private let keepsContext: Bool
  /// The beginning of the line above.
  private(set) var lineAbove = Scratch()
  /// The text before this chunk, or before a line that is not complete.
  var above = LinesAbove()
  var below: LinesBelow
  /// The lines that wait for more.
  var gathered: GatheredLines?
  /// Those of other writers, whose lines come in between.
  var parked: [GatheredLines] = []
  /// Where the last line begins that was read and had a message.
  var lastRead: UInt64?

  init(_ choice: InputChoice, _ limits: Limits, _ reader: LogReader) {
    (self.limits, leads, keepsContext) = (limits, reader.leads, choice.keepsContext)
    below = LinesBelow(reader.recogniser, only: choice.logFormat)
  }

  /// What comes next is the first line of another file.
  mutating func beginFile() { lastRead = nil }

  /// A line of the log.
  ///
  /// - Returns: whether it had a message, or waits with others.
  mutating func receive(_ line: borrowing PlainLine, _ reader: inout LogReader) -> Bool {
    defer { if gathered == nil && !parked.isEmpty { gathered = parked.removeFirst() } }
    if gathered != nil && !gather(line, &reader) { return true }
    let hasMessage = read(line, with: .all, &reader)
    keepLineAbove(line.text)
    return hasMessage || gathered != nil
  }

  mutating func keepLineAbove(_ line: RawSpan) {
    lineAbove.removeAll()
    let kept = line.extracting(0..<min(PlainLine.end(line), Self.kept))
    if kept.firstIndex(of: 0x1B) == nil {
      lineAbove.append(kept)
    } else {
      // A line that was not read still has its colours.
      lineAbove.append(ANSI.stripped(kept).bytes)
    }
  }

  /// The lines that one may be read with.
  enum Neighbours {
    case none
    /// Those below it: what stands above is of another writer.
    case below
    /// Those below it, and those above it that are of its record.
    case all
  }

  /// A whole line, read now or kept for the ones below it.
  ///
  /// - Returns: whether it was read and had a message.
  @discardableResult
  mutating func read(
    _ line: borrowing PlainLine, with neighbours: Neighbours, _ reader: inout LogReader
  ) -> Bool {
    let bytes = line.text
    guard let lead = line.lead ?? LogSurvey.Lead(bytes, leads), !LoggedDump.isRow(bytes) else {
      if keepsContext { reader.reportContext(line.whole, line.origin) }
      return false
    }
    let isInParts = LinePrefix.part(bytes)?.isPartial ?? false
    // A list on it is none of what was sent.
    let saysOfNext = lead.anchors.contains(.sent) && LogFormats.said(above: bytes)?.direction != nil
    let awaited =
      neighbours == .none ? nil : saysOfNext ? .list : self.awaited(bytes, lead, isInParts)
    if neighbours == .all && !isInParts && mayBeOfRecord(line, lead, awaited)
      && gatherRecord(line, lead, awaited == nil ? .record : .list)
    {
      return false
    }
    guard let awaited else {
      let hasMessage = reader.read(
        LogLine(
          bytes, above: lineAbove.bytes, whole: line.whole, line.origin, first: lead.list,
          anchors: lead.anchors, height: line.height))
      if hasMessage {
        lastRead = line.origin.offset
      } else {
        reader.reportContext(line.whole, line.origin)
      }
      return hasMessage
    }
    let text = bytes.extracting(0..<PlainLine.end(bytes))
    let list = saysOfNext ? ListEnd(from: text.byteCount) : lead.list
    var waiting = GatheredLines(awaited, list, lead.anchors, lineAbove: lineAbove, line.origin)
    waiting.text.append(text)
    (waiting.prefix, waiting.isInParts) = (LinePrefix.length(bytes), isInParts)
    gathered = waiting
    return false
  }

  /// What of its message a line waits for; nil where nothing goes on in the next.
  private mutating func awaited(
    _ line: RawSpan, _ lead: LogSurvey.Lead, _ isInParts: Bool
  ) -> GatheredLines.Awaited? {
    switch lead.list.state {
    case .closed: return nil
    case .inside: return isInParts || below.mayContinue(line, lead.list.start) ? .list : nil
    case .seeking:
      let object = lead.anchors.contains(.sent) ? SentJSON.open(line) : nil
      return object.map { .object($0) } ?? below.awaited(line, lead.anchors)
    }
  }

  /// Whether a line may be of a record of several lines, and have a message.
  private mutating func mayBeOfRecord(
    _ line: borrowing PlainLine, _ lead: LogSurvey.Lead, _ awaited: GatheredLines.Awaited?
  ) -> Bool {
    if case .object? = awaited { return false }
    let mayHaveMessage =
      awaited != nil || lead.list.state != .seeking
      || !lead.anchors.isDisjoint(with: [.object, .sent])
    return mayHaveMessage && (PrintedRecord.mayHold(line.text) || isInside(line))
  }

  /// Where the first line begins that waits although its message is complete.
  var waiting: UInt64? {
    ([gathered].compactMap { $0 } + parked).filter(\.isComplete).map(\.origin.offset).min()
  }

  /// No such lines come for now: reads what is whole.
  mutating func settle(_ reader: inout LogReader) {
    if waiting == nil { return }
    let others = parked.filter { !$0.isComplete }
    let complete = parked.filter(\.isComplete)
    let own = gathered
    // The lines of each writer are read separately.
    for one in [own].compactMap({ $0 }).filter(\.isComplete) + complete {
      (gathered, parked) = (one, [])
      giveUp(&reader)
    }
    (gathered, parked) = (own.flatMap { $0.isComplete ? nil : $0 }, others)
    if gathered == nil && !parked.isEmpty { gathered = parked.removeFirst() }
  }

  /// No more comes.
  mutating func finish(_ reader: inout LogReader) {
    giveUp(&reader)
    while !parked.isEmpty {
      gathered = parked.removeFirst()
      giveUp(&reader)
    }
  }

  // MARK: - Lines that wait

  /// Adds a line to those that are gathered; returns true if it does not belong to them and is
  /// still to be read.
  mutating func gather(_ line: borrowing PlainLine, _ reader: inout LogReader) -> Bool {
    // Taken out of the property: otherwise all of it would be copied for each line that is added.
    guard var waiting = gathered.take() else { return true }
    let bytes = line.text
    if waiting.breaks.isEmpty { reader.checkByteless(waiting.text.bytes, above: bytes) }
    if case .frame(let start) = waiting.awaited {
      return gatherFrame(line, start, &waiting, &reader)
    }
    // Lines of other containers may come in between.
    let part = waiting.isInParts ? LinePrefix.part(bytes) : nil
    let isForeign =
      part.map { !$0.isSameStream(bytes, as: waiting.text.bytes) } ?? waiting.isForeign(bytes)
    if isForeign && waiting.foreign < Self.mostForeign {
      readForeign(line, &waiting, &reader)
      return false
    }
    let stamp = part == nil ? waiting.stamp(of: bytes) : nil
    let skipped = part?.text ?? stamp ?? waiting.margin(of: bytes)
    let text = bytes.dropping(skipped)
    let hasOwnHead = part == nil && (waiting.isInParts || stamp == nil && hasHead(text, waiting))
    if isForeign || hasOwnHead || waiting.isLong
      || waiting.text.count + bytes.byteCount > limits.lineBytes
      || waiting.isObject && saysMore(bytes) || !waiting.mayGoOn(with: text)
    {
      giveUp(waiting, &reader)
      return true
    }
    switch waiting.awaited {
    case .dump where !LoggedDump.isPart(text):
      readBlock(waiting, &reader)
      return true
    case .indented:
      // A blank line stands before the block and behind it.
      let isBlank = LoggedBlock.isBlank(text)
      if waiting.breaks.isEmpty ? !isBlank : !LoggedBlock.isIndented(text) {
        readBlock(waiting, &reader)
        if isBlank { keepLineAbove(bytes) }
        return !isBlank
      }
    case .dump, .list, .object, .frame, .record: break
    }
    if part == nil { waiting.endLine(margin: bytes.extracting(0..<skipped)) }
    waiting.append(text, at: line.origin.offset)
    if waiting.advance(behind: text.byteCount, part) {
      readGathered(waiting, &reader)
      // What came in between may be the head of what follows it.
      if waiting.foreign == 0 { keepLineAbove(bytes) }
    } else {
      gathered = waiting
    }
    return false
  }

  /// Whether a line begins with a time, as no row of a dump and no line of a block does.
  private func hasHead(_ text: RawSpan, _ waiting: GatheredLines) -> Bool {
    switch waiting.awaited {
    case .dump where LoggedDump.isPart(text): false
    case .indented where LoggedBlock.isIndented(text): false
    case .dump, .indented, .list, .object, .frame, .record: LogClock.begins(text)
    }
  }

  /// Reads lines that belong together.
  mutating func readGathered(
    _ waiting: GatheredLines, _ reader: inout LogReader
  ) {
    var origin = waiting.origin
    origin.offset -= min(origin.offset, UInt64(waiting.above))
    let anchors = leads.survey(waiting.text.bytes).anchors.union(waiting.anchors)
    let hasMessage = reader.read(
      LogLine(
        waiting.text.bytes, above: waiting.lineAbove.bytes, origin, first: waiting.list,
        anchors: anchors, height: waiting.height, reported: waiting.above))
    // What it looked like was no message; each of its lines may hold one.
    if !hasMessage && !waiting.breaks.isEmpty { return readEach(waiting, &reader) }
    if !hasMessage { reader.reportContext(waiting.text.bytes, origin) }
    lastRead = waiting.last
  }

  /// Reads a block whose lines have come.
  private mutating func readBlock(_ block: GatheredLines, _ reader: inout LogReader) {
    let hasMessage = reader.read(
      LogLine(
        block.text.bytes, above: block.lineAbove.bytes, block.origin, anchors: .program,
        height: block.height))
    if !hasMessage { reader.reportContext(block.text.bytes, block.origin) }
  }

  /// Whether a line has words of its own: then it is not of an object that began above it.
  private func saysMore(_ line: RawSpan) -> Bool {
    guard let lead = LogSurvey.Lead(line, leads) else { return false }
    // A word that only messages have is a member of the object that began above, and so is a
    // member that is called as messages are.
    let isMember =
      line.extracting(0..<lead.at).firstIndex(of: .openBrace) == nil
      && (lead.anchors == .object
        || lead.anchors == .sent && SentJSON.isPayload(line, lead.at + 1))
    if !lead.anchors.isEmpty && !isMember { return true }
    return lead.list.state != .seeking
      && LogRules.direction(line.extracting(0..<lead.list.start)) != nil
  }

  /// What was gathered so far waits no longer.
  mutating func giveUp(_ reader: inout LogReader) {
    if let waiting = gathered.take() { giveUp(waiting, &reader) }
  }

  /// No more lines belong to what was gathered. Where that is no message, its lines are read one by
  /// one.
  mutating func giveUp(_ waiting: GatheredLines, _ reader: inout LogReader) {
    switch waiting.awaited {
    case .indented, .dump: readBlock(waiting, &reader)
    case .record: readGathered(waiting, &reader)
    case .list, .object: readEach(waiting, &reader)
    case .frame:
      guard let head = FrameLines.head(of: waiting) else { return readEach(waiting, &reader) }
      readGathered(head, &reader)
      readEach(waiting, from: head.breaks.count + 1, &reader)
    }
  }

  /// - Parameter first: number of the first line that is read.
  private mutating func readEach(
    _ waiting: GatheredLines, from first: Int = 0, _ reader: inout LogReader
  ) {
    var start = waiting.above
    var origin = waiting.origin
    // Lines below the beginning of an object may begin something themselves.
    let below: Neighbours = waiting.isObject ? .all : .none
    keepLineAbove(waiting.lineAbove.bytes)
    for (index, end) in (waiting.breaks + [waiting.text.count + 1]).enumerated() {
      // Its margin says when it was written, and by whom.
      var whole = Scratch()
      whole.append(waiting.margin(ofLine: index))
      whole.append(waiting.text.bytes.extracting(start..<end - 1))
      if index >= first {
        let line = PlainLine(whole.bytes, origin, isAlone: true)
        if gathered == nil || gather(line, &reader) {
          read(line, with: index > 0 ? below : .none, &reader)
          keepLineAbove(whole.bytes)
        }
      }
      origin.record += 1
      origin.offset += UInt64(whole.count + 1)
      start = end
    }
  }
}
