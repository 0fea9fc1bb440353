// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that belong together, as far as they have come.
struct GatheredLines {
  /// What is still to come.
  enum Awaited {
    /// A list: its end, or all of it below the mark of its message.
    case list
    /// The end of an object, which stands below the mark of its message or behind it.
    case object(ListEnd)
    /// A message on lines that are indented, behind a blank one.
    case indented
    /// Rows of a dump.
    ///
    /// - Parameter length: where the first line says how many bytes there are.
    case dump(length: Int)
    /// The rest of a frame of STOMP.
    ///
    /// - Parameter start: where it begins.
    case frame(start: Int)
    /// The rest of the record: its message has come.
    case record
  }

  /// Lines that are looked at for a message below its mark.
  private static let mostBelow = 12
  /// Lines of an object, or of a record behind its message.
  private static let mostOfObject = 1024
  /// Lines that are gathered, however short they are.
  private static let most = 1 << 20

  private(set) var awaited: Awaited
  var text = Scratch()
  let lineAbove: Scratch
  /// The first list, as far as it has come.
  private(set) var list: ListEnd
  /// Words on the first line.
  let anchors: LogAnchors
  let origin: Origin
  /// Where the last line begins.
  private(set) var last: UInt64
  /// Lines that the text is made of.
  var height: UInt64 = 1
  /// Where the lines behind the first begin.
  var breaks: [Int] = []
  /// What stood before the text of each of these lines, one behind the other, and where each ends.
  private var margins = Scratch()
  private var marginEnds: [Int] = []
  /// What a collector puts before the lines of a frame.
  private var frameMargin = FrameMargin()
  /// How many bytes of the record stand above the first line that has a list.
  var above = 0
  /// The record that the list is in, when that has several lines.
  var record: PrintedRecord?
  /// What a collector of logs puts before each line.
  var prefix = 0
  /// The container runtime split this line; the next part follows.
  var isInParts = false
  /// Lines of others that came in between.
  var foreign = 0

  init(
    _ awaited: Awaited, _ list: ListEnd, _ anchors: LogAnchors, lineAbove: Scratch, _ origin: Origin
  ) {
    (self.awaited, self.list, self.anchors) = (awaited, list, anchors)
    (self.lineAbove, self.origin, last) = (lineAbove, origin, origin.offset)
  }

  /// Whether it ends with a bracket behind other text: only a list that begins there can be what it
  /// waits for.
  private var endsWithBracket: Bool {
    let text = text.bytes
    guard let last = text.lastUnspaced, text.byte(at: last) == .openBracket else { return false }
    let start = text.behind(max(prefix, LinePrefix.stampEnd(text)), to: last) { $0.isJSONSpace }
    return last > start
  }

  /// Whether lines below are bytes.
  var isBlock: Bool {
    switch awaited {
    case .indented, .dump: true
    case .list, .object, .frame, .record: false
    }
  }

  /// Whether an object has begun, whose end is missing.
  var isObject: Bool {
    guard case .object(let end) = awaited else { return false }
    return text.bytes.byte(at: end.start) == .openBrace
  }

  /// Whether so many lines wait that no more are added.
  var isLong: Bool {
    switch awaited {
    case .list: breaks.count >= (list.state == .seeking ? Self.mostBelow : Self.most)
    case .object, .record: breaks.count >= Self.mostOfObject
    case .indented, .dump: breaks.count >= Self.most
    case .frame: breaks.count >= FrameLines.most
    }
  }

  /// Whether its message is whole: lines below could only add to what is known of it.
  var isComplete: Bool {
    switch awaited {
    case .dump(let length): LoggedDump(text.bytes, length)?.isWhole ?? false
    case .indented: breaks.count > 1
    case .record: true
    case .list, .object, .frame: false
    }
  }

  /// Whether a line may go on what was gathered. Behind a bracket, `"frame": [`, it has to begin
  /// with a number, as messages do, or behind words that say who sends, with a string of JSON.
  func mayGoOn(with line: RawSpan) -> Bool {
    switch awaited {
    case .record: return record?.mayHold(line) == true
    case .object, .indented, .dump, .frame: return true
    case .list: break
    }
    guard list.state == .seeking else { return true }
    if anchors.contains(.program) {
      // The message of the mark above may be in no form that is read: a second has its own.
      return !LogFormats.isMarkedAbove(line) || !LogFormats.isMarkedAbove(text.bytes)
    }
    guard breaks.isEmpty else { return true }
    let at = line.behindSpace(0)
    if anchors.contains(.sent) && !endsWithBracket {
      return at < line.byteCount
        && (SentJSON.object(line, at) != nil || ListStart.isStart(line, at)
          || line.byte(at: at) == .openBracket && line.lastUnspaced == at)
    }
    guard anchors.isEmpty else { return true }
    // Each record of a list is read separately.
    guard endsWithBracket else { return at >= line.byteCount || line.byte(at: at) != .openBrace }
    if SentJSON.isString(line, at) { return isSaid }
    return at < line.byteCount && line.byte(at: at).isDigit
  }

