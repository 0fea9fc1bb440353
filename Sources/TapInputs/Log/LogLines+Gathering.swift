// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that are worth reading, and those that belong to them.
extension LogLines {
  /// Lines that are looked at for a message below its mark.
  private static let mostBelow = 12
  /// Lines that are gathered, however short they are.
  private static let mostGathered = 1 << 20

  /// A whole line, read now or kept for the ones below it.
  mutating func read(
    _ bytes: RawSpan, _ origin: Origin, mayGather: Bool, _ reader: inout LogReader,
    _ floor: any Floor
  ) {
    let (first, hasAnchor) = leads.survey(bytes)
    guard let lead = first else {
      if place.choice.keepsContext { context(bytes, floor) }
      return
    }
    var end = ListEnd(from: lead)
    end.advance(bytes)
    let goesOn =
      switch end.state {
      case .closed: false
      case .inside: mayGather && reader.mayGoOn(bytes, end.start, floor)
      case .seeking: mayGather && reader.isBelow(bytes)
      }
    guard goesOn else {
      return reader.read(
        bytes, before: before.bytes, origin, list: end.list, hasAnchor: hasAnchor, floor)
    }
    var waiting = LogGathering(before: before, end: end, origin: origin)
    waiting.text.append(bytes)
    gathering = waiting
  }

  /// A line below others that wait for it; answers whether it stands for itself.
  mutating func gather(
    _ bytes: RawSpan, _ reader: inout LogReader, _ floor: any Floor
  ) -> Bool {
    guard var waiting = gathering else { return true }
    let isTooMuch =
      waiting.text.count + bytes.byteCount > limits.lineBytes
      || waiting.breaks.count >= Self.mostGathered
      || waiting.end.state == .seeking && waiting.breaks.count >= Self.mostBelow
    if isTooMuch || LogClock.begins(bytes) {
      giveUp(&reader, floor)
      return true
    }
    gathering = nil
    waiting.text.append(0x0A)
    waiting.breaks.append(waiting.text.count)
    waiting.text.append(bytes)
    var end = waiting.end
    end.advance(waiting.text.bytes)
    waiting.end = end
    if end.state == .closed {
      reader.read(
        waiting.text.bytes, before: waiting.before.bytes, waiting.origin, list: end.list,
        hasAnchor: leads.survey(waiting.text.bytes).hasAnchor, floor)
      keep(bytes)
    } else {
      gathering = waiting
    }
    return false
  }

  /// What was gathered is no message: its lines are read one by one.
  mutating func giveUp(_ reader: inout LogReader, _ floor: any Floor) {
    guard let waiting = gathering else { return }
    gathering = nil
    var start = 0
    var origin = waiting.origin
    keep(waiting.before.bytes)
    for end in waiting.breaks + [waiting.text.count + 1] {
      let bytes = waiting.text.bytes.extracting(start..<end - 1)
      read(bytes, origin, mayGather: false, &reader, floor)
      keep(bytes)
      origin.record += 1
      origin.offset += UInt64(end - start)
      start = end
    }
  }
}
