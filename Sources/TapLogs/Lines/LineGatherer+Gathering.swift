// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Adds lines to those that wait, and reads them once no more belong to them.
extension LineGatherer {
  /// Lines that are looked at for a message below its mark.
  private static let mostBelow = 12
  /// Lines of other containers that may come between those of a message.
  static let mostForeign = 256
  /// Lines of an object.
  private static let mostOfObject = 1024
  /// Lines of a record behind its message.
  private static let mostBehind = 1024
  /// Lines that are gathered, however short they are.
  private static let mostGathered = 1 << 20

  /// Adds a line to those that are gathered; returns true if it does not belong to them and is
  /// still to be read.
  mutating func gather(_ line: borrowing PlainLine, _ reader: inout LogReader) -> Bool {
    // Taken out of the property: otherwise all of it would be copied for each line that is added.
    guard var waiting = gathered.take() else { return true }
    let bytes = line.text
    if waiting.breaks.isEmpty { reader.checkByteless(waiting.text.bytes, above: bytes) }
    if waiting.frame != nil { return gatherFrame(line, &waiting, &reader) }
    let isTooMuch =
      waiting.text.count + bytes.byteCount > limits.lineBytes || Self.isLong(waiting)
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
    let isRow = waiting.isDump && LoggedDump.isPart(text)
    let isTimed =
      !isRow && part == nil && stamp == nil && !waiting.isInParts && LogClock.begins(text)
    if isTooMuch || isForeign || waiting.object != nil && saysMore(bytes)
      || part == nil && waiting.isInParts || isTimed || !mayFollow(text, waiting)
    {
      giveUp(waiting, &reader)
      return true
    }
    if waiting.isListOver {
      waiting.endLine(removed: skipped)
      waiting.append(text, at: line.origin.offset)
      if !waiting.isRecordOpen() { return readWhole(waiting, bytes, &reader) }
      gathered = waiting
      return false
    }
    if waiting.isDump {
      if !isRow { return endBlock(waiting, isBlank: false, bytes, &reader) }
    } else if waiting.isBlock {
      // A blank line stands before the block and behind it.
      let isBlank = LoggedBlock.isBlank(text)
      if waiting.breaks.isEmpty ? !isBlank : !LoggedBlock.isIndented(text) {
        return endBlock(waiting, isBlank: isBlank, bytes, &reader)
      }
    }
    if part == nil { waiting.endLine(removed: skipped) }
    waiting.append(text, at: line.origin.offset)
    if waiting.isBlock {
      gathered = waiting
      return false
    }
    if let isWhole = waiting.isWholeObject(text.byteCount) {
      if isWhole { return readWhole(waiting, bytes, &reader) }
      gathered = waiting
      return false
    }
    var end = waiting.end
    end.advance(waiting.text.bytes)
    waiting.end = end
    if end.state != .closed && part?.isPartial != false {
      gathered = waiting
      return false
    }
    if waiting.isRecordOpen() && end.state == .closed {
      waiting.isListOver = true
      gathered = waiting
      return false
    }
    return readWhole(waiting, bytes, &reader)
  }

  /// Whether so many lines wait that no more are added.
  private static func isLong(_ waiting: GatheredLines) -> Bool {
    if waiting.isListOver { return waiting.breaks.count >= mostBehind }
    return waiting.breaks.count >= mostGathered
      || waiting.end.state == .seeking && !waiting.isBlock
        && waiting.breaks.count >= (waiting.object == nil ? mostBelow : mostOfObject)
  }

  /// Reads lines that belong together, once no more of them come; answers that the last one was
  /// among them.
  private mutating func readWhole(
    _ waiting: GatheredLines, _ last: RawSpan, _ reader: inout LogReader
  ) -> Bool {
    readGathered(waiting, &reader)
    keepLineAbove(last)
    return false
  }

  /// Reads lines that belong together.
  mutating func readGathered(
    _ waiting: GatheredLines, _ reader: inout LogReader
  ) {
    var origin = waiting.origin
    origin.offset -= min(origin.offset, UInt64(waiting.above))
    let hasMessage = reader.read(
      LogLine(
        waiting.text.bytes, above: waiting.lineAbove.bytes, origin, first: waiting.end,
        anchors: leads.survey(waiting.text.bytes).anchors, height: waiting.height,
        reported: waiting.above), mayBeContext: waiting.breaks.isEmpty)
    if !hasMessage && !waiting.breaks.isEmpty {
      // What it looked like was no message; each of its lines may hold one.
      return readEach(waiting, &reader)
    }
    lastRead = waiting.last
  }

