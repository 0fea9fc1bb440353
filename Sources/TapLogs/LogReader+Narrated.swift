// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that tell in words what was sent; see `LogNarration`.
extension LogReader {
  /// Whether a line is to be shown to those that read such logs.
  @inline(__always)
  func mayNarrate(_ number: UInt64) -> Bool {
    isNarrated || number < LogNarration.mostWatched
  }

  /// - Returns: whether the line is of a program whose log this is.
  mutating func narrate(_ line: RawSpan, _ origin: Origin, _ sink: any EvidenceSink) -> Bool {
    var end = line.byteCount
    while end > 0, line.byte(at: end - 1) == 0x0D { end -= 1 }
    let line = line.extracting(0..<end)
    guard end <= LogNarration.longest, narration.mayTell(line), !teller.order.isBackward,
      !place.choice.isPasted,
      place.choice.logFormat == nil
    else { return false }
    if isNarrated { return read(narrated: line, origin, sink) }
    // Nothing is to be remembered of lines that tell nothing.
    var names = factReader.sources
    let source = names.name(line, line.byteCount) ?? names.heading
    let lines = narration.look(at: line, origin, from: source)
    if lines.isEmpty { return false }
    isNarrated = true
    for line in lines where line.origin.record != origin.record {
      _ = read(narrated: line.text.span.bytes, line.origin, sink)
    }
    return read(narrated: line, origin, sink)
  }

  private mutating func read(
    narrated line: RawSpan, _ origin: Origin, _ sink: any EvidenceSink
  ) -> Bool {
    var origin = origin
    // Such programs put the time ahead of their lines as it is.
    factReader.clock.takesNumbers = true
    let before = factReader.clock
    factReader.clock.begin()
    let text = line.dropping(LinePrefix.length(line))
    origin.set(
      factReader.clock.above(text, origin.record) ?? factReader.clock.above(line, origin.record))
    var names = factReader.sources
    let source = names.name(line, line.byteCount) ?? names.heading
    if narration.isFull(for: source) {
      settleNarrated(sink)
      narration.forgetSources()
    }
    if !narration.read(line, origin, from: source) {
      factReader.clock = before
      tellNarrated(sink)
      return false
    }
    factReader.sources = names
    tally.hasMessages = true
    tally.use(origin.record)
    tellNarrated(sink)
    return true
  }

  /// What waited for lines that do not come.
  mutating func settleNarrated(_ sink: any EvidenceSink) {
    if !isNarrated { return }
    for source in narration.sources {
      narration.settle(source)
      tellNarrated(sink)
    }
  }

  private mutating func tellNarrated(_ sink: any EvidenceSink) {
    let all = narration.told
    narration.told.removeAll()
    for one in all {
      factReader.clock.tell(place, sink)
      tell(one, sink)
    }
  }

  private mutating func tell(_ one: Narration, _ sink: any EvidenceSink) {
    let name = LogNarration.Name(
      program: one.program.description, source: narration.source, connection: one.connection)
    var known = narration.places[name]
    if let place = known, !teller.conversations.isOpen(place.conversation, place.flow) {
      known = nil
    }
    var origin = one.origin
    switch one.event {
    case .mixed: tellMixed(origin, sink)
    case .end(let by, let words):
      guard let known else { return }
      origin.flow = known.flow
      origin.direction = by
      if !words.isEmpty { sink.message(words.span.bytes, Delivery(origin, .text)) }
      var closing = Closing(by: by)
      closing.endsWithFrame = false
      teller.conversations.end(known.conversation, closing, origin, sink)
      narration.places[name] = nil
    case .message(let text):
      if let place = known, one.begins {
        teller.conversations.end(place.conversation, Closing(isUnfinished: true), origin, sink)
        known = nil
      }
      if known == nil {
        if narration.places.count >= limits.connections {
          narration.places = narration.places.filter {
            teller.conversations.isOpen($0.value.conversation, $0.value.flow)
          }
        }
        let conversation = teller.conversations.open(opening(one), at: origin, sink)
        known = (conversation, teller.conversations.conversations[conversation].flow)
        narration.places[name] = known
      }
      guard let known else { return }
      origin.flow = known.flow
      teller.conversations.conversations[known.conversation].last = origin
      narration.count(one.program)
      sink.message(text.span.bytes, Delivery(origin, .text))
    }
  }

  private func opening(_ one: Narration) -> Opening {
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: one.begins)
    opening.provenance.isTranscoded = true
    opening.provenance.dialect = one.dialect
    opening.provenance.writer = Array("log of \(one.program)".utf8)
    for part in [narration.source, one.connection] where !part.isEmpty {
      opening.provenance.writer += Array(", \(part)".utf8)
    }
    return opening
  }

  private mutating func tellMixed(_ origin: Origin, _ sink: any EvidenceSink) {
    if narration.hasToldMixed { return }
    narration.hasToldMixed = true
    sink.finding(
      Finding(
        .logMixed, .warning, origin,
        "another connection begins before this one has ended, and no line says which of them it is"
          + " about: what follows is shown with the later one"))
  }
}
