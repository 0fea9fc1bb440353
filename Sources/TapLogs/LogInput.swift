// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// A log: lines of text, some of which contain messages. It is asked last of all inputs and takes
/// any text that no other input claims.
public struct LogInput: InputKind {
  public static let name: StaticString = "log"

  /// What `--input` calls each format of a log.
  public static var formats: [String] { LogFormats.all.map { "\($0.name)" } }

  /// How many bytes of the beginning are looked at, at most.
  private static let looked = 1024
  /// How many of them at least, even if the first line is shorter.
  private static let least = 16

  /// Bytes of the beginning that show how its lines are ordered.
  private static let beginning = 16 << 10

  private var lines: LogLines
  private var reader: LogReader
  /// The beginning, until it shows in which order the lines are.
  private var head: Scratch?
  /// The first line, until it ends or has `looked` bytes: it shows whether the log has headings, or
  /// is an access log.
  private var first: Scratch? = Scratch()
  private var appended: AppendedUTF16
  private var xml = XMLEntities()
  /// The survey of a chunk that came without one.
  private var survey: LogSurvey

  public init(_ place: Place, limits: Limits) {
    if let before = (place.choice.succession as? LogSuccession)?.take() {
      self = before
      beginFile(in: place)
    } else {
      self.init(place, limits: limits, from: 0)
    }
  }

  /// - Parameter offset: where in the file it begins.
  init(_ place: Place, limits: Limits, from offset: UInt64) {
    reader = LogReader(place, limits)
    lines = LogLines(place, limits, reader, from: offset)
    survey = LogSurvey(reader.leads)
    appended = AppendedUTF16(from: offset)
    if Self.holdsHead(place) { head = Scratch() }
  }

  /// Whether the beginning may be held back: all of the input is there, or a live reader says when
  /// no more comes.
  private static func holdsHead(_ place: Place) -> Bool {
    place.choice.isWhole || place.choice.isLive
  }

