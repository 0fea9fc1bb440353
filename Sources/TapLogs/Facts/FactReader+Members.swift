// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What lines say of the conversation of their message besides the marks of formats: its connection
/// and who wrote it, and in the members of a record, who sends.
extension FactReader {
  /// Kinds of lines that are remembered.
  private static let mostHabits = 1024

  /// Asks the record around a message, or the columns beside it, who sends it.
  mutating func askMembers(_ line: RawSpan, _ start: Int, _ page: inout LogFacts) {
    // What the record before has said is not said of this one.
    if page.isToldByMembers { page.match = nil }
    (page.around, page.isToldByMembers) = (nil, false)
    guard rules.takesWords else { return }
    if let way = LogColumns.way(line, start) {
      page.match = LogMatch(format: LogFormats.unmarked.format, rule: nil, way: way)
      page.isToldByMembers = true
      return
    }
    guard page.isInBrace(line, start) else { return }
    page.around = Self.members(line, start, &page) { $0.said(line) != nil }
    guard let (way, member) = page.around?.said(line) else { return }
    page.match = match(way, line.extracting(member))
    page.isToldByMembers = true
  }

  /// The innermost record around a message that has what is looked for, or just the innermost.
  static func members(
    _ line: RawSpan, _ start: Int, _ page: inout LogFacts, _ isWanted: (LogSurroundings) -> Bool
  ) -> LogSurroundings? {
    guard var escapes = LogMembers.escapes(line, start) else { return nil }
    var innermost: LogSurroundings?
    while true {
      let around = page.members(escapes, line, around: start)
      if let around, isWanted(around) { return around }
      innermost = innermost ?? around
      if escapes == 0 { return innermost }
      // The record may be in a string of another.
      escapes /= 2
    }
  }

  /// The connection of a message and the source of its line, where something names them.
  mutating func name(
    _ sight: inout LogCandidate, _ line: RawSpan, _ start: Int, _ page: inout LogFacts
  ) {
    let key = WideKey(0, page.skeleton)
    var habit = habits[key] ?? LogFactCache()
    sight.source = page.source ?? sources.heading
    if habit.isPlain { return }
    let prefix = line.extracting(page.begin..<start)
    if page.source == nil && habit.hasSource {
      page.source = sources.name(line, start)
      habit.hasSource = page.source != nil
      sight.source = page.source ?? sources.heading
    }
    if sight.match?.form.isKeyed ?? true {
      if habit.hasKey {
        // What a collector puts there is the source.
        let skipped = page.begin == 0 ? LinePrefix.length(prefix) : 0
        let found = LogConnectionKeys.connection(prefix.dropping(skipped), &writers)
        sight.writer = found ?? sight.writer
        habit.hasKey = found != nil
      }
    }
    if habit.hasMembers { ask(&sight, &habit, line, start, &page) }
    if habits.count >= Self.mostHabits { habits = IDTable() }
    habits[key] = habit
  }

  /// Asks the record for its connection and its process.
  private mutating func ask(
    _ sight: inout LogCandidate, _ habit: inout LogFactCache, _ line: RawSpan, _ start: Int,
    _ page: inout LogFacts
  ) {
    guard page.isInBrace(line, start) else {
      habit.hasMembers = false
      return
    }
    let around =
      page.around
      ?? Self.members(line, start, &page) { $0.isNamed(line) }
    let isKeyed = sight.match?.form.isKeyed ?? true
    let connection = isKeyed && sight.writer.isEmpty ? around?.connection(line) : nil
    let process = sight.source.isEmpty ? around?.process(line) : nil
    if let connection {
      sight.writer = writers.text(connection.name, line.extracting(connection.value))
    }
    if let process { sight.source = sources.process(process) }
    habit.misses = connection == nil && process == nil ? habit.misses + 1 : 0
  }
}
