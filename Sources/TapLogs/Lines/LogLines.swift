// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Cuts a log into lines and passes on those that may hold a message; see `LogLeads`.
struct LogLines {
  private(set) var place: Place
  private let limits: Limits
  private let leads: LogLeads
  /// Reads the lines that are worth it.
  var plain: PlainLineReader
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  /// The line is too long, and skipped to its end.
  private var isOverlong = false
  /// The offset of the line that begins next, in bytes of the file.
  private(set) var offset: UInt64
  /// Lines that ended.
  private(set) var number: UInt64 = 0

  init(
    _ place: Place, _ limits: Limits, _ reader: LogReader, from offset: UInt64
  ) {
    (self.place, self.limits, self.offset, leads) = (place, limits, offset, reader.leads)
    plain = PlainLineReader(place.choice, limits, reader)
  }

  /// Learns from the beginning what loggers put behind messages, before any of it is read.
  mutating func survey(_ beginning: RawSpan) { plain.survey(beginning, from: number) }

  /// - Parameter survey: of this chunk.
  mutating func receive(
    _ chunk: RawSpan, _ survey: LogSurvey, _ reader: inout LogReader
  ) {
    var start = 0
    if !carry.isEmpty || isOverlong {
      let end = chunk.firstIndex(of: .lineFeed)
      extend(chunk.extracting(0..<(end ?? chunk.byteCount)), &reader)
      guard let end else { return }
      endCarried(&reader)
      start = end + 1
    }
    let end = scan(chunk, from: start, survey, &reader)
    plain.gatherer.above.keep(chunk.extracting(start..<end))
    extend(chunk.dropping(end), &reader)
  }

  /// What comes next is the first line of another file.
  mutating func beginFile(in place: Place) {
    (self.place, offset, number) = (place, 0, 0)
    plain.gatherer.beginFile()
  }

  /// The last line of the file may have no end.
  mutating func endLine(_ reader: inout LogReader) {
    if !carry.isEmpty || isOverlong { endCarried(&reader) }
    plain.endWrapped(&reader)
  }

  /// No more comes: the last line may have no end.
  mutating func finish(_ reader: inout LogReader) {
    endLine(&reader)
    plain.finish(&reader)
  }

  /// Where the first line begins that waits although its message is complete.
  var waiting: UInt64? { plain.waiting }

  /// No lines come for now: reads what is complete.
  mutating func settle(_ reader: inout LogReader) { plain.settle(&reader) }

  /// All whole lines of a chunk; answers where the one begins that is not whole.
  private mutating func scan(
    _ chunk: RawSpan, from begin: Int, _ survey: LogSurvey, _ reader: inout LogReader
  ) -> Int {
    var start = readOn(chunk, from: begin, above: begin, &reader)
    // The line before, as far as it is in this chunk.
    var last: Range<Int>?
    for found in survey.lines where found.end >= start {
      let line = start..<found.end
      if isRead(found, chunk, line, survey, &reader) {
        keepLineAbove(chunk, last)
        last = nil
        read(
          chunk.extracting(line), above: chunk.extracting(begin..<start),
          found.lead.map { survey.leads[$0] }, &reader)
        start = readOn(chunk, from: found.end + 1, above: begin, &reader)
      } else {
        if plain.isAsked(number, reader) {
          plain.passOver(chunk.extracting(line), origin(), &reader)
        }
        last = line
        countLine(line.count)
        start = found.end + 1
      }
    }
    keepLineAbove(chunk, last)
    return start
  }

  /// Whether a line is read, and not passed over.
  @inline(__always)
  private func isRead(
    _ found: LogSurvey.Line, _ chunk: RawSpan, _ line: Range<Int>, _ survey: LogSurvey,
    _ reader: inout LogReader
  ) -> Bool {
    if line.count > limits.lineBytes { return true }
    guard let lead = found.lead else { return plain.mayWrap }
    return isWorthReading(chunk, line, survey.leads[lead], &reader)
  }

