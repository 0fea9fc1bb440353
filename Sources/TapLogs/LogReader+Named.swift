// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that name what they hold, instead of printing a list.
extension LogReader {
  /// Lines that name the fields of a message.
  mutating func readNamed(
    _ line: LogLine, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    guard let (match, start) = NamedFields.find(line.text, only: place.choice.logFormat) else {
      return .other
    }
    facts.match = match
    facts.skeleton = LogRules.skeleton(line.text.extracting(0..<start))
    switch match.row?.form {
    case .ignored?: return .noMessage
    case .loss?:
      lost(line, start, &facts, sink)
      return .noMessage
    case .block?:
      return readBlock(line, start, &facts, sink)
    case .subprotocol?:
      let candidate = factReader.candidate(
        Recognition(.none), .text, line, start, line.text.byteCount, &facts)
      teller.conversations.note(subprotocol: LogNames.peer(line.text, markEnd: start), candidate)
      return .noMessage
    case .frame(let notation)?:
      if wait(line, facts, sink) { return .message }
      return readFrame(notation, line, start, &facts, sink)
    case .packet(let heads, let close)?:
      return readPacket(heads, until: close, line, start, &facts, sink)
    case .pieces?:
      return readFrame(PrintedFrame(pieces: line.text, start), line, start, &facts, sink)
    case .frameLines?:
      return readFrame(PrintedFrame(lines: line.text, start), line, start, &facts, sink)
    case .frameParts?:
      return readFrame(PrintedFrame(parts: line.text, start), line, start, &facts, sink)
    case .octets?:
      if wait(line, facts, sink) { return .message }
      return readOctets(line, start, &facts, sink)
    default: break
    }
    // A list among keywords is a value of one.
    let unread: LineOutcome = if case .keywords? = match.row?.form { .noMessage } else { .other }
    guard let (json, isAbridged) = NamedFields.read(line.text, match, start) else { return unread }
    let kind: Delivery.Kind = isAbridged ? .abridged : .text
    let recognition = recogniser.recognise(json.bytes, kind)
    if recognition.grade == .none { return unread }
    switch match.row?.form {
    case .structure?, .bareStructure?: tally.hasUnquoted = true
    default: break
    }
    take(
      FoundMessage(json, recognition, kind, start..<line.text.byteCount), line, &facts, sink)
    return .message
  }

  /// The program says itself that it lost something.
  mutating func lost(
    _ line: LogLine, _ start: Int, _ facts: inout LogFacts,
    _ sink: any EvidenceSink
  ) {
    var origin = facts.origin
    origin.set(factReader.time(line, start, start, &facts))
    let words = line.text.dropping(start).copied().prefix(200)
    let title = facts.match?.form.title ?? "the program"
    sink.finding(
      Finding(
        .logLoss, .warning, origin,
        "\(title) says that it dropped \(String(decoding: words, as: Unicode.UTF8.self))"))
  }
}
