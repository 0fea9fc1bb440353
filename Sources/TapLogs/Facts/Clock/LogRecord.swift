// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The records around a message, `{…}` of JSON and its like, with the line itself as the outermost,
/// and where in each of them a time stands. A line is gone over once, however many messages it has.
struct LogRecord {
  /// `"'{[}]:=`: all that `step` looks at, besides backslashes.
  private static let marks: UInt64 = 0x2227_7B5B_7D5D_3A3D
  /// Levels of which anything is remembered; the line is the first.
  private static let most = 8
  /// How far behind a message its record is read.
  private static let furthest = 1024

  /// The level that is open.
  private var depth = 0
  /// A bit for each level that is an object.
  private var objects: UInt8 = 0
  /// Of each level the rank of its best time, and where that stands.
  private var ranks = SIMD8<UInt8>(repeating: .max)
  private var values = SIMD8<UInt32>(repeating: 0)
  /// The time that was read last, and where it stands.
  private var last: (place: UInt32, time: LogTime)?
  /// How far the line was read.
  private var at = 0
  /// The quotation mark of the string that is open, and where that begins; 0 for none.
  private var quote: UInt8 = 0
  private var opened = 0
  /// Where what belongs to the next message begins.
  private var begin = 0

  /// Where the text begins that a message stands in: its string, or what belongs to it.
  var textStart: Int { quote == 0 ? begin : max(begin, opened + 1) }

  /// The quotation mark of the string that the message stands in; nil when it is in none.
  var quotation: UInt8? { quote == 0 ? nil : quote }

  /// Goes on to a message.
  ///
  /// - Parameters:
  ///   - begin: where what belongs to it begins.
  ///   - seconds: those that were read before.
  mutating func advance(
    _ line: RawSpan, to start: Int, _ begin: Int, _ seconds: inout LogSeconds
  ) {
    self.begin = begin
    while at < start {
      let block = at
      var hits = line.places(ofAny: Self.marks, or: 0x5C, from: block)
      while hits != 0 {
        let place = block + hits.trailingZeroBitCount
        hits &= hits &- 1
        if place >= start { break }
        // What a backslash stood before was passed over.
        if place < at { continue }
        at = place
        step(line, &seconds)
      }
      at = max(at, min(block + 64, start))
    }
  }

  /// The time of a message whose end is given, and whether it is that of the whole line: of its
  /// record, or of one around that, but not of a list of records.
  func time(
    _ line: RawSpan, _ end: Int, _ order: LogDayOrder?, _ seconds: inout LogSeconds
  ) -> (time: LogTime, isOfLine: Bool)? {
    var ahead = self
    ahead.at = min(line.byteCount, max(at, end))
    if quote != 0 && end > at && line.byte(at: end - 1) == quote { ahead.quote = 0 }
    var last = min(line.byteCount, ahead.at + Self.furthest)
    var level = min(depth, Self.most - 1)
    if level == 0 {
      // Behind the message, text that names its values.
      last = min(last, ListStart.next(line, from: ahead.at) ?? last)
      if line.extracting(ahead.at..<last).firstIndex(of: 0x3D) == nil { last = ahead.at }
    }
    var other: Int?
    while true {
      let limit = level == 0 && depth > 0 ? ahead.at : last
      while ahead.at < limit, ahead.depth >= level, ahead.ranks[level] > LogTimeNames.sure {
        ahead.step(line, &seconds)
      }
      if ahead.ranks[level] <= LogTimeNames.sure {
        return ahead.read(line, level, order)
      }
      if other == nil && ahead.ranks[level] != .max { other = level }
      if level == 0 || level > 1 && isObject(level) && !isObject(level - 1) { break }
      level -= 1
    }
    return other.flatMap { ahead.read(line, $0, order) }
  }

  private func isObject(_ level: Int) -> Bool { objects >> UInt8(level) & 1 == 1 }

  private func read(
    _ line: RawSpan, _ level: Int, _ order: LogDayOrder?
  ) -> (time: LogTime, isOfLine: Bool)? {
    if order == nil, let last, last.place == values[level] { return (last.time, level == 0) }
    return Self.value(line, Int(values[level]), order).map { ($0, level == 0) }
  }

  private static func value(_ line: RawSpan, _ at: Int, _ order: LogDayOrder?) -> LogTime? {
    LogTimeReader.read(named: line, at, order)
  }

  /// One byte of the line.
  @inline(__always)
  private mutating func step(_ line: RawSpan, _ seconds: inout LogSeconds) {
    let byte = line.byte(at: at)
    at += 1
    if quote != 0 {
      if byte == 0x5C { at += 1 } else if byte == quote { quote = 0 }
      return
    }
    switch byte {
    case 0x22: (quote, opened) = (byte, at - 1)
    case 0x27: if isOpening(line) { (quote, opened) = (byte, at - 1) }
    case 0x7B, 0x5B:
      depth += 1
      if depth >= Self.most { return }
      ranks[depth] = .max
      let bit = UInt8(1) << UInt8(depth)
      objects = byte == 0x7B ? objects | bit : objects & ~bit
    case 0x7D, 0x5D: depth = max(0, depth - 1)
    case 0x3A, 0x3D: name(line, &seconds)
    default: break
    }
  }

  /// Whether an apostrophe begins a string: it stands where a value or a name does.
  private func isOpening(_ line: RawSpan) -> Bool {
    var before = at - 2
    while before >= 0, line.byte(at: before) == 0x20 { before -= 1 }
    if before < 0 { return false }
    switch line.byte(at: before) {
    case 0x7B, 0x5B, 0x28, 0x2C, 0x3A, 0x3D: return true
    default: return false
    }
  }

  /// The name of a value ends here: remembers it if it is called a time and is one.
  private mutating func name(_ line: RawSpan, _ seconds: inout LogSeconds) {
    guard depth < Self.most, let word = LogTimeNames.word(line, before: at - 1),
      let rank = LogTimeNames.rank(line.extracting(word))
    else { return }
    // On the line itself, a name belongs to the message that comes next.
    let isPassed = depth == 0 && Int(values[0]) < begin
    guard rank < ranks[depth] || isPassed else { return }
    var start = at
    while start < line.byteCount, LogTimeNames.isFiller(line.byte(at: start)) { start += 1 }
    let known = seconds.read(line, start).flatMap {
      LogTimeReader.read(line, start, behind: $0)
    }
    guard let time = known ?? Self.value(line, start, nil) else { return }
    (ranks[depth], values[depth]) = (rank, UInt32(clamping: start))
    last = (values[depth], time)
  }
}
