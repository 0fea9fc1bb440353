// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Cuts a log into lines and passes on those that may hold a message; see `LogLeads`.
struct LogLines {
  private(set) var place: Place
  let limits: Limits
  let leads: LogLeads
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  /// The line is too long, and skipped to its end.
  private var isOverlong = false
  /// Reads the lines, each with those that belong to it.
  var gatherer: LineGatherer
  /// The offset of the line that begins next, in bytes of the file.
  private(set) var offset: UInt64
  /// Some lines name the file of those below: `==> app.log <==`.
  var hasHeadings = false
  /// Lines without a lead are searched for rare marks (`LogRareNotations`).
  var isWatching = true
  /// What a report of tests that have failed contains here.
  var report = PytestReport()
  /// What loggers put behind messages.
  var trailers = LineTrailers()
  /// A line that may continue on the next.
  var wrapped: WrappedLine?
  /// How many lines at the beginning were looked at for trailers before they are read.
  private(set) var surveyed: UInt64 = 0
  /// A rare mark was found.
  var hasRareAnchors = false
  /// Lines that ended.
  private(set) var number: UInt64 = 0

  init(
    _ place: Place, _ limits: Limits, _ reader: LogReader, from offset: UInt64
  ) {
    (self.place, self.limits, self.offset, leads) = (place, limits, offset, reader.leads)
    gatherer = LineGatherer(place.choice, limits, reader)
  }

