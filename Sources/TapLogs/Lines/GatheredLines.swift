// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that belong together, until a list ends.
struct GatheredLines {
  /// Which of the lines below are bytes.
  enum Block {
    /// Those that are indented, behind a blank one.
    case indented
    /// Those that look like rows of a dump.
    ///
    /// - Parameter length: where the first line says how many bytes there are.
    case dump(length: Int)
  }

  var text = Scratch()
  var lineAbove: Scratch
  var end: ListEnd
  var origin: Origin
  /// Where the last line begins.
  private(set) var last: UInt64
  /// Lines that the text is made of.
  var height: UInt64 = 1
  /// Where the lines behind the first begin.
  var breaks: [Int] = []
  /// How many bytes of each of these lines are not in the text.
  var removed: [Int] = []
  /// Whether it ends with a bracket behind other text: only a list that begins there can be what it
  /// waits for.
  var endsWithBracket: Bool {
    let text = text.bytes
    guard let last = text.lastUnspaced, text.byte(at: last) == .openBracket else { return false }
    var start = max(prefix, LinePrefix.stampEnd(text))
    while start < last, text.byte(at: start).isJSONSpace { start += 1 }
    return last > start
  }
  /// How many bytes of the record stand above the first line that has a list.
  var above = 0
  /// The record that the list is in, when that has several lines.
  var record: PrintedRecord?
  /// The list is complete; only the rest of its record is missing.
  var isListOver = false
  /// What a collector of logs puts before each line.
  var prefix = 0
  /// The container runtime split this line; the next part follows.
  var isInParts = false
  /// Lines below are bytes.
  var block: Block?
  var isBlock: Bool { block != nil }
  var isDump: Bool { if case .dump? = block { true } else { false } }
  /// The object that is waited for, which stands below the mark of its message or behind it.
  var object: ListEnd?
  /// Where a frame of STOMP begins that goes on below.
  var frame: Int?
  /// Words on its first line.
  var anchors: LogAnchors = []
  /// Lines of others that came in between.
  var foreign = 0

  init(lineAbove: Scratch, end: ListEnd, origin: Origin) {
    (self.lineAbove, self.end, self.origin) = (lineAbove, end, origin)
    last = origin.offset
  }

  /// Another line begins.
  ///
  /// - Parameter removed: how many bytes of it are not in the text.
  mutating func endLine(removed count: Int) {
    text.append(.lineFeed)
    breaks.append(text.count)
    removed.append(count)
  }

  /// Adds a line, or a part of one.
  ///
  /// - Parameter offset: where it begins.
  mutating func append(_ line: RawSpan, at offset: UInt64) {
    text.append(line)
    height += 1
    last = offset
  }

  /// Whether a line is of another writer than the first.
  func isForeign(_ line: RawSpan) -> Bool {
    if prefix == 0 { return false }
    let name = text.bytes.extracting(0..<prefix)
    if line.byteCount >= prefix { return !name.equals(line.extracting(0..<prefix)) }
    // An empty line may lack the blank.
    return line.byteCount < prefix - 1 || !line.equals(name.extracting(0..<prefix - 1))
  }

  /// The length of the time and the like before a line that goes on; nil where there is none.
  func stamp(of line: RawSpan) -> Int? {
    prefix == 0 && !isBlock ? LinePrefix.stamp(line, of: text.bytes) : nil
  }

  /// The length of the collector's name before a line that goes on, as before the first.
  func margin(of line: RawSpan) -> Int {
    min(prefix, line.byteCount)
  }

  /// Whether the lines of an object have all come; nil where there is none.
  ///
  /// - Parameter count: bytes of the last line.
  mutating func isWholeObject(_ count: Int) -> Bool? {
    guard !anchors.isEmpty, end.state == .seeking else { return nil }
    var whole: ListEnd
    if let object {
      whole = object
    } else {
      let first = text.bytes.behindSpace(text.count - count)
      guard let start = SentJSON.object(text.bytes, first), !endsWithBracket else { return nil }
      whole = ListEnd(of: start)
    }
    whole.advance(text.bytes)
    object = whole
    return whole.state == .closed
  }

  /// Whether the record goes on behind the lines that have come.
  mutating func isRecordOpen() -> Bool {
    guard var open = record else { return false }
    open.advance(text.bytes)
    record = open
    return open.isOpen
  }
}