  /// Text is mostly valid UTF-8 with few control characters; in another encoding, at least half of
  /// it is ASCII and it has no control character. NULs ahead of it are skipped: a file that was
  /// truncated while its writer had it open begins with them. Only the first line is judged, so
  /// that a log can be read while it is written.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let start = head.behind(0) { $0 == 0 }
    let line = head.firstIndex(of: .lineFeed, from: min(start + least, head.byteCount))
    guard isAll || line != nil || head.byteCount >= start + looked else { return .undecided }
    let text = head.extracting(start..<min(line ?? head.byteCount, start + looked))
    if text.isEmpty { return .no }
    var (controls, ascii, invalid) = (0, 0, 0)
    var at = 0
    while at < text.byteCount {
      let byte = text.byte(at: at)
      if byte < 0x80 {
        let isSpace = (0x08...0x0D).contains(byte) || byte == 0x1B || byte == 0x1E
        if isSpace || (0x20..<0x7F).contains(byte) { ascii += 1 } else { controls += 1 }
        at += 1
      } else if let scalar = UTF8.scalar(in: text, at: at) {
        at += scalar.length
      } else {
        invalid += 1
        at += 1
      }
    }
    if controls == 0 && ascii * 2 >= text.byteCount { return .yes }
    return start == 0 && (controls + invalid) * 10 <= text.byteCount ? .yes : .no
  }

  /// Whether a text has something in it that may be a message, or the mark of one.
  ///
  /// - Parameter leads: nil where it is not known what dialects there are.
  public static func mayHold(_ text: RawSpan, _ leads: LogLeads? = nil) -> Bool {
    (leads ?? LogFormats.leads).survey(text).first != nil
  }

  /// Whether a text that is complete has messages on its lines.
  public static func holdsMessages(
    _ text: RawSpan, limits: Limits, choice: InputChoice
  ) -> Bool {
    let listener = NullSink()
    var log = LogInput(Place(input: 0, choice: choice), limits: limits, from: 0)
    log.receive(text, listener)
    log.endLine(listener)
    return log.hasMessages
  }

  /// Whether a message was found so far.
  var hasMessages: Bool { reader.hasMessages }

  /// Ends the last line, although no line feed follows it.
  mutating func endLine(_ sink: any EvidenceSink) {
    endReplacing(sink)
    endHead(sink)
    begin(sink)
    reader.sink = sink
    lines.finish(&reader)
    reader.endReporting()
  }

  public mutating func receive(
    _ chunk: RawSpan, _ survey: any ChunkSurvey, _ sink: any EvidenceSink
  ) {
    guard let survey = survey as? LogSurvey, !survey.hasNUL, head == nil, first == nil,
      !xml.mayReplace
    else { return search(chunk, sink) }
    appended.pass(chunk.byteCount)
    pass(chunk, survey, sink)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    guard head == nil, first == nil, !xml.mayReplace else { return search(chunk, sink) }
    survey.look(at: chunk)
    receive(chunk, survey, sink)
  }

  /// Takes bytes that may contain NUL (UTF-16 that was appended) or entities, or that belong to the
  /// beginning.
  private mutating func search(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    guard let (start, found) = appended.find(in: chunk) else { return replace(chunk, sink) }
    replace(chunk.extracting(0..<found), sink)
    sink.finding(
      .logEncodingChanged, .warning, reader.place.origin(start),
      "the log goes on in UTF-16 at \(reader.place.byte(start)): messages from there on are not"
        + " found")
    replace(chunk.dropping(found), sink)
  }

  /// Replaces the entities of a document of XML.
  private mutating func replace(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if !xml.mayReplace { return hold(chunk, sink) }
    var text = Scratch()
    xml.replace(chunk, into: &text)
    reader.lists.isReplaced = xml.isDocument
    hold(text.bytes, sink)
  }

  /// No more comes of a document of XML.
  private mutating func endReplacing(_ sink: any EvidenceSink) {
    if !xml.mayReplace { return }
    var text = Scratch()
    xml.finish(into: &text)
    hold(text.bytes, sink)
  }

  /// The beginning waits until there is enough of it.
  private mutating func hold(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if head == nil { return take(chunk, sink) }
    head!.append(chunk)
    if head!.count >= Self.beginning { endHead(sink) }
  }

  private mutating func endHead(_ sink: any EvidenceSink) {
    guard let head = head.take() else { return }
    lines.survey(head.bytes)
    // Only a log that is all there can be told from its end. A live one is reported as its lines
    // come.
    if reader.place.choice.isWhole {
      let text = head.bytes.extracting(0..<min(head.count, Self.beginning))
      if !reader.place.choice.keepsContext && !reader.taker.reporter.order.isBackward {
        reader.taker.reporter.order = LogOrder(text)
      }
    }
    take(head.bytes, sink)
  }

  private mutating func take(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if first == nil { return pass(chunk, sink) }
    let end = chunk.firstIndex(of: .lineFeed) ?? chunk.byteCount
    let count = min(end, Self.looked - first!.count)
    first!.append(chunk.extracting(0..<count))
    guard end < chunk.byteCount || first!.count >= Self.looked else { return }
    begin(sink)
    pass(chunk.dropping(count), sink)
  }

  /// Reads from the first line whether the log has headings, and whether it is an access log.
  private mutating func begin(_ sink: any EvidenceSink) {
    guard let line = first else { return }
    lines.plain.hasHeadings =
      LogSources.heading(line.bytes) != nil || DissectedLine.begins(line.bytes)
    first = nil
    reader.taker.reporter.tally.isAccessLog = Self.isAccess(line.bytes)
    pass(line.bytes, sink)
  }

  private mutating func pass(_ text: RawSpan, _ sink: any EvidenceSink) {
    survey.look(at: text)
    pass(text, survey, sink)
  }

  private mutating func pass(_ text: RawSpan, _ survey: LogSurvey, _ sink: any EvidenceSink) {
    reader.sink = sink
    lines.receive(text, survey, &reader)
    reader.endReporting()
  }

  /// Whether a line is one of an access log: a request in quotes, and a status behind it.
  private static func isAccess(_ line: RawSpan) -> Bool {
    var at = 0
    while let quote = line.firstIndex(of: .quote, from: at) {
      at = quote + 1
      guard quote > 8, at + 4 <= line.byteCount, line.byte(at: at) == .space,
        (1...3).allSatisfy({ line.byte(at: at + $0).isDigit })
      else { continue }
      let version = line.dropping(quote - 8)
      if version.starts(with: "HTTP/1.") || line.dropping(quote - 6).starts(with: "HTTP/") {
        return true
      }
    }
    return false
  }

  public var waiting: UInt64? {
    if head?.isEmpty == false { return 0 }
    return [lines.waiting, reader.waiting].compactMap { $0 }.min()
  }

  public mutating func settle(_ sink: any EvidenceSink) {
    if head?.isEmpty == false { endHead(sink) }
    reader.sink = sink
    lines.settle(&reader)
    reader.settle()
    reader.endReporting()
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    endReplacing(sink)
    endHead(sink)
    begin(sink)
    reader.sink = sink
    if let succession = reader.place.choice.succession as? LogSuccession, !succession.isLast {
      lines.endLine(&reader)
      // Where lists stand is known within one file.
      reader.taker.endContext()
      reader.endReporting()
      return succession.keep(self)
    }
    lines.finish(&reader)
    endFile()
    reader.finish()
    reader.endReporting()
  }

  private mutating func endFile() {
    reader.taker.reporter.tally.endFile(lines: lines.number)
  }

  /// What comes now is another file of the same log.
  private mutating func beginFile(in place: Place) {
    endFile()
    reader.place = place
    lines.beginFile(in: place)
    first = Scratch()
    appended = AppendedUTF16(from: 0)
    if Self.holdsHead(place) { head = Scratch() }
  }
}
