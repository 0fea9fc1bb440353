// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The records around a message, `{…}` of JSON and its like, with the line itself as the outermost,
/// and where in each of them a time stands. A line is gone over once, however many messages it has.
struct LogRecord {
  /// Levels of which anything is remembered; the line is the first.
  private static let most = 8
  /// How far behind a message its record is read.
  private static let furthest = 1024

  private var walk = RecordWalk()
  /// Of each level the rank of its best time, and where that stands.
  private var ranks = SIMD8<UInt8>(repeating: .max)
  private var values = SIMD8<UInt32>(repeating: 0)
  /// The time that was read last, and where it stands.
  private var last: (place: UInt32, time: LogTime)?
  /// Where what belongs to the next message begins.
  private var begin = 0

  /// Where the text begins that a message stands in: its string, or what belongs to it.
  var textStart: Int { walk.quote == 0 ? begin : max(begin, walk.opened + 1) }

  /// The quotation mark of the string that the message stands in; nil when it is in none.
  var quotation: UInt8? { walk.quote == 0 ? nil : walk.quote }

  /// Goes on to a message.
  ///
  /// - Parameters:
  ///   - begin: where what belongs to it begins.
  ///   - seconds: those that were read before.
  mutating func advance(
    _ line: RawSpan, to start: Int, _ begin: Int, _ seconds: inout LogSeconds
  ) {
    self.begin = begin
    while walk.at < start { step(line, until: start, &seconds) }
  }

  /// The time of a message whose end is given, and whether it is that of the whole line: of its
  /// record, or of one around that, but not of a list of records.
  func time(
    _ line: RawSpan, _ end: Int, _ order: LogDayOrder?, _ seconds: inout LogSeconds
  ) -> (time: LogTime, isOfLine: Bool)? {
    var ahead = self
    ahead.walk.skip(line, to: min(line.byteCount, end))
    var last = min(line.byteCount, ahead.walk.at + Self.furthest)
    var level = min(walk.depth, Self.most - 1)
    if level == 0 {
      // Behind the message, text that names its values.
      last = min(last, ListStart.next(line, from: ahead.walk.at) ?? last)
      if line.extracting(ahead.walk.at..<last).firstIndex(of: 0x3D) == nil { last = ahead.walk.at }
    }
    var other: Int?
    while true {
      let limit = level == 0 && walk.depth > 0 ? ahead.walk.at : last
      while ahead.walk.at < limit, ahead.walk.depth >= level, ahead.ranks[level] > LogTimeNames.sure
      {
        ahead.step(line, until: limit, &seconds)
      }
      if ahead.ranks[level] <= LogTimeNames.sure {
        return ahead.read(line, level, order)
      }
      if other == nil && ahead.ranks[level] != .max { other = level }
      if level == 0 || level > 1 && walk.isObject(level) && !walk.isObject(level - 1) { break }
      level -= 1
    }
    return other.flatMap { ahead.read(line, $0, order) }
  }

  private func read(
    _ line: RawSpan, _ level: Int, _ order: LogDayOrder?
  ) -> (time: LogTime, isOfLine: Bool)? {
    if order == nil, let last, last.place == values[level] { return (last.time, level == 0) }
    return Self.value(line, Int(values[level]), order).map { ($0, level == 0) }
  }

  private static func value(_ line: RawSpan, _ at: Int, _ order: LogDayOrder?) -> LogTime? {
    LogTimeReader.read(named: line, at, order)
  }

  /// One byte of the line that means something.
  @inline(__always)
  private mutating func step(_ line: RawSpan, until end: Int, _ seconds: inout LogSeconds) {
    switch walk.step(line, until: end) {
    case .begin: if walk.depth < Self.most { ranks[walk.depth] = .max }
    case .name: name(line, &seconds)
    case .end, .nothing: break
    }
  }

  /// The name of a value ends here: remembers it if it is called a time and is one.
  private mutating func name(_ line: RawSpan, _ seconds: inout LogSeconds) {
    let (depth, at) = (walk.depth, walk.at)
    guard depth < Self.most, let word = LogTimeNames.word(line, before: at - 1),
      let rank = LogTimeNames.rank(line.extracting(word))
    else { return }
    // On the line itself, a name belongs to the message that comes next.
    let isPassed = walk.depth == 0 && Int(values[0]) < begin
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
