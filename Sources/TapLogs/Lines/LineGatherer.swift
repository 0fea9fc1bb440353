// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Hands the lines that are worth reading to the reader, each with those that belong to it: below,
/// where a message goes on there, and above, where its record began.
struct LineGatherer {
  /// Bytes that are kept of a line for the one below.
  private static let kept = 256

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
    let hasMessage = read(line, mayGather: true, &reader)
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

  /// A whole line, read now or kept for the ones below it.
  ///
  /// - Parameter isForeign: what stands above it is of another writer.
  @discardableResult
  mutating func read(
    _ line: borrowing PlainLine, mayGather: Bool, isForeign: Bool = false,
    _ reader: inout LogReader
  ) -> Bool {
    let bytes = line.text
    guard let lead = line.lead ?? LogSurvey.Lead(bytes, leads) else {
      if keepsContext { reader.reportContext(line.whole, line.origin) }
      return false
    }
    let end = lead.list
    let isInParts = LinePrefix.part(bytes)?.isPartial ?? false
    let object =
      mayGather && end.state == .seeking && lead.anchors.contains(.sent)
      ? SentJSON.open(bytes) : nil
    let goesOn =
      switch end.state {
      case .closed: false
      case .inside: mayGather && (isInParts || below.mayContinue(bytes, end.start))
      case .seeking: object != nil || mayGather && below.isExpected(bytes, lead.anchors)
      }
    let mayHaveMessage =
      goesOn || end.state != .seeking || !lead.anchors.isDisjoint(with: [.object, .sent])
    if mayGather && object == nil && !isForeign && !isInParts && mayHaveMessage
      && (PrintedRecord.mayHold(bytes) || isInside(line))
      && gatherRecord(line, lead, goesOn: goesOn)
    {
      return false
    }
    guard goesOn else {
      let hasMessage = reader.read(
        LogLine(
          bytes, above: lineAbove.bytes, whole: line.whole, line.origin, first: end,
          anchors: lead.anchors, height: line.height))
      if hasMessage { lastRead = line.origin.offset }
      return hasMessage
    }
    var waiting = GatheredLines(lineAbove: lineAbove, end: end, origin: line.origin)
    waiting.text.append(bytes)
    (waiting.prefix, waiting.isInParts) = (LinePrefix.length(bytes), isInParts)
    waiting.block = end.state == .seeking ? below.block(bytes) : nil
    waiting.frame = end.state == .seeking ? below.frameStart(bytes) : nil
    (waiting.anchors, waiting.object) = (lead.anchors, object)
    gathered = waiting
    return false
  }

  /// No more comes.
  mutating func finish(_ reader: inout LogReader) {
    giveUp(&reader)
    while !parked.isEmpty {
      gathered = parked.removeFirst()
      giveUp(&reader)
    }
  }
}
