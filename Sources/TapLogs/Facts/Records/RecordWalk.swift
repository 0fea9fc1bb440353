// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Goes over a text that may have records, `{…}` of JSON and its like, and finds where they and
/// their members begin and end. The contents of strings are passed over.
struct RecordWalk {
  enum Step {
    case nothing
    /// A record or a list begins, at the depth that is now.
    case begin
    /// One of them ends, or the text that contains them.
    case end
    /// The name of a member ends before the byte that was passed.
    case name
  }

  /// `"'{[}]:=`: all that is looked at, besides the end of a line.
  private static let marks: UInt64 = 0x2227_7B5B_7D5D_3A3D

  /// Backslashes before the quotation marks of the records: they may stand in a string themselves.
  let escapes: Int
  /// Brackets that are open.
  private(set) var depth = 0
  /// A bit for each level that is a record.
  private var objects: UInt64 = 0
  /// The offset of the next byte.
  private(set) var at: Int
  /// The quotation mark of the string that is open, 0 for none, and where that begins.
  private(set) var quote: UInt8 = 0
  private(set) var opened = 0
  /// The bytes whose marks are known, and those of them that were not looked at.
  private var block: Range<Int>
  private var hits: UInt64 = 0

  /// Whether quotation marks outside of records begin strings, too: they may also mean inches.
  private let hasStringsOutside: Bool
  /// A quotation mark outside of records has begun a string.
  private(set) var hasStringOutside = false

  init(from start: Int = 0, escapes: Int = 0, hasStringsOutside: Bool = true) {
    (at, block, self.escapes) = (start, start..<start, escapes)
    self.hasStringsOutside = hasStringsOutside && escapes == 0
  }

  private var mayBeString: Bool { depth > 0 || hasStringsOutside }

  /// Whether a level is a record, and no list.
  func isObject(_ level: Int) -> Bool { level < 64 && objects >> UInt64(level) & 1 == 1 }

  /// Passes over what is known.
  mutating func skip(_ line: RawSpan, to end: Int) {
    if quote != 0 && end > at && line.byte(at: end - 1) == quote && level(line, end - 1) <= escapes
    {
      quote = 0
    }
    at = max(at, end)
  }

  /// Goes on behind the next place that means something, or to `end` where there is none.
  @inline(__always)
  mutating func step(_ line: RawSpan, until end: Int) -> Step {
    while at < end {
      if at >= block.upperBound {
        block = at..<min(at + 64, line.byteCount)
        hits = line.places(ofAny: Self.marks, or: 0x0A, from: at)
      }
      if hits == 0 {
        if block.upperBound >= end { break }
        at = block.upperBound
        continue
      }
      let next = block.lowerBound + hits.trailingZeroBitCount
      if next >= end { break }
      hits &= hits &- 1
      if next < at { continue }
      at = next + 1
      let step = pass(line, next)
      if step != .nothing { return step }
    }
    at = max(at, end)
    return .nothing
  }

  @inline(__always)
  private mutating func pass(_ line: RawSpan, _ place: Int) -> Step {
    let byte = line.byte(at: place)
    if quote != 0 {
      // No string goes on in the next line.
      if byte == .lineFeed { quote = 0 } else if byte == quote { return end(line, place) }
      return .nothing
    }
    switch byte {
    case .quote: return begin(line, place)
    case .apostrophe:
      if escapes == 0, mayBeString, Self.isOpening(line, place) { open(place, byte) }
    case .openBrace, .openBracket:
      depth += 1
      if depth < 64 {
        let bit = UInt64(1) << UInt64(depth)
        objects = byte == .openBrace ? objects | bit : objects & ~bit
      }
      return .begin
    case .closeBrace, .closeBracket:
      depth = max(0, depth - 1)
      return .end
    case .colon, UInt8(ascii: "="): return .name
    default: break
    }
    return .nothing
  }

  private mutating func open(_ mark: Int, _ byte: UInt8) {
    (quote, opened) = (byte, mark)
    if depth == 0 { hasStringOutside = true }
  }

  /// A quotation mark outside of strings; one of the text that has the record in it ends that.
  private mutating func begin(_ line: RawSpan, _ mark: Int) -> Step {
    let found = level(line, mark)
    if found < escapes { return endAll() }
    if found == escapes && mayBeString { open(mark, 0x22) }
    return .nothing
  }

  /// A quotation mark in a string: it may end that, or the text that has the record in it.
  private mutating func end(_ line: RawSpan, _ mark: Int) -> Step {
    let found = level(line, mark)
    if found > escapes { return .nothing }
    quote = 0
    return found < escapes ? endAll() : .nothing
  }

  /// The text ends that has the records in it.
  private mutating func endAll() -> Step {
    depth = 0
    return .end
  }

  /// How deeply nested the string is that a quotation mark belongs to, as its number of
  /// backslashes. Those before it that stand for a backslash of the text are not counted.
  @inline(__always)
  private func level(_ line: RawSpan, _ mark: Int) -> Int {
    if mark == 0 || line.byte(at: mark - 1) != .backslash { return 0 }
    return Self.backslashes(line, mark) % (2 * escapes + 2)
  }

  static func backslashes(_ line: RawSpan, _ mark: Int) -> Int {
    let at = line.before(mark) { $0 == .backslash }
    return mark - at
  }

  /// Whether an apostrophe begins a string: it stands where a value or a name does.
  private static func isOpening(_ line: RawSpan, _ mark: Int) -> Bool {
    var before = mark - 1
    while before >= 0, line.byte(at: before).isJSONSpace { before -= 1 }
    if before < 0 { return true }
    switch line.byte(at: before) {
    case .openBrace, .openBracket, UInt8(ascii: "("), .comma, .colon, UInt8(ascii: "="): return true
    default: return false
    }
  }

  /// How far before a message the name of its member is looked for.
  private static let longest = 256

  /// Backslashes before the quotation mark that is the next one before a message; 0 without one, as
  /// in the records of Node.
  static func escapes(_ line: RawSpan, before start: Int) -> Int {
    let first = max(0, start - longest)
    let at = line.before(start, from: first) { $0 != .quote && $0 != .apostrophe }
    if at == first { return 0 }
    return min(7, backslashes(line, at - 1))
  }
}
