// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages in records that are printed over several lines: they are read with all of the record,
/// which says more of them.
extension LogLines {
  /// Lines that are gathered behind a message.
  private static let mostBehind = 1024

  /// Begins to gather the record that a line belongs to; answers whether it belongs to one.
  ///
  /// - Parameters:
  ///   - above: what stands before it in the chunk.
  ///   - goesOn: the list goes on in the next line.
  mutating func gatherRecord(
    _ bytes: RawSpan, above: RawSpan, _ lead: Int, goesOn: Bool, hasAnchor: Bool,
    _ origin: Origin
  ) -> Bool {
    let mayBeginAbove = !isOverwritten && PrintedRecord.mayBeginAbove(bytes)
    let above = mayBeginAbove ? self.above.text(above) : Scratch()
    guard let count = PrintedRecord.begin(bytes, above: above.bytes),
      // What was told is not told again.
      lastRead.map({ $0 + UInt64(count) < offset }) ?? true
    else { return false }
    let top = above.count - count
    var text = ANSI.stripped(above.bytes.dropping(top))
    let isAbove = text.count
    text.append(bytes)
    var end = ListEnd(from: isAbove + lead)
    end.advance(text.bytes)
    let list = end.state == .seeking ? text.count : end.start
    guard let record = PrintedRecord(text.bytes, list: list) else { return false }
    var waiting = LogGathering(before: before, end: end, origin: origin)
    if isAbove > 0 { waiting.before = Self.last(above.bytes.extracting(0..<top)) }
    (waiting.text, waiting.above, waiting.record) = (text, isAbove, record)
    (waiting.isListOver, waiting.hasAnchor) = (!goesOn, hasAnchor)
    gathering = waiting
    return true
  }

  /// The last line of a text.
  private static func last(_ text: RawSpan) -> Scratch {
    var start = max(0, text.byteCount - 1)
    while start > 0, text.byte(at: start - 1) != 0x0A { start -= 1 }
    var line = Scratch()
    line.append(text.extracting(start..<max(start, text.byteCount - 1)))
    return line
  }

  /// A line behind a message that its record may end on; answers whether it stands for itself.
  mutating func gatherRest(
    _ bytes: RawSpan, _ record: LogGathering, _ reader: inout LogReader, _ floor: any Floor
  ) -> Bool {
    var waiting = record
    let isTooMuch =
      waiting.text.count + bytes.byteCount > limits.lineBytes
      || waiting.breaks.count >= Self.mostBehind
    if isTooMuch || LogClock.begins(bytes) || waiting.record?.mayHold(bytes) != true {
      giveUp(&reader, floor)
      return true
    }
    gathering = nil
    waiting.text.append(0x0A)
    waiting.breaks.append(waiting.text.count)
    waiting.removed.append(0)
    waiting.text.append(bytes)
    if waiting.isRecordOpen() {
      gathering = waiting
    } else {
      readGathered(waiting, &reader, floor)
      keep(bytes)
    }
    return false
  }
}
