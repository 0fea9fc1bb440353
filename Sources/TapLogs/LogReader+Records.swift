// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Messages that are members of records.
extension LogReader {
  /// What the record around a message says of it, wherever in the record that stands.
  ///
  /// - Parameters:
  ///   - before: the line before it.
  ///   - start: of the message, whose end is given, too.
  mutating func consult(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ end: Int, _ sight: inout LogCandidate,
    _ page: inout LogFacts
  ) {
    let members = RecordMembers(line, page.begin, start, end)
    var match = members.way.flatMap { self.match($0.way, line.extracting($0.member)) }
    if match == nil && page.begin == 0, let head = Self.head(before, of: line),
      let way = LogDirectionWords.way(head)
    {
      match = self.match(way, before.extracting(0..<0))
    }
    var connection = members.session.map { LogConnectionKeys.first(line.dropping($0)) } ?? ""
    if let around = page.members, page.begin > 0, !members.isApart {
      // It goes on.
      match = match ?? around.match
      if connection.isEmpty { connection = around.connection }
    }
    page.members = (match, connection)
    keys.note(hasMembers: match != nil || !connection.isEmpty, page.skeleton)
    if sight.match == nil
      && (sight.recognition.grade == .likely
        || LogDirectionWords.callsMessage(line.extracting(page.begin..<start)))
    {
      sight.match = match
    }
    if sight.match?.form.isGeneric ?? true { sight.writer = connection }
  }

  /// The line above one that is indented below it; nil where that begins with no time.
  @_lifetime(copy before)
  private static func head(_ before: RawSpan, of line: RawSpan) -> RawSpan? {
    let margin = LineMargin.shared(line, with: before)
    guard margin < line.byteCount, isJSONSpace(line.byte(at: margin)) else { return nil }
    let head = before.dropping(margin > 0 ? LineMargin.shared(before, with: line) : 0)
    return LogClock.begins(head) ? head : nil
  }

  /// Lines of programs that stand in the strings of a record, or in the fields of a table, as what
  /// those have printed.
  ///
  /// - Returns: whether one of them has a message.
  mutating func readStrings(
    _ line: RawSpan, _ before: RawSpan, _ origin: Origin, _ sink: any EvidenceSink
  ) -> Bool {
    var hasMessage = false
    if let brace = line.firstIndex(of: 0x7B) {
      var strings = RecordString.Strings(from: brace)
      while let string = strings.next(line) {
        guard let text = string.text(line) else { continue }
        let range = string.open..<string.close
        if readString(text.bytes, range, line, before, origin, sink) { hasMessage = true }
      }
    }
    if hasMessage { return true }
    var fields = CSVField.Fields()
    while let (text, range) = fields.next(line) {
      if readString(text.bytes, range, line, before, origin, sink) { hasMessage = true }
    }
    return hasMessage
  }

  /// Whether a line may be a record, or of a table: its first string is in no list.
  static func mayHoldStrings(_ line: RawSpan) -> Bool {
    guard let quote = line.firstIndex(of: 0x22) else { return false }
    if quote == 0 { return true }
    switch line.byte(at: quote - 1) {
    case 0x7B, 0x2C, 0x3B, 0x09, 0x7C: return line.extracting(0..<quote).firstIndex(of: 0x5B) == nil
    default: return false
    }
  }

  /// - Parameter range: where it stands with its first quotation mark.
  private mutating func readString(
    _ text: RawSpan, _ range: Range<Int>, _ line: RawSpan, _ before: RawSpan, _ origin: Origin,
    _ sink: any EvidenceSink
  ) -> Bool {
    guard
      LogFormats.hasFrame(text) || LogFormats.leads.survey(text).hasAnchor
        || PacketStart.next(text, from: 0) != nil
    else { return false }
    clock.begin()
    let moment = clock.time(line, 0, range.lowerBound + 1, range.upperBound, origin.record)?.moment
    return readAll(text, before, origin, first: nil, hasAnchor: true, of: moment, sink)
  }

  /// The rule that a member is the mark of, or what its words say.
  func match(_ way: LogRule.Way, _ member: RawSpan) -> LogMatch? {
    if let match = LogMarks.all.find(member, only: place.choice.logFormat) { return match }
    let words = LogFormats.unmarked.format
    guard place.choice.logFormat ?? words == words else { return nil }
    return LogMatch(format: words, rule: nil, way: way)
  }
}
