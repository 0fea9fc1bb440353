// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The records around a message, `{…}` of JSON and its like, with the line itself as the outermost,
/// and what their members say of it: when it was sent, by whom, and on which connection. A line is
/// gone over once, however many messages it has; members behind a message are read for it alone.
struct LogRecord {
  /// Levels of objects and lists that are remembered; the line is the first.
  static let most = 8
  /// How far behind a message its record is read for who sends, and for a time.
  private static let furthest = 4096
  private static let furthestTime = 1024

  /// What a member may say.
  enum Topic {
    case time, direction, connection, process, host
  }

  /// What was found of a topic.
  struct Best {
    /// Of each level, how good the best name of a member is, and where its value begins.
    var ranks = SIMD8<UInt8>(repeating: .max)
    var values = SIMD8<UInt32>(repeating: 0)

    mutating func keep(_ rank: UInt8, _ at: Int, _ level: Int) {
      (ranks[level], values[level]) = (rank, UInt32(clamping: at))
    }
  }

  private var walk: RecordWalk
  private var (time, direction, connection, process, host) = (
    Best(), Best(), Best(), Best(), Best()
  )
  /// The time that was read last, and where it stands.
  private var last: (place: UInt32, time: LogTime)?
  /// The name of the member that is open.
  private var name: Range<Int> = 0..<0
  /// Of each level, the name of the member whose value it is.
  private var (owners, ownerEnds) = (SIMD8<UInt32>(repeating: 0), SIMD8<UInt32>(repeating: 0))
  /// Members of deeper levels than this one are of records within the one around the message.
  private var level = Int.max
  /// Where the message begins: a member that contains it says nothing about it.
  private var message = Int.max
  /// Where what belongs to the next message begins.
  private var begin = 0
  /// How many bytes were read behind messages so far.
  private var ahead = 0
  /// Members are asked who sends, and on which connection.
  private var isAsked: Bool

  /// Backslashes before the quotation marks of the record.
  var escapes: Int { walk.escapes }

  /// Where the text begins that a message stands in: its string, or what belongs to it.
  var textStart: Int { walk.quote == 0 ? begin : max(begin, walk.opened + 1) }

  /// The quotation mark of the string that the message stands in; nil when it is in none.
  var quotation: UInt8? { walk.quote == 0 ? nil : walk.quote }

  /// Whether the message stands in a record, and not in a string alone.
  var isAround: Bool { walk.depth > 0 }

  /// For the line as it stands, where strings outside of records count as strings, too.
  init() { (walk, isAsked) = (RecordWalk(), false) }

  /// - Parameter escapes: backslashes before the quotation marks of the records.
  init(escapes: Int) {
    (walk, isAsked) = (RecordWalk(escapes: escapes, hasStringsOutside: false), true)
  }

  /// From now on, members are asked who sends.
  ///
  /// - Returns: false where members were passed over before, or a string outside of all records.
  mutating func ask() -> Bool {
    if walk.at == 0 { isAsked = true }
    return isAsked && !walk.hasStringOutside
  }

  /// Goes on to a message.
  ///
  /// - Parameters:
  ///   - begin: where what belongs to it begins.
  ///   - seconds: those that were read before.
  mutating func advance(
    _ line: RawSpan, to start: Int, from begin: Int, _ seconds: inout LogSeconds
  ) {
    self.begin = begin
    while walk.at < start { step(line, until: start, &seconds) }
  }

  /// The next place of the line that means something.
  @inline(__always)
  private mutating func step(_ line: RawSpan, until end: Int, _ seconds: inout LogSeconds) {
    switch walk.step(line, until: end) {
    case .begin: open()
    case .name: member(line, &seconds)
    case .end, .nothing: break
    }
  }

  private mutating func open() {
    let depth = walk.depth
    if depth >= Self.most || depth > level { return }
    time.ranks[depth] = .max
    if !isAsked { return }
    (direction.ranks[depth], connection.ranks[depth], process.ranks[depth]) = (.max, .max, .max)
    host.ranks[depth] = .max
    (owners[depth], ownerEnds[depth]) = (
      UInt32(clamping: name.lowerBound), UInt32(clamping: name.upperBound)
    )
  }

  /// The name of a member and its colon end here.
  private mutating func member(_ line: RawSpan, _ seconds: inout LogSeconds) {
    let depth = walk.depth
    if depth >= Self.most || depth > level { return }
    let word = LogTimeNames.word(line, before: walk.at - 1)
    let isMember = walk.isObject(depth)
    if isMember { name = word ?? 0..<0 }
    guard let word, let (topic, rank) = LogMemberNames.find(line, word) ?? id(line, word)
    else { return }
    if topic == .time {
      noteTime(line, rank, &seconds)
    } else if isMember && isAsked {
      note(topic, rank, line)
    }
  }

  /// `"ws":{"id":"a1",…}` names a connection.
  @inline(__always)
  private func id(_ line: RawSpan, _ word: Range<Int>) -> (Topic, UInt8)? {
    guard word.count == 2, isAsked, line.extracting(word).equals("id") else { return nil }
    let owner = line.extracting(Int(owners[walk.depth])..<Int(ownerEnds[walk.depth]))
    return LogConnectionKeys.names.place(of: owner).map { (.connection, UInt8($0)) }
  }

  // MARK: - Who sends, and on which connection

  /// Remembers a member that says something of a topic.
  private mutating func note(_ topic: Topic, _ rank: UInt8, _ line: RawSpan) {
    guard rank < self.rank(topic) else { return }
    let value = RecordValue.range(line, walk.at, escapes)
    // The message itself, or the record that it is in.
    if value.isEmpty || value.contains(message) { return }
    if topic == .direction && LogMemberNames.direction(line.extracting(value), rank) == nil {
      return
    }
    keep(topic, rank)
  }

