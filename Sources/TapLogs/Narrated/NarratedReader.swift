// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads lines that describe in words what was sent, and those that programs have printed into the
/// strings of records.
struct NarratedReader {
  private var narration: LogNarration
  private var reporter = LogNarratedReporter()
  /// Off for pasted text, and where a single format is read.
  private let isWanted: Bool
  /// Bytes of lines that are kept where the newest comes first.
  private let mostKept: Int

  init(_ logs: [any NarratedLog], _ choice: InputChoice, _ limits: Limits) {
    narration = LogNarration(logs, limits: limits)
    mostKept = limits.exportBytes
    isWanted = !choice.isPasted && choice.logFormat == nil
  }

  /// Where the first line that waits for more begins.
  var waiting: UInt64? { narration.waiting }

  /// Whether a line of this number may describe in words what was sent.
  @inline(__always)
  func isAsked(_ number: UInt64) -> Bool { narration.isAsked(number) }

  /// A line of a program that describes in words what was sent.
  ///
  /// - Returns: whether it is of a program whose log this is.
  mutating func read(_ line: RawSpan, _ origin: Origin, _ taker: inout LogTaker) -> Bool {
    let line = line.extracting(0..<PlainLine.end(line))
    if !isWanted { return false }
    if taker.reporter.order.isBackward {
      narration.keep(line, origin)
      if narration.keptOctets > mostKept {
        taker.reporter.order.noteParts()
        readKept(&taker)
      }
      return false
    }
    // What goes on with a line that is not read has lost a part of itself.
    if narration.breaksOff(at: line) { settle(&taker) }
    return narration.mayReport(line) && read(whole: line, origin, &taker)
  }

  /// Lines that were kept as the newest came first.
  mutating func readKept(_ taker: inout LogTaker) {
    for line in narration.takeKept() where narration.mayReport(line.text.span.bytes) {
      _ = read(whole: line.text.span.bytes, line.origin, &taker)
    }
  }

  private mutating func read(
    whole line: RawSpan, _ origin: Origin, _ taker: inout LogTaker
  ) -> Bool {
    narration.beginLine(origin.record)
    let fields = RecordString.fields(line)
    guard var strings = fields ?? RecordString.record(line) else {
      return read(text: line, from: nil, origin, &taker)
    }
    var found: [RecordString] = []
    while let string = strings.next(line) { found.append(string) }
    let order = taker.reporter.order
    if order.isBackward && order.isOneLine { found.reverse() }
    var copies = RecordCopies(of: .lines)
    var isReported = false
    for string in found {
      let place = string.open + 1..<string.close
      guard narration.mayReport(string.content(line)), let text = string.text(line),
        !copies.has(text.bytes, at: place, on: line),
        read(text.bytes, at: place, on: line, origin, &taker)
      else { continue }
      copies.add(text.bytes, endingAt: string.close)
      isReported = true
    }
    // Fields of logfmt may be the words of the line itself, and an object may go on there that
    // began on a line above.
    let mayReport = fields != nil || narration.waiting != nil
    return isReported || mayReport && read(text: line, from: nil, origin, &taker)
  }

  /// What a program has printed into a string of a record: a line, or several.
  private mutating func read(
    _ text: RawSpan, at range: Range<Int>, on line: RawSpan, _ origin: Origin,
    _ taker: inout LogTaker
  ) -> Bool {
    let clock = taker.factReader.clock
    var (record, moment) = (LogRecord(), origin)
    moment.set(
      taker.factReader.clock.time(of: range, from: 0, on: line, number: origin.record, &record)?
        .moment)
    let whole = LogLine(line, above: line.extracting(0..<0), origin, anchors: .program)
    var facts = LineFacts(of: whole)
    let source = taker.factReader.around(
      whole, string: range.lowerBound - 1..<range.upperBound, &facts
    ).source
    var (isReported, start) = (false, 0)
    while start < text.byteCount {
      var end = text.firstIndex(of: .lineFeed, from: start) ?? text.byteCount
      let next = end + 1
      end = text.beforeSpace(end, from: start)
      if end > start, read(text: text.extracting(start..<end), from: source, moment, &taker) {
        isReported = true
      }
      start = next
    }
    if !isReported { taker.factReader.clock = clock }
    return isReported
  }

  /// - Parameter source: who has written it, where its record says so.
  private mutating func read(
    text line: RawSpan, from source: String?, _ origin: Origin, _ taker: inout LogTaker
  ) -> Bool {
    if !narration.isKnown {
      for held in narration.probe(line, from: source, origin, taker.factReader.sources) {
        _ = read(narrated: held.text.span.bytes, from: held.source, held.origin, &taker)
      }
    }
    return narration.isKnown && read(narrated: line, from: source, origin, &taker)
  }

  private mutating func read(
    narrated line: RawSpan, from source: String?, _ origin: Origin, _ taker: inout LogTaker
  ) -> Bool {
    let isRead = narration.read(line, from: source, origin, &taker.factReader)
    if isRead {
      taker.reporter.tally.hasMessages = true
      taker.reporter.tally.use(line: origin.record)
    }
    report(&taker)
    return isRead
  }

  private mutating func report(_ taker: inout LogTaker) {
    reporter.report(narration.take(), taker.factReader.clock.caveats, &taker.reporter)
  }

  /// No lines that it waits for come.
  mutating func settle(_ taker: inout LogTaker) {
    narration.settle()
    report(&taker)
  }
}
