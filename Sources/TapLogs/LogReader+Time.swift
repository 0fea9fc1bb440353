// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Where the time of a message stands.
extension LogReader {
  /// Lines that wait at most until bare numbers at their beginning have been compared.
  private static let mostWaiting = 32

  /// The time of the message between two offsets: its own, that of its line, or of a line above
  /// that is the head of this one.
  mutating func time(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ end: Int, _ page: inout LogFacts
  ) -> LogMoment? {
    let begin = min(page.begin, start)
    if let (moment, isOfLine) = clock.time(line, begin, start, end, page.origin.record) {
      if isOfLine { page.time = moment }
      page.moment = moment
      return moment
    }
    if !page.isTimed {
      page.isTimed = true
      if page.time == nil && begin == 0 { page.time = timeAbove(line, before, &page) }
    }
    page.moment = page.time
    return page.time
  }

  private mutating func timeAbove(
    _ line: RawSpan, _ before: RawSpan, _ page: inout LogFacts
  ) -> LogMoment? {
    let margin = LineMargin.shared(line, with: before)
    let text = line.dropping(margin)
    let head = before.dropping(margin > 0 ? LineMargin.shared(before, with: line) : 0)
    let isContinued = text.byteCount > 0 && isJSONSpace(text.byte(at: 0))
    let isSaid = page.match?.row?.isTimedBefore ?? (page.isSaidAbove || isContinued)
    guard isSaid || LogHead.isHead(head, of: text) else { return nil }
    return clock.above(head.extracting(0..<Self.payloadStart(head)), page.origin.record)
  }

  /// Where a payload begins on a line, which says nothing of when the line was written; its end
  /// where there is none. A record that the whole line consists of is none.
  private static func payloadStart(_ line: RawSpan) -> Int {
    let list = ListStart.next(line, from: 0) ?? line.byteCount
    for at in 0..<min(list, max(line.byteCount - 1, 0)) {
      let (byte, next) = (line.byte(at: at), line.byte(at: at + 1))
      if byte == 0x5B && (next == 0x22 || next == 0x7B) { return at }
      if byte == 0x7B && next == 0x22 && at > 0 { return at }
    }
    return list
  }

  /// A line that waits, or several that belong together.
  struct NumberedLine {
    var line: [UInt8]
    /// The line before it.
    var before: [UInt8]
    var origin: Origin
    var hasAnchor: Bool
    /// Lines that it consists of.
    var height: UInt64
    /// Bytes of it that have been told.
    var told: Int
  }

  /// Keeps a line that begins with a number which may be a time or an id, until another such number
  /// has told; answers false for any other line, once those that waited have been read.
  mutating func waitForNumber(
    _ line: RawSpan, _ before: RawSpan, _ origin: Origin, hasAnchor: Bool, _ sink: any EvidenceSink
  ) -> Bool {
    guard let number = LogClock.number(line) else {
      readNumbered(sink)
      return false
    }
    if let known = numbered.first.flatMap({ LogClock.number($0.line.span.bytes) }) ?? lastNumber {
      clock.takesNumbers = LogClock.areTimes(known, number)
    }
    if clock.takesNumbers != nil || numbered.count >= Self.mostWaiting {
      readNumbered(sink)
      return false
    }
    numbered.append(
      NumberedLine(
        line: line.copied(), before: before.copied(), origin: origin, hasAnchor: hasAnchor,
        height: height, told: told))
    told = 0
    return true
  }

  /// Reads the lines that waited.
  mutating func readNumbered(_ sink: any EvidenceSink) {
    if numbered.isEmpty { return }
    let lines = numbered
    numbered.removeAll()
    if clock.takesNumbers == nil { clock.takesNumbers = false }
    for waiting in lines {
      waitingContext.pass(before: waiting.origin.offset, sink)
      read(waiting, sink)
    }
    passContext(sink)
  }

  /// They have waited long enough. What such numbers are, the next one tells all the same.
  mutating func settleNumbered(_ sink: any EvidenceSink) {
    guard let last = numbered.last else { return }
    lastNumber = LogClock.number(last.line.span.bytes)
    readNumbered(sink)
    clock.takesNumbers = nil
  }

  private mutating func read(_ waiting: NumberedLine, _ sink: any EvidenceSink) {
    let text = waiting.line.span.bytes
    let isWhole = text.firstIndex(of: 0x0A) == nil
    (told, height) = (waiting.told, waiting.height)
    defer { height = 1 }
    let hasMessage = read(
      text, before: waiting.before.span.bytes, waiting.origin, first: nil,
      hasAnchor: waiting.hasAnchor, mayBeContext: isWhole, sink)
    if isWhole || hasMessage { return }
    // Together they are no message; each of them may hold one.
    height = 1
    var origin = waiting.origin
    var before = waiting.before
    for line in waiting.line.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = Array(line)
      let bytes = line.span.bytes
      if let lead = LogSurvey.Lead(bytes, LogFormats.leads) {
        read(
          bytes, before: before.span.bytes, origin, first: lead.list, hasAnchor: lead.hasAnchor,
          sink)
      } else {
        context(line: bytes, origin, sink)
      }
      origin.record += 1
      origin.offset += UInt64(line.count + 1)
      before = line
    }
  }
}