  /// Whether a line with a lead has more than lists of numbers that are no message.
  @inline(__always)
  private func isWorthReading(
    _ chunk: RawSpan, _ line: Range<Int>, _ lead: LogSurvey.Lead, _ reader: inout LogReader
  ) -> Bool {
    guard let numbers = lead.numbers, !place.choice.isForced else { return true }
    let (start, end) = (line.lowerBound, line.upperBound)
    var list = start + lead.at..<start + numbers
    while leads.packets.before(chunk, list.lowerBound, from: start) == nil,
      LogNumbers.areNone(chunk.extracting(list), reader.recogniser)
    {
      guard let next = leads.first(chunk, start, from: list.upperBound, to: end) else {
        if lead.list.start == lead.at, let shape = lead.list.shape { reader.note(strange: shape) }
        return false
      }
      guard let behind = LogNumbers.end(chunk, next) else { return true }
      list = next..<behind
    }
    return true
  }

  /// Reads lines for as long as what was read last may go on; returns where the next begins.
  ///
  /// - Parameter begin: where what stands above them begins in the chunk.
  @inline(__always)
  private mutating func readOn(
    _ chunk: RawSpan, from first: Int, above begin: Int, _ reader: inout LogReader
  ) -> Int {
    var start = first
    while plain.isOpen, let end = chunk.firstIndex(of: .lineFeed, from: start) {
      read(
        chunk.extracting(start..<end), above: chunk.extracting(begin..<start), nil, &reader)
      start = end + 1
    }
    return start
  }

  /// Where the line that is read begins, or something on it.
  func origin(at start: Int = 0) -> Origin {
    var origin = place.origin(offset + UInt64(start), record: number + 1)
    origin.isLine = true
    return origin
  }

  /// Counts a line and goes on to the next.
  private mutating func countLine(_ count: Int) {
    number += 1
    offset += UInt64(count) + 1
  }

  private mutating func keepLineAbove(_ chunk: RawSpan, _ last: Range<Int>?) {
    if let last { plain.gatherer.keepLineAbove(chunk.extracting(last)) }
  }

  /// More of a line that is not whole.
  private mutating func extend(_ bytes: RawSpan, _ reader: inout LogReader) {
    if isOverlong {
      offset += UInt64(bytes.byteCount)
      return
    }
    carry.append(bytes)
    if carry.count <= limits.lineBytes { return }
    reader.reportOverlong(origin())
    isOverlong = true
    offset += UInt64(carry.count)
    carry.removeAll()
    carry.shrink(above: 1 << 20)
  }

  private mutating func endCarried(_ reader: inout LogReader) {
    if isOverlong {
      isOverlong = false
      plain.gatherer.above.removeAll()
      return countLine(0)
    }
    var whole = carry
    carry = Scratch()
    whole.append(.lineFeed)
    // Read as it would have been in one piece.
    var survey = LogSurvey(leads)
    survey.look(at: whole.bytes)
    _ = scan(whole.bytes, from: 0, survey, &reader)
    plain.gatherer.above.keep(whole.bytes)
  }

  /// One whole line. One that was written over again and again, as progress is shown, has several
  /// parts: each is read as a line.
  ///
  /// - Parameters:
  ///   - above: what stands before it in the chunk.
  ///   - lead: what makes it worth reading, where it was looked at.
  private mutating func read(
    _ bytes: RawSpan, above: RawSpan, _ lead: LogSurvey.Lead?, _ reader: inout LogReader
  ) {
    defer { countLine(bytes.byteCount) }
    if bytes.byteCount > limits.lineBytes { return reader.reportOverlong(origin()) }
    let isPlain = lead?.isPlain == true
    let line = isPlain ? bytes : bytes.extracting(0..<PlainLine.end(bytes))
    let isOverwritten = !isPlain && line.firstIndex(of: .carriageReturn) != nil
    var start = 0
    repeat {
      let end = isOverwritten ? OverwrittenLine.end(line, from: start) : line.byteCount
      let part = line.extracting(start..<end)
      let text = isPlain ? LineText(plain: part) : LineText(part)
      if !isOverwritten {
        plain.read(
          PlainLine(
            text.bytes(of: part), chunkAbove: above, origin(at: text.margin),
            lead: isPlain && text.isUnchanged ? lead : nil), &reader)
      } else if !part.isEmpty {
        reader.forgetCopies()
        plain.read(
          PlainLine(text.bytes(of: part), origin(at: start + text.margin), isAlone: true), &reader)
      }
      start = end + 1
    } while start < line.byteCount
  }
}