  @inline(__always)  // Or else all is copied for each call.
  private func rank(_ topic: Topic) -> UInt8 {
    switch topic {
    case .time: time.ranks[walk.depth]
    case .direction: direction.ranks[walk.depth]
    case .connection: connection.ranks[walk.depth]
    case .process: process.ranks[walk.depth]
    case .host: host.ranks[walk.depth]
    }
  }

  private mutating func keep(_ topic: Topic, _ rank: UInt8) {
    switch topic {
    case .time: break
    case .direction: direction.keep(rank, walk.at, walk.depth)
    case .connection: connection.keep(rank, walk.at, walk.depth)
    case .process: process.keep(rank, walk.at, walk.depth)
    case .host: host.keep(rank, walk.at, walk.depth)
    }
  }

  /// What the members around the message say that was read up to; nil if it is in no record.
  mutating func surroundings(
    _ line: RawSpan, _ start: Int, _ seconds: inout LogSeconds
  ) -> LogSurroundings? {
    let depth = walk.depth
    guard depth > 0, depth < Self.most else { return nil }
    var found = self
    let most = walk.at + max(0, line.byteCount * 4 - ahead)
    found.readOn(line, start, until: min(line.byteCount, most), &seconds)
    ahead += found.walk.at - walk.at
    return LogSurroundings(
      name: name, direction: found.value(found.direction, line, depth),
      connection: found.value(found.connection, line, depth),
      process: found.value(found.process, line, depth), host: found.value(found.host, line, depth),
      isDirectionBeside: found.direction.ranks[depth] != .max)
  }

  /// Members behind the message.
  private mutating func readOn(
    _ line: RawSpan, _ start: Int, until most: Int, _ seconds: inout LogSeconds
  ) {
    (level, message) = (walk.depth, start)
    if walk.at < most {
      repeat {
        step(line, until: most, &seconds)
      } while (walk.depth > level || walk.quote != 0) && walk.at < most
    }
    let end = min(most, walk.at + Self.furthest)
    while true {
      if walk.depth < level {
        // The record is an element of a list: what follows is of other records.
        if walk.isObject(level) && walk.depth > 0 && !walk.isObject(walk.depth) { return }
        level = walk.depth
      }
      guard walk.at < end, walk.depth > 0 else { return }
      step(line, until: end, &seconds)
    }
  }

  /// The innermost member that has something to say of a topic.
  @inline(__always)  // Or else all is copied for each call.
  private func value(_ best: Best, _ line: RawSpan, _ depth: Int) -> LogSurroundings.Member? {
    for level in (1...depth).reversed() where best.ranks[level] != .max {
      let start = Int(best.values[level])
      let value = RecordValue.range(line, start, escapes)
      if !value.contains(message) {
        return LogSurroundings.Member(rank: best.ranks[level], start: start, value: value)
      }
    }
    return nil
  }

  // MARK: - When it was sent

  /// Remembers a value if its name is a better one and it is a time.
  private mutating func noteTime(_ line: RawSpan, _ rank: UInt8, _ seconds: inout LogSeconds) {
    let depth = walk.depth
    // On the line itself, a name belongs to the message that comes next.
    let isPassed = depth == 0 && Int(time.values[0]) < begin
    guard rank < time.ranks[depth] || isPassed else { return }
    let start = line.behind(walk.at) { $0.isAroundValue }
    let known = seconds.read(line, start).flatMap {
      LogTimeReader.read(line, start, behind: $0)
    }
    guard let found = known ?? LogTimeReader.read(named: line, start, nil) else { return }
    time.keep(rank, start, depth)
    last = (time.values[depth], found)
  }

  /// The time of the message that was read up to, and whether it is that of the whole line. It is
  /// that of its record or of one around that, but not from beyond a list of records.
  ///
  /// - Parameter end: the end of the message.
  func time(
    _ line: RawSpan, behind end: Int, _ order: LogDayOrder?, _ seconds: inout LogSeconds
  ) -> (time: LogTime, isOfLine: Bool)? {
    var ahead = self
    ahead.walk.skip(line, to: min(line.byteCount, end))
    var last = min(line.byteCount, ahead.walk.at + Self.furthestTime)
    var level = min(walk.depth, Self.most - 1)
    if level == 0 {
      // On the line itself, a time behind the message counts only if it is named, as in `time=…`.
      last = min(last, ListStart.next(line, from: ahead.walk.at, before: last) ?? last)
      if line.extracting(ahead.walk.at..<last).firstIndex(of: UInt8(ascii: "=")) == nil {
        last = ahead.walk.at
      }
    }
    var other: Int?
    while true {
      let limit = level == 0 && walk.depth > 0 ? ahead.walk.at : last
      while ahead.walk.at < limit, ahead.walk.depth >= level,
        ahead.time.ranks[level] > LogTimeNames.sure
      {
        ahead.step(line, until: limit, &seconds)
      }
      if ahead.time.ranks[level] <= LogTimeNames.sure { return ahead.time(line, level, order) }
      if other == nil && ahead.time.ranks[level] != .max { other = level }
      if level == 0 || level > 1 && walk.isObject(level) && !walk.isObject(level - 1) { break }
      level -= 1
    }
    return other.flatMap { ahead.time(line, $0, order) }
  }

  private func time(
    _ line: RawSpan, _ level: Int, _ order: LogDayOrder?
  ) -> (time: LogTime, isOfLine: Bool)? {
    let place = time.values[level]
    if order == nil, let last, last.place == place { return (last.time, level == 0) }
    return LogTimeReader.read(named: line, Int(place), order).map { ($0, level == 0) }
  }
}