  /// Whether words before the bracket at its end say who sends.
  private var isSaid: Bool {
    let text = text.bytes
    return text.lastUnspaced.map { LogRules.direction(text.extracting(0..<$0)) != nil } ?? false
  }

  /// Another line begins.
  ///
  /// - Parameter margin: what stands before its text.
  mutating func endLine(margin: RawSpan) {
    text.append(.lineFeed)
    breaks.append(text.count)
    margins.append(margin)
    marginEnds.append(margins.count)
  }

  /// What stood before the text of a line; nothing before the first, whose margin is in the text.
  @_lifetime(borrow self)
  func margin(ofLine index: Int) -> RawSpan {
    if index == 0 { return margins.bytes.extracting(0..<0) }
    return margins.bytes.extracting((index > 1 ? marginEnds[index - 2] : 0)..<marginEnds[index - 1])
  }

  /// Adds a line, or a part of one.
  ///
  /// - Parameter offset: where it begins.
  mutating func append(_ line: RawSpan, at offset: UInt64) {
    text.append(line)
    height += 1
    last = offset
  }

  /// Where the text of a line stands that may be of this frame.
  ///
  /// - Parameter start: of the command.
  mutating func framePlace(_ line: RawSpan, _ start: Int) -> FrameMargin.Place {
    var margin = frameMargin
    defer { frameMargin = margin }
    return margin.place(line, below: text.bytes.extracting(0..<start))
  }

  /// Whether a line is of another writer than the first.
  func isForeign(_ line: RawSpan) -> Bool {
    if case .frame(let start) = awaited {
      var margin = frameMargin
      if case .foreign = margin.place(line, below: text.bytes.extracting(0..<start)) { return true }
      return false
    }
    if prefix == 0 { return LogSources.areDifferent(line, text.bytes) }
    let name = text.bytes.extracting(0..<prefix)
    if line.byteCount >= prefix { return !name.equals(line.extracting(0..<prefix)) }
    // An empty line may lack the blank.
    return line.byteCount < prefix - 1 || !line.equals(name.extracting(0..<prefix - 1))
  }

  /// The length of the time and the like before a line that goes on; nil where there is none.
  func stamp(of line: RawSpan) -> Int? {
    prefix == 0 && !isBlock ? LinePrefix.stamp(line, of: text.bytes) : nil
  }

  /// The length of the name of the collector, or of the logger, before a line that goes on, as
  /// before the first.
  func margin(of line: RawSpan) -> Int {
    prefix > 0 ? min(prefix, line.byteCount) : LineMargin.namespace(text.bytes, with: line)
  }

  /// Looks at the line that was added last.
  ///
  /// - Parameters:
  ///   - count: bytes of that line.
  ///   - part: the line as the container runtime has split it.
  /// - Returns: whether all has come that is waited for.
  mutating func advance(behind count: Int, _ part: LinePrefix.Part?) -> Bool {
    switch awaited {
    case .indented, .dump, .frame: return false
    case .record: return !isRecordOpen()
    case .object(let object): return advance(object)
    case .list: break
    }
    if breaks.count == 1, list.state == .seeking,
      SentJSON.isString(text.bytes, text.bytes.behindSpace(text.count - count))
    {
      return true
    }
    if let object = object(behind: text.count - count) { return advance(object) }
    var list = list
    list.advance(text.bytes)
    self.list = list
    if list.state != .closed { return part?.isPartial == false }
    if !isRecordOpen() { return true }
    awaited = .record
    return false
  }

  private mutating func advance(_ object: ListEnd) -> Bool {
    var object = object
    object.advance(text.bytes)
    awaited = .object(object)
    return object.state == .closed
  }

  /// The object that begins on a line below the mark of its message, or the list whose bracket
  /// stands alone there.
  private func object(behind start: Int) -> ListEnd? {
    guard !anchors.isEmpty, list.state == .seeking else { return nil }
    let first = text.bytes.behindSpace(start)
    if breaks.count == 1, anchors.contains(.sent), first == text.bytes.lastUnspaced,
      text.bytes.byte(at: first) == .openBracket
    {
      return ListEnd(of: first)
    }
    guard let start = SentJSON.object(text.bytes, first), !endsWithBracket else { return nil }
    return ListEnd(of: start)
  }

  /// Whether the record goes on behind the lines that have come.
  private mutating func isRecordOpen() -> Bool {
    guard var open = record else { return false }
    open.advance(text.bytes)
    record = open
    return open.isOpen
  }
}
