// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that tell in words what was sent.
extension LogReader {
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
      for held in narration.probe(line, origin, factReader.sources)
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
      tally.use(line: origin.record)
    }
    tellNarrated()
    return isRead
  }

  private mutating func tellNarrated() {
    narratedTeller.tell(narration.take(), &factReader.clock, &teller, sink)
  }

  mutating func settleNarrated() {
    narration.settle()
    tellNarrated()
  }
}