  /// Learns from the beginning what loggers put behind messages, before any of it is read.
  mutating func survey(_ beginning: RawSpan) {
    surveyed = number
    var start = 0
    while trailers.isLearning, let end = beginning.firstIndex(of: .lineFeed, from: start) {
      let ended = beginning.extracting(start..<end)
      let line = ended.extracting(0..<PlainLine.end(ended))
      if line.firstIndex(of: 0x1B) == nil {
        trailers.learn(from: line)
      } else {
        let text = ANSI.stripped(line)
        trailers.learn(from: text.bytes)
      }
      surveyed += 1
      start = end + 1
    }
  }

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
    gatherer.above.keep(chunk.extracting(start..<end))
    extend(chunk.dropping(end), &reader)
  }

  /// What comes next is the first line of another file.
  mutating func beginFile(in place: Place) {
    (self.place, offset, number) = (place, 0, 0)
    gatherer.beginFile()
  }

  /// The last line of the file may have no end.
  mutating func endLine(_ reader: inout LogReader) {
    if !carry.isEmpty || isOverlong { endCarried(&reader) }
    endWrapped(&reader)
  }

  /// No more comes: the last line may have no end.
  mutating func finish(_ reader: inout LogReader) {
    endLine(&reader)
    gatherer.finish(&reader)
  }

  /// Where the first line begins that waits although its message is complete.
  var waiting: UInt64? {
    [gatherer.waiting, wrapped?.origin.offset].compactMap { $0 }.min()
  }

  /// No lines come for now: reads what is complete.
  mutating func settle(_ reader: inout LogReader) {
    endWrapped(&reader)
    gatherer.settle(&reader)
  }

  /// All whole lines of a chunk; answers where the one begins that is not whole.
  private mutating func scan(
    _ chunk: RawSpan, from begin: Int, _ survey: LogSurvey, _ reader: inout LogReader
  ) -> Int {
    var start = readGathering(chunk, from: begin, above: begin, &reader)
    // The line before, as far as it is in this chunk.
    var last: Range<Int>?
    for found in survey.lines where found.end >= start {
      let end = found.end
      if let number = found.lead {
        let lead = survey.leads[number]
        guard isWorthReading(chunk, start, lead, end, reader.recogniser) else {
          if lead.list.start == lead.at, let shape = lead.list.shape {
            reader.note(strange: shape)
          }
          passOver(chunk, start..<end, &last, &reader)
          start = end + 1
          continue
        }
        keepLineAbove(chunk, last)
        last = nil
        readLine(
          chunk.extracting(start..<end), above: chunk.extracting(begin..<start),
          known: lead, &reader)
        start = readGathering(chunk, from: end + 1, above: begin, &reader)
      } else if trailers.mayWrap {
        keepLineAbove(chunk, last)
        last = nil
        readLine(
          chunk.extracting(start..<end), above: chunk.extracting(begin..<start), &reader)
        start = readGathering(chunk, from: end + 1, above: begin, &reader)
      } else {
        passOver(chunk, start..<end, &last, &reader)
        start = end + 1
      }
    }
    keepLineAbove(chunk, last)
    return start
  }

  /// A line that need not be read.
  @inline(__always)
  private mutating func passOver(
    _ chunk: RawSpan, _ line: Range<Int>, _ last: inout Range<Int>?, _ reader: inout LogReader
  ) {
    let isAsked =
      isWatching || report.isOpen || place.choice.keepsContext || reader.narrated.isAsked(number)
    if isAsked || line.count > limits.lineBytes {
      return passOverAsked(chunk, line, &last, &reader)
    }
    last = line
    countLine(line.count)
  }

  /// The same where lines are asked for more: words that describe a message, context, rare marks.
  @inline(never)
  private mutating func passOverAsked(
    _ chunk: RawSpan, _ line: Range<Int>, _ last: inout Range<Int>?, _ reader: inout LogReader
  ) {
    report.note(chunk.extracting(line))
    if line.count > limits.lineBytes {
      reader.reportOverlong(origin())
      keepLineAbove(chunk, last)
      last = nil
    } else if !report.isSource && narrate(unread: chunk.extracting(line), &reader) {
      last = line
      return countLine(line.count)
    } else {
      if place.choice.keepsContext { reportContext(chunk.extracting(line), &reader) }
      last = line
    }
    if isWatching && !report.isSource { watch(chunk.extracting(line), &reader) }
    countLine(line.count)
  }

  /// Whether a line with a lead has more than lists of numbers that are no message.
  @inline(__always)
  private func isWorthReading(
    _ chunk: RawSpan, _ start: Int, _ lead: LogSurvey.Lead, _ end: Int,
    _ recogniser: any TextRecogniser
  ) -> Bool {
    guard let numbers = lead.numbers, !place.choice.isForced else { return true }
    var list = start + lead.at..<start + numbers
    while LogNumbers.areNone(chunk.extracting(list), recogniser) {
      guard let next = leads.first(chunk, start, from: list.upperBound, to: end) else {
        return false
      }
      guard let behind = LogNumbers.end(chunk, next) else { return true }
      list = next..<behind
    }
    return true
  }

  /// Reads lines for as long as something is gathered; returns where the next begins.
  ///
  /// - Parameter begin: where what stands above them begins in the chunk.
  @inline(__always)
  private mutating func readGathering(
    _ chunk: RawSpan, from first: Int, above begin: Int, _ reader: inout LogReader
  ) -> Int {
    var start = first
    while gatherer.gathered != nil || wrapped != nil {
      guard let end = chunk.firstIndex(of: .lineFeed, from: start) else { break }
      readLine(
        chunk.extracting(start..<end), above: chunk.extracting(begin..<start), &reader)
      start = end + 1
    }
    return start
  }

  /// Reports a line as context.
  @inline(never)
  func reportContext(_ line: RawSpan, _ reader: inout LogReader) {
    let text = ANSI.stripped(line)
    reader.reportContext(text.bytes, origin())
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
    if let last { gatherer.keepLineAbove(chunk.extracting(last)) }
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
      gatherer.above.removeAll()
      return countLine(0)
    }
    var whole = carry
    carry = Scratch()
    whole.append(.lineFeed)
    // Read as it would have been in one piece.
    var survey = LogSurvey(leads)
    survey.look(at: whole.bytes)
    _ = scan(whole.bytes, from: 0, survey, &reader)
    gatherer.above.keep(whole.bytes)
  }

  /// One whole line.
  ///
  /// - Parameters:
  ///   - above: what stands before it in the chunk.
  ///   - known: what makes it worth reading, where it was looked at.
  private mutating func readLine(
    _ bytes: RawSpan, above: RawSpan = RawSpan(), known: LogSurvey.Lead? = nil,
    _ reader: inout LogReader
  ) {
    if bytes.byteCount > limits.lineBytes {
      reader.reportOverlong(origin())
    } else if let known, known.isPlain {
      readPlain(PlainLine(bytes, chunkAbove: above, origin(), lead: known), &reader)
    } else {
      let line = bytes.extracting(0..<PlainLine.end(bytes))
      if line.firstIndex(of: .carriageReturn) != nil {
        readOverwritten(line, &reader)
      } else {
        readText(line, above: above, &reader)
      }
    }
    countLine(bytes.byteCount)
  }

  /// A line that was written over again and again, as progress is shown: each part is read as a
  /// line.
  private mutating func readOverwritten(
    _ bytes: RawSpan, _ reader: inout LogReader
  ) {
    var start = 0
    while start < bytes.byteCount {
      let end = OverwrittenLine.end(bytes, from: start)
      if end > start {
        reader.forgetCopies()
        readText(bytes.extracting(start..<end), at: start, isOverwritten: true, &reader)
      }
      start = end + 1
    }
  }

  /// The text of a line, or of a part of one.
  private mutating func readText(
    _ bytes: RawSpan, at start: Int = 0, above: RawSpan = RawSpan(), isOverwritten: Bool = false,
    _ reader: inout LogReader
  ) {
    if bytes.firstIndex(of: 0x1B) == nil {
      let margin = Self.margin(bytes)
      readPlain(
        PlainLine(
          bytes.dropping(margin), chunkAbove: above, origin(at: start + margin),
          isAlone: isOverwritten), &reader)
    } else {
      let text = ANSI.stripped(bytes)
      readPlain(
        PlainLine(
          text.bytes, chunkAbove: above, origin(at: start), isAlone: isOverwritten), &reader)
    }
  }

  /// CR and ESC.
  static let controls: UInt64 = 0x0D1B_0D1B_0D1B_0D1B

  /// Whether a line can be read as it stands, as most can: it has no escape sequences, no bytes
  /// ahead of it that say nothing, and no parts that were written over.
  ///
  /// - Parameter at: where the first CR or ESC stands, or else the line ends.
  static func isPlain(_ line: RawSpan, control at: Int) -> Bool {
    if margin(line) > 0 { return false }
    return at == line.byteCount || at == line.byteCount - 1 && line.byte(at: at) == .carriageReturn
  }

  /// Bytes ahead of a line that say nothing: the mark of UTF-8, NUL, a form feed.
  @inline(__always)
  private static func margin(_ line: RawSpan) -> Int {
    guard line.byteCount > 0 else { return 0 }
    let first = line.byte(at: 0)
    return first == 0xEF || first == 0 || first == 0x0C ? wholeMargin(line) : 0
  }

  @inline(never)
  private static func wholeMargin(_ line: RawSpan) -> Int {
    var at = 0
    while at < line.byteCount {
      if line.byte(at: at) == 0 || line.byte(at: at) == 0x0C {
        at += 1
      } else if line.dropping(at).starts(with: "\u{FEFF}") {
        at += 3
      } else {
        break
      }
    }
    return at
  }

  private mutating func readPlain(_ line: borrowing PlainLine, _ reader: inout LogReader) {
    guard let text = SyslogEscapes.undone(line.text) else { return readWrapped(line, &reader) }
    readWrapped(
      PlainLine(
        text.bytes, chunkAbove: line.chunkAbove, line.origin, isAlone: line.isAlone),
      &reader)
  }
}