  /// Reads a block whose lines have come; returns whether the line behind it is still to be read.
  private mutating func endBlock(
    _ block: GatheredLines, isBlank: Bool, _ next: RawSpan, _ reader: inout LogReader
  ) -> Bool {
    let hasMessage = reader.read(
      LogLine(
        block.text.bytes, above: block.lineAbove.bytes, block.origin, anchors: .program,
        height: block.height), mayBeContext: false)
    if !hasMessage { reader.reportContext(block.text.bytes, block.origin) }
    if isBlank { keepLineAbove(next) }
    return !isBlank
  }

  /// Whether a line may go on what the line above has begun. Behind a bracket, `"frame": [`, it has
  /// to begin with a number, as messages do.
  private func mayFollow(_ text: RawSpan, _ waiting: GatheredLines) -> Bool {
    if waiting.isListOver { return waiting.record?.mayHold(text) == true }
    guard waiting.end.state == .seeking, waiting.breaks.isEmpty, !waiting.anchors.contains(.program)
    else { return true }
    let at = text.behindSpace(0)
    if waiting.anchors.contains(.sent) && !waiting.endsWithBracket {
      return waiting.object != nil
        || at < text.byteCount && (SentJSON.object(text, at) != nil || ListStart.isStart(text, at))
    }
    guard waiting.anchors.isEmpty else { return true }
    // Each record of a list is read separately.
    guard waiting.endsWithBracket else {
      return at >= text.byteCount || text.byte(at: at) != .openBrace
    }
    return at < text.byteCount && text.byte(at: at).isDigit
  }

  /// Whether a line has words of its own: then it is not of an object that began above it.
  private func saysMore(_ line: RawSpan) -> Bool {
    guard let lead = LogSurvey.Lead(line, leads) else { return false }
    // A word that only messages have is a member of the object that began above.
    let isMember =
      lead.anchors == .object && line.extracting(0..<lead.at).firstIndex(of: .openBrace) == nil
    if !lead.anchors.isEmpty && !isMember { return true }
    return lead.list.state != .seeking
      && LogRules.direction(line.extracting(0..<lead.list.start)) != nil
  }

  /// What was gathered so far waits no longer.
  mutating func giveUp(_ reader: inout LogReader) {
    if let waiting = gathered.take() { giveUp(waiting, &reader) }
  }

  /// What was gathered is no message: its lines are read one by one.
  mutating func giveUp(_ waiting: GatheredLines, _ reader: inout LogReader) {
    if waiting.isBlock {
      _ = endBlock(waiting, isBlank: false, waiting.lineAbove.bytes, &reader)
      return
    }
    if waiting.isListOver {
      readGathered(waiting, &reader)
    } else if let head = FrameLines.head(of: waiting) {
      readGathered(head, &reader)
      readEach(waiting, from: head.breaks.count + 1, &reader)
    } else {
      readEach(waiting, &reader)
    }
  }

  /// - Parameter first: number of the first line that is read.
  private mutating func readEach(
    _ waiting: GatheredLines, from first: Int = 0, _ reader: inout LogReader
  ) {
    var start = waiting.above
    var origin = waiting.origin
    // Lines below the beginning of an object may begin something themselves.
    let mayGather = waiting.object != nil
    keepLineAbove(waiting.lineAbove.bytes)
    for (index, end) in (waiting.breaks + [waiting.text.count + 1]).enumerated() {
      let bytes = waiting.text.bytes.extracting(start..<end - 1)
      if index >= first {
        let line = PlainLine(bytes, origin, isAlone: true)
        if gathered == nil || gather(line, &reader) {
          read(line, mayGather: mayGather && index > 0, &reader)
          keepLineAbove(bytes)
        }
      }
      origin.record += 1
      let removed = index < waiting.removed.count ? waiting.removed[index] : 0
      origin.offset += UInt64(end - start + removed)
      start = end
    }
  }
}
