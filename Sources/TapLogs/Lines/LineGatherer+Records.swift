// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages in records that are printed over several lines: they are read with all of the record,
/// which says more of them.
extension LineGatherer {
  /// Writers whose lines are gathered at once, beside the first.
  private static let mostParked = 16

  /// Begins to gather the record that a line belongs to; answers whether it belongs to one.
  ///
  /// - Parameter awaited: what of its message is still to come; the record if nothing is.
  mutating func gatherRecord(
    _ line: borrowing PlainLine, _ lead: LogSurvey.Lead, _ awaited: GatheredLines.Awaited
  ) -> Bool {
    let bytes = line.text
    let last = line.isAlone ? Scratch() : above.last(line.chunkAbove)
    let shared = LineMargin.shared(bytes, with: last.bytes)
    guard PrintedRecord.mayHold(bytes.dropping(shared)) else { return false }
    let mayBeginAbove =
      !line.isAlone && PrintedRecord.mayBeginAbove(bytes.dropping(shared))
    let lines = mayBeginAbove ? above.text(line.chunkAbove) : Scratch()
    let others = RecordAbove(bytes, shared: shared, above: lines.bytes)
    let body = bytes.dropping(others.margin)
    guard PrintedRecord.mayHold(body),
      let count = PrintedRecord.begin(body, above: others.text.bytes)
    else { return false }
    let top = others.text.count - count
    // What was reported is not reported again.
    if let lastRead, lastRead + UInt64(others.octets(from: top)) >= line.origin.offset {
      return false
    }
    var text = Scratch()
    // The margin of the first line says more than those of the others.
    let margin = count > 0 ? others.margin(at: top) : bytes.extracting(0..<others.margin).copied()
    text.append(margin.span.bytes)
    text.append(ANSI.stripped(others.text.bytes.dropping(top)).bytes)
    let isAbove = text.count
    text.append(body)
    var end = ListEnd(from: isAbove + max(0, lead.at - others.margin))
    end.advance(text.bytes)
    let list = end.state == .seeking ? text.count : end.start
    guard let record = PrintedRecord(text.bytes, margin: margin.count, list: list) else {
      return false
    }
    let before = count > 0 ? Self.last(others.text.bytes.extracting(0..<top)) : lineAbove
    var waiting = GatheredLines(awaited, end, lead.anchors, lineAbove: before, line.origin)
    (waiting.text, waiting.above, waiting.record) = (text, count > 0 ? isAbove : 0, record)
    if count > 0 {
      waiting.height += UInt64((0..<isAbove).count { text.bytes.byte(at: $0) == 0x0A })
    }
    waiting.prefix = LinePrefix.length(text.bytes)
    gathered = waiting
    return true
  }

  /// The last line of a text.
  private static func last(_ text: RawSpan) -> Scratch {
    var line = Scratch()
    line.append(text.extracting(RecordAbove.lastLine(text, text.byteCount)))
    return line
  }

  /// A line of another writer, between those that belong together: it may belong to others.
  mutating func readForeign(
    _ line: borrowing PlainLine, _ waiting: inout GatheredLines, _ reader: inout LogReader
  ) {
    waiting.foreign += 1
    for index in parked.indices { parked[index].foreign += 1 }
    let bytes = line.text
    gathered = parked.firstIndex { !$0.isForeign(bytes) }.map { parked.remove(at: $0) }
    if gathered == nil || gather(line, &reader) {
      read(line, with: parked.count < Self.mostParked ? .below : .none, &reader)
    }
    if let own = gathered { parked.append(own) }
    gathered = waiting
    keepLineAbove(bytes)
  }

  /// Whether the line above ends as lines inside of a record do. `mutating` so that a caller that
  /// is changing itself lends this value and does not copy it.
  mutating func isInside(_ line: borrowing PlainLine) -> Bool {
    if line.isAlone { return false }
    let chunk = line.chunkAbove
    if chunk.isEmpty { return PrintedRecord.goesOn(above.text(chunk).bytes) }
    return PrintedRecord.goesOn(chunk)
  }
}
