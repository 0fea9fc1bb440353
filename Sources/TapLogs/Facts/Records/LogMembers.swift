// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The members of the records of JSON that a message stands in, before and behind it: what they say
/// of who sends it, and of its connection. Asked only where the words right before the message do
/// not say it; then the line is gone over once, however many messages it has.
struct LogMembers {
  /// Levels of objects and lists of which anything is remembered.
  private static let most = 8
  /// How far behind a message its record is read, and how far before it its name is looked for.
  private static let furthest = 4096
  private static let longest = 256

  private var walk: RecordWalk
  private var (way, connection, process) = (Best(), Best(), Best())
  private var host = Best()
  /// How much was read behind messages.
  private var ahead = 0
  /// The name of the member that is open.
  private var name: Range<Int> = 0..<0
  /// Of each level, the name of the member whose value it is.
  private var (owners, ownerEnds) = (SIMD8<UInt32>(repeating: 0), SIMD8<UInt32>(repeating: 0))
  /// Members of levels above this one are of records within the one around the message.
  private var level = Int.max
  /// The message: what stands in its place says nothing.
  private var message = Int.max

  /// Backslashes before the quotation marks of the record.
  var escapes: Int { walk.escapes }
  private var depth: Int { walk.depth }

  /// What a member may say.
  enum Topic {
    case way, connection, process, host
  }

  /// What was found of a topic.
  private struct Best {
    /// Of each level, how good the best name of a member is, and where its value begins.
    var ranks = SIMD8<UInt8>(repeating: .max)
    var values = SIMD8<UInt32>(repeating: 0)

    mutating func keep(_ rank: UInt8, _ at: Int, _ level: Int) {
      (ranks[level], values[level]) = (rank, UInt32(clamping: at))
    }
  }

  @inline(__always)  // Or else all is copied for each call.
  private func rank(_ topic: Topic) -> UInt8 {
    switch topic {
    case .way: way.ranks[depth]
    case .connection: connection.ranks[depth]
    case .process: process.ranks[depth]
    case .host: host.ranks[depth]
    }
  }

  private mutating func keep(_ topic: Topic, _ rank: UInt8) {
    switch topic {
    case .way: way.keep(rank, walk.at, depth)
    case .connection: connection.keep(rank, walk.at, depth)
    case .process: process.keep(rank, walk.at, depth)
    case .host: host.keep(rank, walk.at, depth)
    }
  }

  init(escapes: Int) { walk = RecordWalk(escapes: escapes, hasStringsOutside: false) }

  /// Goes on to a message; answers the members of the records around it.
  mutating func around(_ line: RawSpan, _ start: Int) -> LogSurroundings? {
    while walk.at < start { step(line, until: start) }
    guard depth > 0, depth < Self.most else { return nil }
    var found = self
    let most = walk.at + max(0, line.byteCount * 4 - ahead)
    found.readOn(line, start, until: min(line.byteCount, most))
    ahead += found.walk.at - walk.at
    return LogSurroundings(
      name: name, way: found.value(found.way, line, depth),
      connection: found.value(found.connection, line, depth),
      process: found.value(found.process, line, depth), host: found.value(found.host, line, depth))
  }

  /// Backslashes before the quotation mark that is the next one before a message.
  static func escapes(_ line: RawSpan, _ start: Int) -> Int? {
    let first = max(0, start - longest)
    var at = start
    while at > first, line.byte(at: at - 1) != 0x22, line.byte(at: at - 1) != 0x27 { at -= 1 }
    if at == first { return nil }
    return min(7, RecordWalk.backslashes(line, at - 1))
  }

  /// The innermost member that has something to say of a topic.
  @inline(__always)  // Or else all is copied for each call.
  private func value(_ best: Best, _ line: RawSpan, _ depth: Int) -> LogSurroundings.Member? {
    for level in (1...depth).reversed() where best.ranks[level] != .max {
      let start = Int(best.values[level])
      let value = Self.range(line, start, escapes)
      if !value.contains(message) {
        return LogSurroundings.Member(rank: best.ranks[level], start: start, value: value)
      }
    }
    return nil
  }

  /// Members behind the message.
  private mutating func readOn(_ line: RawSpan, _ start: Int, until most: Int) {
    (level, message) = (depth, start)
    if walk.at < most {
      repeat { step(line, until: most) } while (depth > level || walk.quote != 0) && walk.at < most
    }
    let end = min(most, walk.at + Self.furthest)
    while walk.at < end, depth > 0 {
      step(line, until: end)
      guard depth < level else { continue }
      // A list of records ends with them.
      if walk.isObject(level) && depth > 0 && !walk.isObject(depth) { break }
      level = depth
    }
  }

  /// One byte of the line that means something.
  private mutating func step(_ line: RawSpan, until end: Int) {
    switch walk.step(line, until: end) {
    case .begin: open()
    case .name: member(line)
    case .end, .nothing: break
    }
  }

  private mutating func open() {
    if depth >= Self.most || depth > level { return }
    (way.ranks[depth], connection.ranks[depth], process.ranks[depth]) = (.max, .max, .max)
    host.ranks[depth] = .max
    (owners[depth], ownerEnds[depth]) = (
      UInt32(clamping: name.lowerBound), UInt32(clamping: name.upperBound)
    )
  }

  /// The name of a member and its colon end here.
  private mutating func member(_ line: RawSpan) {
    guard depth > 0, depth < Self.most, depth <= level, walk.isObject(depth) else { return }
    name = LogTimeNames.word(line, before: walk.at - 1) ?? 0..<0
    guard let (topic, rank) = LogMemberNames.find(line, name) ?? id(line), rank < self.rank(topic)
    else { return }
    let value = Self.range(line, walk.at, escapes)
    // The message itself, or the record that it is in.
    if value.isEmpty || value.contains(message) { return }
    if topic == .way && LogMemberNames.way(line.extracting(value), rank) == nil { return }
    keep(topic, rank)
  }

  /// `"ws":{"id":"a1",…}` names a connection.
  @inline(__always)
  private func id(_ line: RawSpan) -> (Topic, UInt8)? {
    guard name.count == 2, line.extracting(name).equals("id") else { return nil }
    let owner = line.extracting(Int(owners[depth])..<Int(ownerEnds[depth]))
    return LogConnectionKeys.names.place(of: owner).map { (.connection, UInt8($0)) }
  }

  /// The value that stands behind a colon: a short string, or one word. Empty for anything else.
  private static func range(_ line: RawSpan, _ colon: Int, _ escapes: Int) -> Range<Int> {
    var start = colon
    while start < line.byteCount, isBlank(line.byte(at: start)) { start += 1 }
    let last = min(line.byteCount, start + 96)
    var end = start
    while end < last, !isEnd(line.byte(at: end)) { end += 1 }
    guard end < last || last == line.byteCount, end > start || end < last else { return 0..<0 }
    if end == start, line.byte(at: end) == 0x22 || line.byte(at: end) == 0x27 {
      start += 1
      end = start
      while end < last, line.byte(at: end) != line.byte(at: start - 1) { end += 1 }
      if end == last || RecordWalk.backslashes(line, end) != escapes { return 0..<0 }
      end = max(start, end - escapes)
    }
    return start..<end
  }

  /// What may stand between a colon and its value.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x5C
  }

  /// What ends a value without quotation marks.
  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x27, 0x2C, 0x7D, 0x5D, 0x7B, 0x5B, 0x20: true
    default: false
    }
  }
}
