// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Reads what a line says of a message on it: when it was sent, by whom, and in which session. It
/// remembers what lines that are alike have said, and tells nothing.
struct FactReader {
  var rules: LogRules
  var clock = LogClock()
  var sources = LogSources()
  var writers = LogWriters()
  /// What lines of a kind have said of their conversation, by the skeleton of what is before the
  /// message.
  var habits = IDTable<LogFactCache>()
  /// The only format that is asked; nil for all.
  let only: Int?

  init(only: Int?) { (self.only, rules) = (only, LogRules(only: only)) }

  /// What was found, with all that its line says of it.
  ///
  /// - Parameter kind: what it is when what the line says of it is known.
  mutating func sight(
    _ found: FoundMessage, _ kind: Delivery.Kind, _ line: LogLine, _ page: inout LogFacts
  ) -> LogCandidate {
    var sight = LogCandidate(
      recognition: found.recognition, kind: kind, match: page.match, skeleton: page.skeleton,
      origin: page.origin)
    (sight.length, sight.certain) = (page.length, page.certain)
    (sight.isReworded, sight.isTooDeep) = (found.isReworded, found.isTooDeep)
    sight.isUnread = found.isUnread
    let start = found.place.lowerBound
    describe(&sight, line, start, &page)
    sight.origin.offset += UInt64(start)
    sight.origin.set(time(line, start, found.place.upperBound, &page))
    return sight
  }

  /// What stands there and is no message by itself.
  mutating func sight(
    _ recognition: Recognition, _ kind: Delivery.Kind, _ line: LogLine, _ start: Int, _ end: Int,
    _ page: inout LogFacts
  ) -> LogCandidate {
    sight(FoundMessage(.line(start..<end), recognition, kind, start..<end), kind, line, &page)
  }

  /// Session, writer and side, as the line has them.
  private mutating func describe(
    _ sight: inout LogCandidate, _ line: LogLine, _ start: Int,
    _ page: inout LogFacts
  ) {
    name(&sight, line.text, start, &page)
    guard let match = sight.match else { return }
    if page.names == nil || page.names!.match.rule != match.rule
      || page.names!.match.format != match.format
    {
      page.names = (
        match, LogNames.session(match.row, line.text), LogNames.side(match.form, line.text)
      )
    }
    sight.side = page.names!.side
    guard let row = match.row else { return }
    sight.session =
      LogNames.session(row, line.text, markEnd: match.markEnd, start: start) ?? page.names!.session
    switch row.writer {
    case .firstWord:
      sight.writer = LogNames.writer(row.writer, line.text.extracting(0..<start), line.above)
      sight.peer = LogNames.peer(line.text, markEnd: match.markEnd)
    case .peer:
      let peer = LogNames.peer(line.text, markEnd: match.markEnd)
      sight.writer = String(decoding: peer.prefix(64), as: Unicode.UTF8.self)
    case .secret(let length):
      let mark = match.markEnd - row.mark.utf8CodeUnitCount
      sight.writer = LogNames.secret(line.text, length: length, before: mark)
      sight.side = sight.writer.isEmpty ? .client : .router
    case .process:
      sight.writer = LogNames.writer(row.writer, line.text.extracting(0..<start), line.above)
    case .nobody: break
    }
  }

  /// The rule that a member is the mark of, or what its words say.
  func match(_ way: LogRule.Way, _ member: RawSpan) -> LogMatch? {
    if let match = LogMarks.all.find(member, only: only) { return match }
    let words = LogFormats.unmarked.format
    guard only ?? words == words else { return nil }
    return LogMatch(format: words, rule: nil, way: way)
  }
}
