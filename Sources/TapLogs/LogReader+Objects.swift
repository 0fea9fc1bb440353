// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Objects that a line says were sent, or that show themselves.
extension LogReader {
  /// Whether the line says that what begins there was sent.
  mutating func isSent(
    _ line: LogLine, _ start: Int, _ facts: inout LineFacts
  ) -> Bool {
    guard leads.takesSentJSON, SentJSON.isSent(line.text, start, &facts) else { return false }
    if facts.message.match?.rule?.placement.contains(.first) == true && !isDiff {
      isDiff = SentJSON.isDiff(line.above)
    }
    return facts.message.match?.rule?.placement.contains(.first) != true || !isDiff
  }

  /// An object that may be a message.
  ///
  /// - Parameter begin: behind the message before it.
  /// - Returns: where it ends, also of one that is reported elsewhere; nil where it is no message.
  mutating func readObject(
    _ line: LogLine, _ start: Int, _ end: Int?, behind begin: Int, _ facts: inout LineFacts
  ) -> Int? {
    facts.message.begin = begin
    // What is said of the first message of a batch holds for all of it.
    facts.message.isOfBatch = isOfBatch(line.text, start, behind: begin, facts)
    defer { facts.message.isOfBatch = false }
    guard match(object: line, start, behind: begin, &facts) else { return end }
    guard var found = object(line, start, end, &facts) else {
      (facts.message.match, facts.message.begin) = (nil, 0)
      return nil
    }
    if !leads.objects.areAll { found.traits.insert(.markedObject) }
    if facts.message.isOfBatch { found.traits.insert(.ofBatch) }
    if found.recognition.opens != 0 && facts.answered.isThere(line.text, start) {
      found.traits.insert(.besideAnswer)
    }
    accept(found, line, &facts)
    lists.giveBack(found.content)
    let before = line.text.beforeSpace(start)
    let isFirst = before > 0 && line.text.byte(at: before - 1) == .openBracket
    if isFirst || facts.message.isOfBatch && begin == facts.batchEnd { facts.batchEnd = found.end }
    return found.end
  }

  /// Finds what is said of an object; false where that it is no message.
  private mutating func match(
    object line: LogLine, _ start: Int, behind begin: Int, _ facts: inout LineFacts
  ) -> Bool {
    let said = said(above: start, line)
    if let said, said.direction == nil { return false }
    if let direction = said?.direction {
      facts.message.match = LogMatch(words: direction)
    } else if !facts.message.isOfBatch {
      taker.factReader.match(line.text, begin..<start, asksOuter: false, &facts)
    }
    if facts.message.match?.rule?.isIgnored == true { return false }
    // What a record says of its payload outweighs the words of its other members.
    if facts.message.match.map({ $0.rule == nil && SentJSON.isPayload(line.text, start) }) ?? true {
      taker.factReader.askMembers(line.text, start, &facts)
    }
    if facts.message.match == nil && start == facts.contextMessage {
      facts.message.match = facts.contextMatch
    }
    if facts.message.match == nil { facts.message.match = facts.outer?.match }
    if facts.message.match == nil, let above = LogFormats.said(above: line.above) {
      guard let direction = above.direction else { return false }
      facts.message.match = LogMatch(words: direction)
    }
    facts.message.isSent = isSent(line, start, &facts)
    return true
  }

  /// The object itself, or the list that it begins; nil where it is no message, or has one in it.
  private mutating func object(
    _ line: LogLine, _ start: Int, _ end: Int?, _ facts: inout LineFacts
  ) -> FoundMessage? {
    var object = lists.object(line.text, start, end, &facts.message)
    if start < facts.recordEnd && !facts.message.isSent && start != facts.contextMessage {
      object = nil
    }
    if object == nil, facts.message.isSent {
      if end == nil && line.text.dropping(start).starts(with: "{\"") {
        taker.reporter.tally.note(cutOn: line.origin.record)
      } else if end != nil && line.text.byte(at: start) == .openBracket {
        taker.reporter.tally.note(unclaimedOn: line.origin.record)
      }
    }
    guard let object else { return nil }
    let isSaid = facts.message.match != nil
    switch contexts.message(in: object, line.text, isSaid: isSaid) {
    case .value(let at)?:
      (facts.contextMessage, facts.contextMatch) = (at, facts.message.match)
      return nil
    case .record(let end, let payload)?:
      (facts.recordEnd, facts.contextMessage, facts.contextMatch) = (end, payload, nil)
      return nil
    case .inside?: return nil
    case nil: break
    }
    if object.recognition.grade == .likely, taker.libraryPrints.compares(facts.message.match),
      let batch = batch(line.text, from: start, &facts)
    {
      return batch
    }
    return object
  }

  /// What is said of an object by the line above it, where both belong together.
  private func said(above start: Int, _ line: LogLine) -> LogFormat.LineAbove? {
    let end = line.text.beforeBlanks(start)
    guard end > 0, line.text.byte(at: end - 1) == .lineFeed else { return nil }
    return LogFormats.said(above: line.text.extracting(RecordAbove.lastLine(line.text, end)))
  }

  /// The list of messages that an object begins, where it stands on the line as it was sent.
  private func batch(
    _ line: RawSpan, from object: Int, _ facts: inout LineFacts
  ) -> FoundMessage? {
    let start = line.beforeSpace(object) - 1
    guard start >= 0, line.byte(at: start) == .openBracket,
      let end = facts.end(ofBatchAt: start, line)
    else { return nil }
    let list = line.extracting(start..<end)
    let mayBeEscaped = PrintedString.mayBegin(line, start) && list.firstIndex(of: .backslash) != nil
    let recognition = mayBeEscaped ? .none : recogniser.recognise(list, .text)
    return recognition.grade == .likely
      ? FoundMessage(.line(start..<end), recognition, .text, start..<end) : nil
  }

  /// Whether nothing but 0x1E stands between two messages, or a comma between two of a list that
  /// begins with messages.
  private func isOfBatch(
    _ line: RawSpan, _ start: Int, behind begin: Int, _ facts: LineFacts
  ) -> Bool {
    let at = line.beforeSpace(start, from: begin) - 1
    guard begin > 0, at >= begin,
      line.byte(at: at) == 0x1E || line.byte(at: at) == .comma && begin == facts.batchEnd
    else { return false }
    return line.beforeSpace(at, from: begin) == begin
  }
}
