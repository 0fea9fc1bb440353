// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that have a frame of WebSocket on them, or bytes of its stream.
extension LogReader {
  mutating func readFrame(
    _ notation: LoggedFrame.Notation, _ line: LogLine, _ start: Int,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> LineOutcome {
    guard let frame = frame(notation, line.text, start) else { return .other }
    tally.use(page.origin.record, height)
    if isPrintedElsewhere(page) { return .noMessage }
    let end = end(line.text, start, &page)
    var sight = facts.sight(Recognition(.possible), .binary, line, start, end, &page)
    if frame.reserved & 4 != 0 || teller.talks.isStream(sight) {
      // Compressed, and what it says depends on the frames before it.
      let isMasked = !frame.mask.isEmpty
      context(around: start..<start, line.text, page, sink)
      pass(stream: frame.octets(isMasked: isMasked).bytes, &sight, sink)
      return .message
    }
    if !frame.isData {
      context(around: start..<start, line.text, page, sink)
      control(frame, &sight, sink)
      return .message
    }
    let writer = "\(sight.source) \(sight.writer)"
    let name = "\(page.match?.format ?? 0) \(page.match?.way == .sent) \(writer)"
    guard let whole = fragments.add(frame, name) else { return .noMessage }
    return LineOutcome(isMessage: message(whole, sight, line, start, &page, sink))
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
  private func end(_ line: RawSpan, _ start: Int, _ page: inout LogFacts) -> Int {
    page.isInBrace(line, start) ? start : line.byteCount
  }

  /// A message of text or bytes that is whole, unless the logger left out some of it.
  ///
  /// - Returns: whether it is one.
  mutating func message(
    _ frame: LoggedFrame, _ sight: LogCandidate, _ line: LogLine, _ start: Int,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    let end = end(line.text, start, &page)
    if frame.opcode == 1 {
      var recognition = recogniser.recognise(frame.payload.bytes, .text)
      if recognition.grade == .none && !teller.talks.isKnown(sight) { return false }
      if recognition.grade == .none { recognition = Recognition(.possible) }
      take(FoundMessage(frame.payload, recognition, .text, start..<end), line, &page, sink)
      return true
    }
    if frame.isCut {
      guard teller.talks.isKnown(sight) || teller.talks.subprotocol(sight) != nil else {
        return false
      }
      let recognition = recogniser.recognise(frame.payload.bytes, .withheld)
      let count = frame.payload.count
      let isMeasured = frame.length < .max
      (page.length, page.certain) = (isMeasured ? frame.length : 0, count)
      var bytes = frame.payload
      bytes.append(
        isMeasured
          ? "\(counted(UInt64(frame.length), "byte")), of which the log has \(count)"
          : "more than \(counted(UInt64(count), "byte")), of which the log has no more")
      take(
        FoundMessage(
          bytes, recognition.grade == .none ? Recognition(.possible) : recognition, .withheld,
          start..<end), line, &page, sink)
      return true
    }
    let recognition = recogniser.recognise(frame.payload.bytes, .binary)
    if recognition.grade == .none && !teller.talks.isKnown(sight) { return false }
    take(
      FoundMessage(
        frame.payload, recognition.grade == .none ? Recognition(.possible) : recognition, .binary,
        start..<end), line, &page, sink)
    return true
  }

  /// A control frame of a conversation that has begun.
  mutating func control(
    _ frame: LoggedFrame, _ sight: inout LogCandidate, _ sink: any EvidenceSink
  ) {
    tally.hasMessages = true
    tally.use(sight.origin.record, height)
    guard teller.talks.find(&sight) else { return }
    facts.clock.tell(place, sink)
    sink.control(frame.opcode, frame.payload.bytes, Delivery(sight.origin))
    if frame.opcode == 8 { teller.talks.end(sight) }
  }

  /// Bytes as they were sent.
  mutating func readOctets(
    _ line: LogLine, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> LineOutcome {
    // Behind words, or behind their number and in quotes.
    let words = LogMarks.last("octets = ", in: line.text).map { $0 + 9 }
    guard let at = words ?? line.text.firstIndex(of: 0x22, from: start) else { return .other }
    guard var octets = LoggedOctets(line.text, at) else { return .other }
    // Hexadecimal may stand in quotes itself.
    if words != nil && LiteralString.begins(line.text, at) { octets.openHex() }
    // Above the layer of WebSocket, the same words print messages.
    let isLayer = page.match?.form.isLayered ?? false
    guard isLayer || LoggedOctets.isStream(octets.bytes.bytes) else { return .other }
    if isPrintedElsewhere(page) {
      tally.use(page.origin.record, height)
      return .noMessage
    }
    var sight = facts.sight(
      Recognition(.possible), .stream, line, start, line.text.byteCount, &page)
    context(around: at..<at, line.text, page, sink)
    pass(stream: octets.bytes.bytes, &sight, sink)
    return .message
  }

  private mutating func pass(
    stream octets: RawSpan, _ sight: inout LogCandidate, _ sink: any EvidenceSink
  ) {
    tally.hasMessages = true
    tally.use(sight.origin.record, height)
    facts.clock.tell(place, sink)
    guard teller.talks.placeStream(&sight, octets, sink) else { return }
    tally.count(octets: sight)
    sink.stream(octets, Delivery(sight.origin, edges: [.start, .end]))
  }
}
