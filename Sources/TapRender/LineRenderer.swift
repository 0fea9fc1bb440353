// SPDX-License-Identifier: Apache-2.0
public import TapBytes
import TapEncodings
public import TapTraffic

/// One message, one line: time, connection, direction, name, ids in words, subject, payload, and
/// how long the answer took.
public struct LineRenderer: Renderer {
  /// Where the latency of an answer ends, if the line leaves room for it.
  static let latencyColumn = 106
  /// `  96.3 ms`: what it takes at the end of a line that is cut.
  private static let latencyColumns = 9
  /// Ids above are shown by their ends where room is scarce.
  private static let longestID: UInt64 = 9_999_999_999
  static let longestTextID = 20

  let options: Options
  let style: Style
  // Of the options, what every line asks for: taking it out of them would copy them all.
  private let showsAll: Bool
  private(set) var width: Int?
  /// Columns to which messages are cut; nil where they are not.
  private var cut: Int?
  let mostPayloadBytes: Int
  let isRelative: Bool
  let showsNumbers: Bool
  /// There is one input only.
  private let isAlone: Bool
  var since = TimeSinceStart()
  /// What the time of the last line between messages took.
  var contextColumns = 0
  /// `#1 →` by connection and direction, and names filled up to their column.
  private var marks = TextCache(512)
  private var names = TextCache(64)
  /// For the times that are not relative.
  private var times: TimeColumn
  /// Digits of the largest number of a connection.
  private var digits = 1
  /// The names of values of the message that comes next.
  private var namings = ContiguousArray<NamedValue>()
  /// Whether the subject of the message that is reported is inferred.
  private var isSubjectInferred = false
  /// Whether the message that comes next matches the filter is not known.
  private var isPossibleMatch = false

  public init(_ options: Options) {
    self.options = options
    style = Style(isColored: options.isColored)
    times = TimeColumn(options.time, zone: options.zone)
    (showsAll, width) = (options.showsAll, options.width)
    cut = options.cutsLines ? options.width : nil
    mostPayloadBytes = options.mostPayloadBytes
    isRelative = options.time == .relative
    showsNumbers = options.showsLineNumbers
    isAlone = options.inputs.isEmpty
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    makeRoom(for: connection)
    if options.isQuiet { return }
    let begin = text.count
    let input = Int(delivery.origin.input)
    OpeningText.append(
      opening, connection, showsSuite: options.showsTree,
      input: input < options.inputs.count ? options.inputs[input] : "", &text)
    if let width { TextLayout.wrap(&text, from: begin, to: width, indent: 4) }
    text.append("\n")
  }

  public mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  public mutating func begins(at time: Instant) { since.begin(at: time) }

