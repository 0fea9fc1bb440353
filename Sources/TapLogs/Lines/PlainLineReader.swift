// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads lines, each with the text that its program wrote: joins those that a console has wrapped,
/// removes what loggers put behind messages, and passes over the source of programs. What remains
/// describes in words what was sent (`NarratedReader`), or is for the gatherer.
///
/// Of lines without a lead, some say something all the same. To search all for it would cost too
/// much: the beginning of a log is searched, and all of it once there was one.
struct PlainLineReader {
  /// How many lines at the beginning are searched.
  private static let mostWatched: UInt64 = 1024

  private let limits: Limits
  private let keepsContext: Bool
  /// Reads the lines, each with those that belong to it.
  var gatherer: LineGatherer
  /// Some lines name the file of those below, `==> app.log <==`, or the stream.
  var hasHeadings = false
  /// Lines without a lead are searched for rare marks (`LogRareNotations`).
  private var isWatching = true
  /// A rare mark was found.
  private var hasRareAnchors = false
  /// What a report of tests that have failed contains here.
  private var report = PytestReport()
  /// What loggers put behind messages.
  private var trailers = LineTrailers()
  /// How many lines at the beginning were looked at for trailers before they are read.
  private var surveyed: UInt64 = 0
  /// A line that may continue on the next.
  private var wrapped: WrappedLine?

  init(_ choice: InputChoice, _ limits: Limits, _ reader: LogReader) {
    (self.limits, keepsContext) = (limits, choice.keepsContext)
    gatherer = LineGatherer(choice, limits, reader)
  }

  /// Any line may be one that a console has wrapped.
  var mayWrap: Bool { trailers.mayWrap }

  /// What was read last may go on in the next line.
  var isOpen: Bool { gatherer.gathered != nil || wrapped != nil }

  /// Whether a line without a lead is looked at for words that describe a message, for rare marks,
  /// or as context.
  @inline(__always)
  func isAsked(_ number: UInt64, _ reader: borrowing LogReader) -> Bool {
    isWatching || report.isOpen || report.isLive || keepsContext || reader.narrated.isAsked(number)
  }

  /// Learns from the beginning of a log what loggers put behind messages, before any of it is read.
  ///
  /// - Parameter number: lines before it.
  mutating func survey(_ beginning: RawSpan, from number: UInt64) {
    surveyed = number
    var start = 0
    while trailers.isLearning, let end = beginning.firstIndex(of: .lineFeed, from: start) {
      let ended = beginning.extracting(start..<end)
      let line = ended.extracting(0..<PlainLine.end(ended))
      let text = LineText(line)
      trailers.learn(from: text.bytes(of: line))
      surveyed += 1
      start = end + 1
    }
  }

  /// Reads a line, now or together with its continuation below.
  mutating func read(_ line: borrowing PlainLine, _ reader: inout LogReader) {
    let bytes = line.text
    if wrapped?.appendContinuation(bytes) == true { return }
    endWrapped(&reader)
    note(heading: bytes, line.origin, &reader)
    if report.isSource || isTraced(line) { return passOver(source: bytes, line.origin, &reader) }
    learn(from: bytes, line.origin)
    let end = trailers.end(bytes)
    wrapped = trailers.wrapped(bytes, end, line.origin)
    if wrapped == nil { handOn(PlainLine(line, withoutTrailerAt: end), &reader) }
  }

  /// A line without a lead: it holds nothing that is looked for on other lines.
  mutating func passOver(_ line: RawSpan, _ origin: Origin, _ reader: inout LogReader) {
    note(heading: line, origin, &reader)
    if !report.isSource && narrate(unread: line, origin, &reader) { return }
    reportContext(line, origin, &reader)
    if !report.isSource { watch(line, origin, &reader) }
  }

  /// Reads the line that may have been wrapped: no more of it follows.
  mutating func endWrapped(_ reader: inout LogReader) {
    guard let line = wrapped.take() else { return }
    handOn(
      PlainLine(line.text.bytes, line.origin, height: line.height, isAlone: true), &reader)
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

  /// No more lines come.
  mutating func finish(_ reader: inout LogReader) {
    endWrapped(&reader)
    gatherer.finish(&reader)
  }

  private mutating func handOn(_ line: borrowing PlainLine, _ reader: inout LogReader) {
    if hasHeadings, let shown = DissectedLine.shown(line.text) {
      reader.note(heading: line.text, line.origin)
      return handOn(PlainLine(line, only: shown), &reader)
    }
    if Self.narrate(line.text, line.origin, &reader) { return gatherer.keepLineAbove(line.text) }
    // No message goes on below: `[Stream index: 3]`, which looks like a list itself.
    if hasHeadings && DissectedLine.stream(line.text) != nil {
      gatherer.finish(&reader)
      reader.taker.factReader.sources.note(heading: line.text)
    }
    if !gatherer.receive(line, &reader) { watch(line.text, line.origin, &reader) }
  }

  /// A line that may be a heading of a report of tests.
  private mutating func note(heading line: RawSpan, _ origin: Origin, _ reader: inout LogReader) {
    report.note(line)
    if report.isLive { reader.taker.judge.tests.begin(report.section, at: origin.record) }
  }

  private mutating func learn(from line: RawSpan, _ origin: Origin) {
    if trailers.isLearning && origin.record > surveyed { trailers.learn(from: line) }
  }

  /// A line that may describe in words what was sent; answers whether it does.
  @inline(__always)
  private static func narrate(
    _ line: RawSpan, _ origin: Origin, _ reader: inout LogReader
  ) -> Bool {
    reader.narrated.isAsked(origin.record - 1)
      && reader.narrated.read(line, origin, &reader.taker)
  }

  /// The same of a line that need not be read otherwise.
  private mutating func narrate(
    unread line: RawSpan, _ origin: Origin, _ reader: inout LogReader
  ) -> Bool {
    guard reader.narrated.isAsked(origin.record - 1) else { return false }
    let text = LineText(line)
    let bytes = text.bytes(of: line)
    learn(from: bytes, origin)
    return Self.narrate(bytes.extracting(0..<trailers.end(bytes)), origin, &reader)
  }

  /// Whether it is source that a traceback shows.
  private func isTraced(_ line: borrowing PlainLine) -> Bool {
    if line.isAlone || !TracebackSource.mayBe(line.text) { return false }
    let frame = gatherer.above.last(line.chunkAbove)
    return TracebackSource.isSource(line.text, below: frame.bytes)
  }

  /// A line of the source of a test, or of a program.
  private mutating func passOver(
    source line: RawSpan, _ origin: Origin, _ reader: inout LogReader
  ) {
    gatherer.giveUp(&reader)
    reportContext(line, origin, &reader)
    gatherer.keepLineAbove(line)
  }

  private func reportContext(_ line: RawSpan, _ origin: Origin, _ reader: inout LogReader) {
    guard keepsContext else { return }
    let text = ANSI.stripped(line)
    reader.reportContext(text.bytes, origin)
  }

  /// A line that has no message.
  private mutating func watch(_ line: RawSpan, _ origin: Origin, _ reader: inout LogReader) {
    guard isWatching else { return }
    let isAtBeginning = origin.record <= Self.mostWatched
    isWatching = isAtBeginning || hasRareAnchors || hasHeadings
    if !isWatching { return }
    if isAtBeginning { reader.checkByteless(line) }
    if hasHeadings { reader.note(heading: line, origin) }
    if line.byteCount > limits.lineBytes || !LogRareNotations.isMarked(line) { return }
    if reader.readRare(line, origin) { hasRareAnchors = true }
  }
}
