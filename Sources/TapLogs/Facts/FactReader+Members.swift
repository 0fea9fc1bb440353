// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What lines say of the conversation of their message besides the marks of formats: its connection
/// and who wrote it, and in the members of a record, who sends.
extension FactReader {
  /// Bytes before a string that are searched for a mark.
  private static let furthestMark = 1024
  /// Kinds of lines that are remembered.
  private static let mostCached = 1024

  /// Asks the record around a message, or the columns and fields beside it, who sends it.
  mutating func askMembers(_ line: RawSpan, _ start: Int, _ facts: inout LineFacts) {
    // Forget what the record of the message before has said.
    if facts.message.isMatchOfMembers { facts.message.match = nil }
    (facts.message.members, facts.message.isMatchOfMembers) = (nil, false)
    guard rules.takesWords else { return }
    if let direction = LogColumns.direction(line, start) {
      facts.message.match = LogMatch(words: direction)
      facts.message.isMatchOfMembers = true
      return
    }
    if facts.records.isInBrace(line, start) {
      facts.message.members = members(line, start, &facts) { $0.said(line) != nil }
    }
    if let (direction, member) = facts.message.members?.said(line) {
      facts.message.match = match(direction, line.extracting(member))
      facts.message.isMatchOfMembers = true
    } else if let direction = LogFields.direction(line, start, from: facts.message.begin) {
      facts.message.match = LogMatch(words: direction)
      facts.message.isMatchOfMembers = true
    }
  }

  /// What a record says of the messages in one of its strings, or else the words before that.
  ///
  /// - Parameter facts: those of the line, kept from one string to the next.
  mutating func around(
    _ line: LogLine, string range: Range<Int>, _ facts: inout LineFacts
  ) -> LogCandidate {
    let start = range.lowerBound
    facts.message.match = nil
    askMembers(line.text, start, &facts)
    // Only the words right before the string: a line may have very many strings.
    let prefix = line.text.extracting(max(0, start - 64)..<start)
    facts.message.shape = LogRules.shape(prefix)
    let mark = facts.message.match == nil ? markInMember(line, before: start) : nil
    if facts.message.match == nil { facts.message.match = mark ?? rules.words(prefix) }
    var found = LogCandidate(
      recognition: .none, kind: .text, match: facts.message.match, shape: facts.message.shape,
      origin: line.origin)
    // The mark stands in another text than the message.
    found.match?.markEnd = 0
    name(&found, line.text, range, &facts)
    if mark != nil { found.session = session(of: line.text, start, &facts) }
    return found
  }

  /// The mark that another string of the record is, before the one that has the message.
  private func markInMember(_ line: LogLine, before start: Int) -> LogMatch? {
    guard line.hasAnchor else { return nil }
    let first = max(0, start - Self.furthestMark)
    guard var match = LogMarks.all.find(line.text.extracting(first..<start), only: only),
      let rule = match.rule
    else { return nil }
    match.markEnd += first
    return RuleFacts.isInMember(rule, line.text, markEnd: match.markEnd) ? match : nil
  }

  /// The innermost record around a message that has what is looked for, or just the innermost.
  private mutating func members(
    _ line: RawSpan, _ start: Int, _ facts: inout LineFacts, _ isWanted: (LogSurroundings) -> Bool
  ) -> LogSurroundings? {
    var escapes = RecordWalk.escapes(line, before: start)
    var innermost: LogSurroundings?
    while true {
      let around = facts.records.members(
        escapes: escapes, line, around: start, from: facts.message.begin, &clock.seconds)
      if let around, isWanted(around) { return around }
      innermost = innermost ?? around
      if escapes == 0 { return innermost }
      // The record may be in a string of another.
      escapes /= 2
    }
  }

  /// The connection of a message and the source of its line, where something names them.
  mutating func name(
    _ candidate: inout LogCandidate, _ line: RawSpan, _ message: Range<Int>,
    _ facts: inout LineFacts
  ) {
    if facts.message.isOfBatch, let (source, writer) = facts.batchName {
      (candidate.source, candidate.writer) = (source, writer)
      return
    }
    facts.batchName = nil
    defer {
      if !candidate.source.isEmpty || !candidate.writer.isEmpty {
        facts.batchName = (candidate.source, candidate.writer)
      }
    }
    let start = message.lowerBound
    let key = WideKey(0, facts.message.shape)
    var cached = cache[key] ?? LogFactCache()
    candidate.source = facts.source ?? sources.heading
    let end = Self.end(line, ofListWith: message, &facts)
    let hasTail = LogConnectionKeys.mayStand(line, behind: end)
    if cached.isPlain && !hasTail { return }
    let begin = facts.records.begin(of: start, line, from: facts.message.begin)
    let prefix = line.extracting(begin..<start)
    if facts.source == nil && cached.hasSource {
      facts.source = sources.name(line, start)
      cached.hasSource = facts.source != nil
      candidate.source = facts.source ?? sources.heading
    }
    if candidate.match?.format.isKeyed ?? true {
      if cached.hasKey {
        // The prefix that a collector puts there names the source, not the connection.
        let skipped = facts.message.begin == 0 ? LinePrefix.length(prefix) : 0
        var found = LogConnectionKeys.connection(
          prefix.dropping(skipped), before: line.dropping(start), &writers)
        if found == nil, candidate.match?.format.traits.contains(.keyed) == true {
          found = LogConnectionKeys.uuid(prefix, &writers)
        }
        candidate.writer = found ?? candidate.writer
        cached.hasKey = found != nil
      }
      if hasTail && candidate.writer.isEmpty && !facts.records.isInBrace(line, start) {
        candidate.writer =
          LogConnectionKeys.connection(line, behind: end, &writers) ?? ""
      }
    }
    if cached.hasMembers { ask(&candidate, &cached, line, start, &facts) }
    if cache.count >= Self.mostCached { cache = IDTable() }
    cache[key] = cached
  }

  /// The end of a message, or of the list of objects that it is the first of.
  private static func end(
    _ line: RawSpan, ofListWith message: Range<Int>, _ facts: inout LineFacts
  ) -> Int {
    let start = message.lowerBound
    guard start > 0, start < line.byteCount, line.byte(at: start) == .openBrace,
      line.byte(at: start - 1) == .openBracket
    else { return message.upperBound }
    return facts.end(ofBatchAt: start - 1, line) ?? message.upperBound
  }

  /// The id of the session that a member of the record has; 0 where none has it.
  mutating func session(of line: RawSpan, _ start: Int, _ facts: inout LineFacts) -> UInt64 {
    let around = facts.message.members ?? members(line, start, &facts) { $0.isNamed(line) }
    guard let connection = around?.connection(line) else { return 0 }
    return RuleFacts.number(line, connection.value.lowerBound)
  }

  /// Asks the record for its connection and its process.
  private mutating func ask(
    _ candidate: inout LogCandidate, _ cached: inout LogFactCache, _ line: RawSpan, _ start: Int,
    _ facts: inout LineFacts
  ) {
    guard facts.records.isInBrace(line, start) else {
      cached.hasMembers = false
      return
    }
    let around = facts.message.members ?? members(line, start, &facts) { $0.isNamed(line) }
    let isKeyed = candidate.match?.format.isKeyed ?? true
    let connection = isKeyed && candidate.writer.isEmpty ? around?.connection(line) : nil
    let process = candidate.source.isEmpty ? around?.process(line) : nil
    if let connection {
      candidate.writer = writers.text(connection.name, line.extracting(connection.value))
    }
    if let process { candidate.source = sources.process(process) }
    cached.misses = connection == nil && process == nil ? cached.misses + 1 : 0
  }
}
