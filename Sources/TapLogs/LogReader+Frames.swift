// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that have a frame of WebSocket on them, or bytes of its stream.
extension LogReader {
  mutating func readFrame(
    _ notation: LoggedFrame.Notation, _ line: LogLine, _ start: Int,
    _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    guard let frame = frame(notation, line.text, start) else { return .other }
    tally.use(facts.origin.record, height)
    if isPrintedElsewhere(facts) { return .noMessage }
    let end = end(line.text, start, &facts)
    var candidate = factReader.candidate(Recognition(.possible), .binary, line, start, end, &facts)
    if frame.reserved & 4 != 0 || teller.conversations.isStream(candidate) {
      // Compressed, and what it says depends on the frames before it.
      let isMasked = !frame.mask.isEmpty
      context(around: start..<start, line.text, facts, sink)
      pass(stream: frame.octets(isMasked: isMasked).bytes, &candidate, sink)
      return .message
    }
    if !frame.isData {
      context(around: start..<start, line.text, facts, sink)
      control(frame, &candidate, sink)
      return .message
    }
    let writer = "\(candidate.source) \(candidate.writer)"
    let name = "\(facts.match?.format ?? 0) \(facts.match?.way == .sent) \(writer)"
    guard let whole = fragments.add(frame, name) else { return .noMessage }
    return LineOutcome(isMessage: message(whole, candidate, line, start, &facts, sink))
  }

  private func frame(
    _ notation: LoggedFrame.Notation, _ line: RawSpan, _ start: Int
  ) -> LoggedFrame? {
    // Nothing ends the words of a reason but the string of the record that they stand in.
    if case .closing = notation, let words = RecordString.rest(line, from: start) {
      return LoggedFrame(words.bytes, 0, notation)
    }
    return LoggedFrame(line, start, notation)
  }

  /// Where other things may follow that the line says of a frame: in a record, behind its string.
  private func end(_ line: RawSpan, _ start: Int, _ facts: inout LogFacts) -> Int {
    facts.isInBrace(line, start) ? start : line.byteCount
  }

  /// A message of text or bytes that is whole, unless the logger left out some of it.
  ///
  /// - Returns: whether it is one.
  mutating func message(
    _ frame: LoggedFrame, _ candidate: LogCandidate, _ line: LogLine, _ start: Int,
    _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    let end = end(line.text, start, &facts)
    if frame.opcode == 1 {
      var recognition = recogniser.recognise(frame.payload.bytes, .text)
      if recognition.grade == .none && !teller.conversations.isKnown(candidate) { return false }
      if recognition.grade == .none { recognition = Recognition(.possible) }
      take(FoundMessage(frame.payload, recognition, .text, start..<end), line, &facts, sink)
      return true
    }
    if frame.isCut {
      guard
        teller.conversations.isKnown(candidate)
          || teller.conversations.subprotocol(candidate) != nil
      else {
        return false
      }
      let recognition = recogniser.recognise(frame.payload.bytes, .withheld)
      let count = frame.payload.count
      let isMeasured = frame.length < .max
      (facts.length, facts.certain) = (isMeasured ? frame.length : 0, count)
      var bytes = frame.payload
      bytes.append(
        isMeasured
          ? "\(counted(UInt64(frame.length), "byte")), of which the log has \(count)"
          : "more than \(counted(UInt64(count), "byte")), of which the log has no more")
      take(
        FoundMessage(
          bytes, recognition.grade == .none ? Recognition(.possible) : recognition, .withheld,
          start..<end), line, &facts, sink)
      return true
    }
    let recognition = recogniser.recognise(frame.payload.bytes, .binary)
    if recognition.grade == .none && !teller.conversations.isKnown(candidate) { return false }
    take(
      FoundMessage(
        frame.payload, recognition.grade == .none ? Recognition(.possible) : recognition, .binary,
        start..<end), line, &facts, sink)
    return true
  }

  /// A control frame of a conversation that has begun.
  mutating func control(
    _ frame: LoggedFrame, _ candidate: inout LogCandidate, _ sink: any EvidenceSink
  ) {
    tally.hasMessages = true
    tally.use(candidate.origin.record, height)
    guard teller.conversations.find(&candidate) else { return }
    factReader.clock.tell(place, sink)
    sink.control(frame.opcode, frame.payload.bytes, Delivery(candidate.origin))
    if frame.opcode == 8 { teller.conversations.end(candidate) }
  }

  /// Bytes as they were sent.
  mutating func readOctets(
    _ line: LogLine, _ start: Int, _ facts: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> LineOutcome {
    // Behind words, or behind their number and in quotes.
    let words = LogMarks.last("octets = ", in: line.text).map { $0 + 9 }
    guard let at = words ?? line.text.firstIndex(of: 0x22, from: start) else { return .other }
    guard var octets = LoggedOctets(line.text, at) else { return .other }
    // Hexadecimal may stand in quotes itself.
    if words != nil && LiteralString.begins(line.text, at) { octets.openHex() }
    // Above the layer of WebSocket, the same words print messages.
    let isLayer = facts.match?.form.isLayered ?? false
    guard isLayer || LoggedOctets.isStream(octets.bytes.bytes) else { return .other }
    if isPrintedElsewhere(facts) {
      tally.use(facts.origin.record, height)
      return .noMessage
    }
    var candidate = factReader.candidate(
      Recognition(.possible), .stream, line, start, line.text.byteCount, &facts)
    context(around: at..<at, line.text, facts, sink)
    pass(stream: octets.bytes.bytes, &candidate, sink)
    return .message
  }

  private mutating func pass(
    stream octets: RawSpan, _ candidate: inout LogCandidate, _ sink: any EvidenceSink
  ) {
    tally.hasMessages = true
    tally.use(candidate.origin.record, height)
    factReader.clock.tell(place, sink)
    guard teller.conversations.placeStream(&candidate, octets, sink) else { return }
    tally.count(octets: candidate)
    sink.stream(octets, Delivery(candidate.origin, edges: [.start, .end]))
  }
}