  public mutating func nextMayMatch() { isPossibleMatch = true }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    if message.traits.contains(.isControl), !showsAll, !view.isPasted { return false }
    if width != nil { measure() }
    let begin = text.count
    time(message.origin, &text)
    let direction = message.origin.direction
    let mark = UInt64(view.joined.connection) << 2 | UInt64(direction.rawValue)
    if !marks.append(mark, to: &text) {
      let start = text.count
      place(direction, view.joined.connection, arrow(direction), &text)
      marks.keep(mark, from: start, of: text)
    }
    if isPossibleMatch {
      text.append("? ")
      isPossibleMatch = false
    }
    let key = UInt64(UInt(bitPattern: message.name.utf8Start))
    if style.isColored || !names.append(key, to: &text) {
      let start = text.count
      style.begin(message.traits.contains(.isFailure) ? .failure : .name, &text)
      text.append(symbol: message.name)
      style.end(&text)
      text.append(spaces: max(12 - message.name.utf8CodeUnitCount, 2))
      if !style.isColored { names.keep(key, from: start, of: text) }
    }
    isSubjectInferred = view.joined.isSubjectInferred
    let start = text.count
    let saved = cut == nil || namings.isEmpty ? nil : namings
    var line = fields(message, view, without: .nothing, into: &text)
    if let cut {
      let room = cut - (view.joined.latency < 0 ? 0 : Self.latencyColumns)
      for omission in [LineOmission.standIns, .ids] where text.bytes.columns(from: begin) > room {
        // The ids of a failure go before its reason is cut.
        let rest = line.reasonEnd == 0 ? 0 : text.bytes.columns(from: line.reasonEnd)
        let isReasonCut = line.reasonEnd > 0 && text.bytes.columns(from: begin) - rest > room
        if omission == .ids && !isReasonCut { break }
        text.truncate(start)
        if let saved { namings = saved }
        line = fields(message, view, without: omission, into: &text)
      }
    }
    // An arrow, which is one column of three bytes.
    if view.joined.connection > 0 { line.extra += 2 }
    if text.count == line.start { TextLayout.removeTrailingSpaces(&text) }
    let precision = min(message.origin.precision, view.joined.precision)
    let latency = LatencyField(
      nanoseconds: view.joined.latency, precision: precision, style: style)
    Self.end(from: begin, with: latency, line, cut, &text)
    text.append(byte: .lineFeed)
    return true
  }

  /// What stands behind the name.
  ///
  /// - Parameter omission: what is left out.
  private mutating func fields(
    _ message: Message, _ view: MessageView, without omission: LineOmission,
    into text: inout TextBuffer
  ) -> LineFields {
    let (bytes, subject) = (view.bytes, view.subject)
    var line = LineFields(text.count)
    line.isSimple = !style.isColored
    // `CALL request 3`, but `code 1000 normal closure`.
    let isCoded = message.traits.contains(.bodyInNotes)
    if !isCoded { Self.about(message, &line, &text) }
    if !view.notes.isEmpty { Self.texts(.id, of: message, view, isCut: cut != nil, &line, &text) }
    var subjectIsShown = subject.isEmpty
    for number in 0..<3 {
      let link = message.link(number)
      if link.role == .none { continue }
      // What it stands for is shown.
      if omission.drops(link, hasSubject: !subject.isEmpty) { continue }
      id(link, subject, &subjectIsShown, &line, &text)
    }
    if isCoded {
      line.isGlued = true
      Self.about(message, &line, &text)
      line.isGlued = false
    }
    if !subjectIsShown { append(subject: subject, &line, &text) }
    if !view.notes.isEmpty { Self.texts(.fact, of: message, view, isCut: cut != nil, &line, &text) }
    if !message.reason.isEmpty && !view.hasWord(forReasonOf: message) {
      line.separate(&text)
      // Where the subject is not known, the error must not be taken for it.
      if subject.isEmpty && message.first.isShown && !isCoded { text.append("error ") }
      Self.append(text: bytes[message.reason], of: message, &line, &text)
      line.reasonEnd = text.count
      if !view.notes.isEmpty {
        Self.texts(.explanation, of: message, view, isCut: cut != nil, &line, &text)
      }
    }
    if !namings.isEmpty {
      line.separate(&text)
      line.isSimple = NamingText.append(&namings, style, &text) && line.isSimple
    }
    Self.payload(message, bytes, most: mostPayloadBytes, &line, &text)
    return line
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    // A connection that stays closed has no other line.
    let isLine = finding.sealed != nil && !options.isQuiet
    if !isLine && !options.showsNotes && (finding.severity == .note || finding.isSaidByMessage) {
      return
    }
    measure()
    let begin = text.count
    prefix(finding.origin, connection, "!", &text)
    let indent = text.bytes.columns(from: begin) + 2
    style.begin(finding.severity == .error ? .failure : .warning, &text)
    text.append(finding.code.text)
    style.end(&text)
    text.append("  ")
    let input = Int(finding.origin.input)
    if finding.origin.isLine && finding.origin.record > 0 {
      options.append(place: finding.origin, to: &text)
      text.append(": ")
    } else if connection == 0 && input < options.inputs.count {
      text.append(escaping: options.inputs[input])
      text.append(": ")
    }
    text.append(escaping: finding.text)
    if showsAll {
      let source = options.source(of: finding)
      if !source.isEmpty { text.append(" · \(source)") }
    }
    if let width { TextLayout.wrap(&text, from: begin, to: width, indent: indent) }
    text.append("\n")
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    // A CLOSE frame has its own line; only an end without one needs to be reported.
    if options.isQuiet || closing.hasFrame || closing.isUnfinished { return }
    prefix(delivery.origin, connection, "·", &text)
    style.begin(.dim, &text)
    text.append("closed")
    switch closing.by {
    case .toServer: text.append(" by the client")
    case .toClient: text.append(" by the server")
    case .unknown: break
    }
    if closing.isReset {
      text.append(": reset")
    } else if let code = closing.code {
      // An export says what the frame said, and not who sent it.
      text.append(": code ")
      text.append(decimal: UInt64(code))
      if !closing.reason.isEmpty {
        text.append(" · ")
        text.append(escaping: String(decoding: closing.reason, as: Unicode.UTF8.self))
      }
    } else if closing.transportEnd.utf8CodeUnitCount > 0 {
      text.append(": ")
      text.append(closing.transportEnd)
    }
    if closing.isEndMissed {
      text.append(", and what was sent last was not captured")
    } else if closing.endsWithFrame && closing.code == nil {
      text.append(", no CLOSE frame")
    }
    style.end(&text)
    text.append("\n")
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    if options.isQuiet || !summary.isWorthALine { return }
    SummaryLine.appendLine(
      summary, showsNotes: options.showsNotes, width: width, style, to: &text)
  }

  /// The terminal may have another width by now.
  private mutating func measure() {
    guard let current = options.currentWidth?() else { return }
    width = current
    if cut != nil { cut = current }
  }

  /// Time, connection and direction; left out where the evidence has none.
  private mutating func prefix(
    _ origin: Origin, _ connection: UInt32, _ mark: StaticString, _ text: inout TextBuffer
  ) {
    time(origin, &text)
    place(origin.direction, connection, mark, &text)
  }

  @inline(__always)
  mutating func time(_ origin: Origin, _ text: inout TextBuffer) {
    if showsNumbers { number(origin, &text) }
    guard origin.time.isKnown else { return }
    // On lines that are cut, nanoseconds would take room from the message.
    let precision = cut == nil ? origin.precision : min(origin.precision, 6)
    if isRelative {
      since.append(origin.time, precision, to: &text)
    } else {
      // With several inputs, a time without a zone is taken as UTC, and shown so.
      let isLocal = origin.isLocal && isAlone
      times.append(origin.time, precision, isLocal: isLocal, of: origin, to: &text)
    }
    text.append("  ")
  }

  /// Keeps what stands behind the numbers of connections in its column.
  private mutating func makeRoom(for connection: UInt32) {
    var (size, limit) = (1, 10)
    while connection >= limit { (size, limit) = (size + 1, limit * 10) }
    if size <= digits { return }
    digits = size
    marks = TextCache(512)
  }

  private func place(
    _ direction: Direction, _ connection: UInt32, _ mark: StaticString, _ text: inout TextBuffer
  ) {
    if connection > 0 {
      let begin = text.count
      style.begin(connection: connection, &text)
      text.append("#")
      text.append(decimal: UInt64(connection))
      style.end(&text)
      text.append(spaces: digits + 2 - text.bytes.columns(from: begin))
    }
    if connection > 0 || direction != .unknown || mark.utf8CodeUnitCount == 1 {
      text.append(mark)
      text.append("  ")
    }
  }

  private func arrow(_ direction: Direction) -> StaticString {
    switch direction {
    case .toServer: "→"
    case .toClient: "←"
    case .unknown: "–"
    }
  }

  @inline(__always)
  private mutating func id(
    _ link: Link, _ subject: RawSpan, _ subjectIsShown: inout Bool, _ line: inout LineFields,
    _ text: inout TextBuffer
  ) {
    guard link.isShown else { return }
    line.separate(&text)
    text.append(link.word)
    text.append(byte: .space)
    if cut != nil && link.key > Self.longestID {
      line.extra += 2
      ShortenedID.append(link.key, to: &text)
    } else {
      text.append(decimal: link.key)
    }
    // An EVENT names its topic behind the subscription that stands for it.
    if link.role == .refers && !subjectIsShown {
      append(subject: subject, &line, &text)
      subjectIsShown = true
    }
  }

  @inline(__always)
  private mutating func append(subject: RawSpan, _ line: inout LineFields, _ text: inout TextBuffer)
  {
    line.separate(&text)
    style.begin(.subject, &text)
    if isSubjectInferred { text.append(byte: UInt8(ascii: "~")) }
    line.append(escaping: subject, &text)
    style.end(&text)
  }
}
