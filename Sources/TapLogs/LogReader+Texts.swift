// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are no lists.
extension LogReader {
  /// Texts that are no lists but can be recognised by themselves.
  mutating func readTexts(_ line: LogLine, _ facts: inout LineFacts) -> LineOutcome {
    if line.height > 1, let end = line.text.firstIndex(of: .lineFeed),
      let start = LoggedDump.announced(line.text.extracting(0..<end))
    {
      guard let found = texts.dumped(line.text, start) else { return .noMessage }
      taker.factReader.match(line.text, 0..<start, &facts)
      accept(found, line, &facts)
      return .message
    }
    if let size = Measured.size(line.text),
      var found = texts.measured(line.text, size, &facts.message)
    {
      if taker.hasWhatItNeeds(found, line, &facts) || mayBegin(&found, facts) {
        accept(found, line, &facts)
        return .message
      }
      if found.kind == .abridged { return .noMessage }
    }
    if line.hasAnchor, let found = texts.frame(line.text) {
      taker.factReader.match(line.text, 0..<found.place.lowerBound, &facts)
      accept(found, line, &facts)
      return .message
    }
    var hasMessage = false
    // Behind the last message, and from where on the next is looked for.
    var (begin, at) = (0, 0)
    // The packets that the last one stands among, and where they end: they are gone over once.
    var (body, bodyEnd): ([FoundMessage]?, Int) = (nil, 0)
    while let (found, inside) = texts.next(line.text, from: at, open: &facts.openLists) {
      at = inside
      if found.place.lowerBound >= bodyEnd {
        body = texts.body(line.text, around: found, from: begin)
        bodyEnd = body?.last?.end ?? found.end
      }
      let start = (body?.first ?? found).place.lowerBound
      taker.factReader.match(line.text, begin..<start, &facts)
      facts.message.begin = begin
      if facts.message.match?.rule?.isIgnored == true {
        return LineOutcome(isMessage: hasMessage)
      }
      if !taker.hasWhatItNeeds(found, line, &facts) { continue }
      if let body { accept(body: body, line, &facts) } else { accept(found, line, &facts) }
      (begin, hasMessage) = ((body?.last ?? found).end, true)
      at = begin
    }
    return hasMessage ? .message : .other
  }

  /// What the line says of the first packet of a body holds for all.
  private mutating func accept(
    body packets: [FoundMessage], _ line: LogLine, _ facts: inout LineFacts
  ) {
    for (index, packet) in packets.enumerated() {
      var packet = packet
      facts.message.isOfBatch = index > 0
      if index > 0 { packet.traits.insert(.ofBatch) }
      accept(packet, line, &facts)
    }
    facts.message.isOfBatch = false
  }
}
