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

  /// Backslashes before the quotation marks of the record: it may stand in a string itself.
  let escapes: Int
  private var depth = 0
  /// A bit for each level that is an object.
  private var objects: UInt8 = 0
  private var (way, connection, process) = (Best(), Best(), Best())
  private var host = Best()
  /// How far the line was read, and how much of it behind messages.
  private var at = 0
  private var ahead = 0
  /// The quotation mark of the string that is open; 0 for none.
  private var quote: UInt8 = 0
  /// The string that ended last, which may be a name.
  private var last: Range<Int> = 0..<0
  /// The name of the member that is open.
  private var name: Range<Int> = 0..<0
  /// Of each level, the name of the member whose value it is.
  private var (owners, ownerEnds) = (SIMD8<UInt32>(repeating: 0), SIMD8<UInt32>(repeating: 0))
  /// Members of levels above this one are of records within the one around the message.
  private var level = Int.max
  /// The message: what stands in its place says nothing.
  private var message = Int.max

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
    case .way: way.keep(rank, at, depth)
    case .connection: connection.keep(rank, at, depth)
    case .process: process.keep(rank, at, depth)
    case .host: host.keep(rank, at, depth)
    }
  }

  init(escapes: Int) { self.escapes = escapes }

  /// Goes on to a message; answers the members of the records around it.
  mutating func around(_ line: RawSpan, _ start: Int) -> LogSurroundings? {
    while at < start { step(line, until: start) }
    guard depth > 0, depth < Self.most else { return nil }
    var found = self
    found.readOn(line, start, until: min(line.byteCount, at + max(0, line.byteCount * 4 - ahead)))
    ahead += found.at - at
    return LogSurroundings(
      name: found.name, way: found.value(found.way, line),
      connection: found.value(found.connection, line), process: found.value(found.process, line),
      host: found.value(found.host, line))
  }

  /// Backslashes before the quotation mark that is the next one before a message.
  static func escapes(_ line: RawSpan, _ start: Int) -> Int? {
    let first = max(0, start - longest)
    var at = start
    while at > first, line.byte(at: at - 1) != 0x22, line.byte(at: at - 1) != 0x27 { at -= 1 }
    if at == first { return nil }
    return min(7, backslashes(line, at - 1))
  }

  /// The innermost member that has something to say of a topic.
  @inline(__always)  // Or else all is copied for each call.
  private func value(_ best: Best, _ line: RawSpan) -> LogSurroundings.Member? {
    for level in (1...depth).reversed() where best.ranks[level] != .max {
      let start = Int(best.values[level])
      let value = range(line, start)
      if !value.contains(message) {
        return LogSurroundings.Member(rank: best.ranks[level], start: start, value: value)
      }
    }
    return nil
  }

  /// Members behind the message.
  private mutating func readOn(_ line: RawSpan, _ start: Int, until most: Int) {
    (level, message) = (depth, start)
    let (around, kinds) = (depth, objects)
    if at < most {
      repeat { step(line, until: most) } while (depth > level || quote != 0) && at < most
    }
    let own = name
    let end = min(most, at + Self.furthest)
    while at < end, depth > 0 {
      step(line, until: end)
      guard depth < level else { continue }
      // A list of records ends with them.
      if isObject(level) && depth > 0 && !isObject(depth) { break }
      level = depth
    }
    (depth, objects, name) = (around, kinds, own)
  }

  private func isObject(_ level: Int) -> Bool { objects >> UInt8(level) & 1 == 1 }

  /// One string or one other byte of the line.
  private mutating func step(_ line: RawSpan, until end: Int) {
    if quote != 0 { return readString(line, until: end) }
    let byte = line.byte(at: at)
    at += 1
    switch byte {
    case 0x22, 0x27:
      if depth == 0 || !begins(line, byte) { return }
      (quote, last) = (byte, at..<at)
    case 0x7B, 0x5B: open(isObject: byte == 0x7B)
    case 0x7D, 0x5D: depth = max(0, depth - 1)
    case 0x3A: member(line)
    default: break
    }
  }

  private mutating func open(isObject: Bool) {
    depth += 1
    if depth >= Self.most || depth > level { return }
    (way.ranks[depth], connection.ranks[depth], process.ranks[depth]) = (.max, .max, .max)
    host.ranks[depth] = .max
    (owners[depth], ownerEnds[depth]) = (
      UInt32(clamping: name.lowerBound), UInt32(clamping: name.upperBound)
    )
    let bit = UInt8(1) << UInt8(depth)
    objects = isObject ? objects | bit : objects & ~bit
  }

  /// Whether a quotation mark begins a string; one of the text that has the record in it ends that.
  private mutating func begins(_ line: RawSpan, _ byte: UInt8) -> Bool {
    if byte == 0x27 { return escapes == 0 && RecordWalk.isOpening(line, at - 1) }
    let found = Self.backslashes(line, at - 1) % (2 * escapes + 2)
    if found < escapes { depth = 0 }
    return found == escapes
  }

  /// To the end of a string, or as far as it goes.
  private mutating func readString(_ line: RawSpan, until end: Int) {
    while let mark = line.firstIndex(of: quote, from: at) {
      if mark >= end { break }
      at = mark + 1
      let found = Self.backslashes(line, mark) % (2 * escapes + 2)
      if found > escapes { continue }
      if found < escapes { depth = 0 }
      (quote, last) = (0, last.lowerBound..<max(last.lowerBound, mark - escapes))
      return
    }
    at = end
  }

  private static func backslashes(_ line: RawSpan, _ mark: Int) -> Int {
    var at = mark
    while at > 0, line.byte(at: at - 1) == 0x5C { at -= 1 }
    return mark - at
  }

  /// A name and its colon end here.
  private mutating func member(_ line: RawSpan) {
    guard depth > 0, depth < Self.most, depth <= level, isObject(depth) else { return }
    name = last
    guard let (topic, rank) = LogMemberNames.find(line, last) ?? id(line), rank < self.rank(topic)
    else { return }
    let value = range(line, at)
    // The message itself, or the record that it is in.
    if value.isEmpty || value.contains(message) { return }
    if topic == .way && LogMemberNames.way(line.extracting(value), rank) == nil { return }
    keep(topic, rank)
  }

  /// `"ws":{"id":"a1",…}` names a connection.
  private func id(_ line: RawSpan) -> (Topic, UInt8)? {
    guard last.count == 2, line.extracting(last).equals("id") else { return nil }
    let owner = line.extracting(Int(owners[depth])..<Int(ownerEnds[depth]))
    return LogConnectionKeys.names.place(of: owner).map { (.connection, UInt8($0)) }
  }

  /// The value that stands behind a colon: a short string, or one word. Empty for anything else.
  private func range(_ line: RawSpan, _ colon: Int) -> Range<Int> {
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
      if end == last || Self.backslashes(line, end) != escapes { return 0..<0 }
      end = max(start, end - escapes)
    }
    return start..<end
  }

  /// What may stand between a colon and its value.
  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x5C }

  /// What ends a value without quotation marks.
  private func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x27, 0x2C, 0x7D, 0x5D, 0x7B, 0x5B, 0x20: true
    default: false
    }
  }
}
