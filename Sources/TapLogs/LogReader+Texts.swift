// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Messages of text that are no lists, but show themselves.
extension LogReader {
  mutating func readTexts(
    _ line: LogLine, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    let measured = readMeasuredText(line, &facts, sink)
    if measured != .other { return measured }
    var hasMessage = false
    // Behind the last one, and where is looked.
    var (begin, at) = (0, 0)
    while let found = PacketStart.next(line.text, from: at) {
      at = found.bracket + 1
      guard let end = ListEnd.json(line.text, found.bracket) else { continue }
      let text = line.text.extracting(found.start..<end)
      let recognition =
        place.choice.dialect.map { recogniser.recognise(text, as: $0) }
        ?? recogniser.recognise(text, .text)
      if recognition.grade == .none { continue }
      let prefix = line.text.extracting(begin..<found.start)
      facts.skeleton = LogRules.skeleton(prefix)
      facts.match = factReader.rules.match(prefix, facts.skeleton)
      facts.match?.markEnd += begin
      facts.begin = begin
      // Among other words it could be the code of a program.
      guard facts.match != nil || isLast(line.text, found.start..<end) else { continue }
      if case .ignored? = facts.match?.row?.form { return LineOutcome(isMessage: hasMessage) }
      guard
        recognition.grade == .likely || place.choice.isForced
          || isKnown(line, found.start, end, &facts)
      else {
        continue
      }
      let place = found.start..<end
      take(FoundMessage(.line(place), recognition, .text, place), line, &facts, sink)
      (begin, at, hasMessage) = (end, end, true)
    }
    return hasMessage ? .message : .other
  }

  private func isLast(_ line: RawSpan, _ text: Range<Int>) -> Bool {
    if text.lowerBound > 0, line.byte(at: text.lowerBound - 1) == 0x3D { return false }
    return (text.upperBound..<line.byteCount).allSatisfy {
      isJSONSpace(line.byte(at: $0)) || PrintedString.isQuote(line.byte(at: $0))
        || line.byte(at: $0) == 0x29
    }
  }

  /// Whether a message of this line would be of a conversation that has begun.
  private mutating func isKnown(
    _ line: LogLine, _ start: Int, _ end: Int, _ facts: inout LogFacts
  ) -> Bool {
    teller.conversations.isKnown(
      factReader.candidate(Recognition(.possible), .text, line, start, end, &facts))
  }

  /// A string whose length the line says, and in it something else than a list.
  private mutating func readMeasuredText(
    _ line: LogLine, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    guard let size = Measured.size(line.text), !size.isContinued,
      let match = LogMarks.all.find(
        line.text.extracting(0..<size.start), only: place.choice.logFormat),
      case .measured? = match.row?.form, match.markEnd < line.text.byteCount,
      line.text.byte(at: match.markEnd) != 0x5B,
      let found = Measured(line.text, match.markEnd)
    else { return .other }
    facts.match = match
    facts.skeleton = LogRules.skeleton(line.text.extracting(0..<match.markEnd))
    (facts.isMeasured, facts.length) = (true, found.length)
    var text = Scratch()
    if found.isCut {
      // Nothing tells what the beginning of a text is of but the messages around it.
      guard isKnown(line, match.markEnd, found.end, &facts) else {
        tally.unread += 1
        return .noMessage
      }
      found.readBeginning(line.text, into: &text)
      take(
        FoundMessage(text, Recognition(.possible), .abridged, match.markEnd..<found.end), line,
        &facts, sink)
      return .message
    }
    guard found.read(line.text, into: &text) else { return .other }
    var recognition = recogniser.recognise(text.bytes, .text)
    if recognition.grade < .likely {
      recognition = recogniser.recognise(text.bytes, as: "engineio")
      guard recognition.grade != .none,
        isKnown(line, match.markEnd, found.end, &facts)
      else { return .other }
    }
    take(
      FoundMessage(text, recognition, .text, match.markEnd..<found.end), line, &facts, sink)
    return .message
  }
}
