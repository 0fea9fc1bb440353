// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What the records around a message say of it, before it or behind: who sends, and in which
/// session. The innermost that says something counts, up to a list of records; what is inside of
/// other members says nothing. It reads records in any notation, also those over several lines, and
/// is asked last; `LogMembers` reads JSON, for all messages of a line at once.
struct RecordMembers {
  /// What one of the records has.
  private struct Level {
    /// Who sends, how good the name is that says so, and the member.
    var way: (way: LogRule.Way, rank: Int, member: Range<Int>)?
    /// Where the name of the session begins.
    var session: Int?
    var begin = 0
  }

  /// Levels of which anything is remembered; what is around all records is the first.
  private static let most = 8
  /// How far behind a message its records are read.
  private static let furthest = 4096

  private var levels = [Level](repeating: Level(), count: most)
  private var walk: RecordWalk
  /// Who sends, and the text of the member that says so.
  private(set) var way: (way: LogRule.Way, member: Range<Int>)?
  /// Where the name of the session begins.
  private(set) var session: Int?
  /// A record ended ahead of the message that began ahead of all this.
  private(set) var isApart = false

  /// - Parameters:
  ///   - begin: where what belongs to the message begins.
  ///   - start: of the message, whose end is given, too.
  init(_ line: RawSpan, _ begin: Int, _ start: Int, _ end: Int) {
    // What ends a string behind the message before.
    let isQuote = begin > 0 && begin < start && line.byte(at: begin) == 0x22
    walk = RecordWalk(from: isQuote ? begin + 1 : begin)
    guard let string = read(line, begin, start, end), way == nil else { return }
    // The text of the string may be a record itself.
    levels = [Level](repeating: Level(), count: Self.most)
    walk = RecordWalk(from: string, isEscaped: true)
    _ = read(line, string, start, end)
  }

  /// Answers where the text begins of the string that the message is in.
  private mutating func read(
    _ line: RawSpan, _ begin: Int, _ start: Int, _ end: Int
  ) -> Int? {
    while walk.at < start {
      let isOutermost = walk.depth == 0
      if step(line) == .end && isOutermost {
        isApart = true
        levels[0] = Level()
      }
    }
    let string = walk.quote == 0 ? nil : walk.opened + 1
    let words = walk.isObject(1) && walk.depth > 0 ? levels[1].begin : begin
    walk.skip(line, to: end)
    collectAround(line, end)
    let ahead = line.extracting(begin..<words)
    if way == nil, let said = LogDirectionWords.way(ahead) ?? LogPeerWords.way(ahead) {
      way = (said, words..<words)
    }
    return string
  }

  /// What the records say that are open, once each has ended.
  private mutating func collectAround(_ line: RawSpan, _ end: Int) {
    var level = walk.depth
    var last = min(line.byteCount, walk.at + Self.furthest)
    if level == 0 { last = min(last, ListStart.next(line, from: walk.at) ?? last) }
    while walk.at < last, way == nil || session == nil {
      _ = step(line)
      guard walk.depth < level else { continue }
      collect(level)
      // Other records of a list say nothing of this one.
      if isElement(level) { return }
      level = walk.depth
      if level == 0 { break }
    }
    while level >= 0 {
      collect(level)
      if isElement(level) { return }
      level -= 1
    }
  }

  private func isElement(_ level: Int) -> Bool {
    level > 1 && walk.isObject(level) && !walk.isObject(level - 1)
  }

  private mutating func collect(_ level: Int) {
    guard level < Self.most else { return }
    if way == nil, let found = levels[level].way { way = (found.way, found.member) }
    if session == nil { session = levels[level].session }
  }

  private mutating func step(_ line: RawSpan) -> RecordWalk.Step {
    let step = walk.step(line)
    guard walk.depth < Self.most else { return step }
    switch step {
    case .begin:
      levels[walk.depth] = Level()
      levels[walk.depth].begin = walk.at - 1
    case .name: name(line)
    case .end, .nothing: break
    }
    return step
  }

  private mutating func name(_ line: RawSpan) {
    guard let word = LogTimeNames.word(line, before: walk.at - 1), word.count < 16 else { return }
    let name = line.extracting(word)
    if levels[walk.depth].session == nil && LogConnectionKeys.name(line, word) != nil {
      levels[walk.depth].session = word.lowerBound
    }
    guard let rank = WayNames.rank(name), rank < levels[walk.depth].way?.rank ?? .max,
      let value = WayNames.value(line, walk.at),
      let way = WayNames.way(rank, line.extracting(value))
    else { return }
    let quoted = word.lowerBound - (word.lowerBound > 0 ? 1 : 0)
    let member = quoted..<min(value.upperBound + 1, line.byteCount)
    levels[walk.depth].way = (way, rank, member)
  }
}
