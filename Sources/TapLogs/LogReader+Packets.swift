// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that end with a message of text, whose first characters they print as words.
extension LogReader {
  mutating func readPacket(
    _ heads: [LogRule.PacketHead], until close: StaticString, _ line: LogLine,
    _ mark: Int, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    guard let head = heads.first(where: { line.text.dropping(mark).starts(with: $0.words) }) else {
      return .other
    }
    let start = mark + head.words.utf8CodeUnitCount
    // What is known to be a secret only after OPEN is no context.
    if facts.match?.row?.namesSecrets == true { told = start }
    guard let characters = head.characters else {
      miss(line, start, &facts, sink)
      return .message
    }
    var end = start + Self.withoutLapse(line.text.dropping(start))
    if close.utf8CodeUnitCount > 0 {
      guard let stop = LogMarks.last(close, in: line.text.extracting(start..<end)) else {
        return .other
      }
      end = start + stop
    }
    let content = line.text.extracting(start..<end)
    var text = Scratch()
    text.append(characters)
    // Who sends a value prints it as Python does: nothing, or a dictionary.
    if content.starts(with: "{'"), finder.literal.read(content, from: 0) == content.byteCount {
      text.append(finder.literal.json.bytes)
    } else if !content.equals("None") {
      text.append(content)
    }
    var recognition = recogniser.recognise(
      text.bytes, as: facts.match?.row?.dialect.description ?? "")
    if recognition.grade == .none {
      // Words that stand for its first characters say what it is.
      guard head.words.utf8CodeUnitCount > 0, !head.lacksBytes else { return .other }
      recognition.grade = .possible
    }
    take(FoundMessage(text, recognition, .text, start..<end), line, &facts, sink)
    if head.lacksBytes { tellGap(line, start, &facts, sink) }
    return .message
  }

  private mutating func tellGap(
    _ line: LogLine, _ start: Int, _ facts: inout LogFacts,
    _ sink: any EvidenceSink
  ) {
    var candidate = factReader.candidate(
      Recognition(.possible), .text, line, start, line.text.byteCount, &facts)
    if teller.conversations.find(&candidate) { sink.gap(nil, Delivery(candidate.origin)) }
  }

  /// How long a text is without what the library `debug` puts behind it on a terminal: ` +3ms`.
  private static func withoutLapse(_ text: RawSpan) -> Int {
    var at = text.byteCount
    while at > 0, isJSONSpace(text.byte(at: at - 1)) { at -= 1 }
    let units = at
    while at > 0, text.byte(at: at - 1) &- 0x61 < 26 { at -= 1 }
    let digits = at
    while at > 0, text.byte(at: at - 1) &- 0x30 < 10 { at -= 1 }
    guard (1...2).contains(units - digits), at < digits, at > 1, text.byte(at: at - 1) == 0x2B,
      text.byte(at: at - 2) == 0x20
    else { return text.byteCount }
    return at - 2
  }

  /// A frame of STOMP in the notation of a program.
  mutating func readFrame(
    _ frame: PrintedFrame?, _ line: LogLine, _ start: Int,
    _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    guard let frame else { return .other }
    let kind: Delivery.Kind = UTF8.firstInvalid(in: frame.bytes.bytes) == nil ? .text : .binary
    var recognition = recogniser.recognise(frame.bytes.bytes, as: "stomp")
    if recognition.grade == .none { recognition.grade = .possible }
    take(FoundMessage(frame.bytes, recognition, kind, start..<frame.end), line, &facts, sink)
    return .message
  }

  /// A message of which the line has nothing but that it was there.
  private mutating func miss(
    _ line: LogLine, _ start: Int, _ facts: inout LogFacts,
    _ sink: any EvidenceSink
  ) {
    tally.hasMessages = true
    tally.use(facts.origin.record, height)
    tally.unread += 1
    context(line: line.text, facts.origin, sink)
    told = line.text.byteCount
    tellGap(line, start, &facts, sink)
  }
}
