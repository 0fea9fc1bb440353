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
    if place.choice.isPasted || place.choice.logFormat != nil { return false }
    if teller.order.isBackward {
      narration.keep(line, origin)
      if narration.keptOctets > limits.exportBytes {
        teller.order.noteParts()
        narrateKept()
      }
      return false
    }
    return narration.mayTell(line) && narrate(whole: line, origin)
  }

  /// Lines that were kept as the newest came first.
  mutating func narrateKept() {
    for line in narration.takeKept() where narration.mayTell(line.text.span.bytes) {
      _ = narrate(whole: line.text.span.bytes, line.origin)
    }
  }

  private mutating func narrate(whole line: RawSpan, _ origin: Origin) -> Bool {
    narration.beginLine(origin.record)
    guard var lines = RecordedLines(line) else { return narrate(text: line, from: nil, origin) }
    var isTold = false
    while let (text, range) = lines.next(line, narration) {
      if !narrate(text.bytes, at: range, on: line, origin) { continue }
      lines.note(told: text)
      isTold = true
    }
    return isTold || lines.isOfFields && narrate(text: line, from: nil, origin)
  }

  /// What a program has printed into a string of a record: a line, or several.
  private mutating func narrate(
    _ text: RawSpan, at range: Range<Int>, on line: RawSpan, _ origin: Origin
  ) -> Bool {
    let clock = factReader.clock
    var (record, moment) = (LogRecord(), origin)
    moment.set(
      factReader.clock.time(of: range, from: 0, on: line, number: origin.record, &record)?.moment)
    let whole = LogLine(line, above: line.extracting(0..<0), origin, anchors: .program)
    var facts = LineFacts(of: whole)
    let source = factReader.around(whole, string: range.lowerBound - 1, &facts).source
    var (isTold, start) = (false, 0)
    while start < text.byteCount {
      var end = text.firstIndex(of: 0x0A, from: start) ?? text.byteCount
      let next = end + 1
      while end > start, text.byte(at: end - 1).isJSONSpace { end -= 1 }
      if end > start, narrate(text: text.extracting(start..<end), from: source, moment) {
        isTold = true
      }
      start = next
    }
    if !isTold { factReader.clock = clock }
    return isTold
  }

  /// - Parameter source: who has written it, where its record says so.
  private mutating func narrate(
    text line: RawSpan, from source: String?, _ origin: Origin
  ) -> Bool {
    if !narration.isKnown {
      for held in narration.probe(line, from: source, origin, factReader.sources) {
        _ = read(narrated: held.text.span.bytes, from: held.source, held.origin)
      }
    }
    return narration.isKnown && read(narrated: line, from: source, origin)
  }

  private mutating func read(
    narrated line: RawSpan, from source: String?, _ origin: Origin
  ) -> Bool {
    let isRead = narration.read(line, from: source, origin, &factReader)
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
