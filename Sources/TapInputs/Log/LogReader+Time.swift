// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Where the time of a message stands.
extension LogReader {
  /// Lines that wait at most until bare numbers at their beginning have been compared.
  private static let mostWaiting = 32

  /// The time of the message between two offsets: its own, that of its line, or of a line above
  /// that is the head of this one.
  mutating func time(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ end: Int, _ page: inout LogPage
  ) -> LogMoment? {
    let begin = min(page.begin, start)
    if let (moment, isOfLine) = clock.time(line, begin, start, end, page.origin.record) {
      if isOfLine { page.time = moment }
      return moment
    }
    if !page.isTimed {
      page.isTimed = true
      if page.time == nil && begin == 0 { page.time = timeAbove(line, before, &page) }
    }
    return page.time
  }

  private mutating func timeAbove(
    _ line: RawSpan, _ before: RawSpan, _ page: inout LogPage
  ) -> LogMoment? {
    let isContinued = line.byteCount > 0 && ListStart.isSpace(line.byte(at: 0))
    if page.match?.row?.isTimedBefore ?? isContinued {
      return clock.above(before, page.origin.record)
    }
    return LogHead.isHead(before, of: line) ? clock.above(before, page.origin.record) : nil
  }

  /// Keeps a line that begins with a number which may be a time or an id, until another such number
  /// has told; answers false for any other line, once those that waited have been read.
  mutating func waitForNumber(
    _ line: RawSpan, _ before: RawSpan, _ origin: Origin, hasAnchor: Bool, _ floor: any Floor
  ) -> Bool {
    if clock.takesNumbers != nil { return false }
    guard let number = LogClock.number(line), !place.choice.keepsContext else {
      readNumbered(floor)
      return false
    }
    if let first = numbered.first, let known = LogClock.number(first.line.span.bytes) {
      clock.takesNumbers = LogClock.areTimes(known, number)
    }
    if clock.takesNumbers != nil || numbered.count >= Self.mostWaiting {
      readNumbered(floor)
      return false
    }
    tally.sights += 1
    numbered.append((line.copied(), before.copied(), origin, hasAnchor))
    return true
  }

  /// Reads the lines that waited.
  mutating func readNumbered(_ floor: any Floor) {
    if numbered.isEmpty { return }
    let lines = numbered
    numbered.removeAll()
    if clock.takesNumbers == nil { clock.takesNumbers = false }
    for (line, before, origin, hasAnchor) in lines {
      tally.sights -= 1
      read(
        line.span.bytes, before: before.span.bytes, origin, first: nil, hasAnchor: hasAnchor, floor)
    }
  }
}
