// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reports messages that were taken, in the order in which they were sent, each with its
/// conversation: the last stage.
struct LogReporter {
  var place: Place
  let limits: Limits
  var order = LogOrder()
  var conversations: LogConversations

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits) = (place, limits)
    conversations = LogConversations(limits, isPasted: place.choice.isPasted)
  }

  /// A message that was taken: now, or when all have come.
  mutating func report(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ clock: inout LogClock, _ tally: inout LogTally,
    _ sink: any EvidenceSink
  ) {
    guard order.isBackward else { return passOn(candidate, bytes, &clock, &tally, sink) }
    order.keep(candidate, bytes)
    for (kept, held) in order.overflow(limits.exportBytes) {
      passOn(kept, held.span.bytes, &clock, &tally, sink)
    }
  }

  /// All that was kept, as the newest line came first.
  mutating func endOrder(
    _ clock: inout LogClock, _ tally: inout LogTally, _ sink: any EvidenceSink
  ) {
    if !order.isBackward { return }
    let text =
      order.isInParts
      ? "the newest line of this log comes first, and it is too long to be turned round at once:"
        + " requests may stand behind their answers"
      : "the newest line of this log comes first: its messages are shown from the last one on"
    sink.finding(.logNewestFirst, order.isInParts ? .warning : .note, place.origin(0), text)
    for (kept, held) in order.take() { passOn(kept, held.span.bytes, &clock, &tally, sink) }
    tally.isNewestFirst = true
  }

  private mutating func passOn(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ clock: inout LogClock, _ tally: inout LogTally,
    _ sink: any EvidenceSink
  ) {
    clock.report(place, sink)
    guard let origin = conversations.place(candidate, bytes, sink) else {
      tally.echoes += 1
      return
    }
    tally.count(candidate)
    var delivery = Delivery(origin, candidate.kind)
    delivery.certainBytes = UInt32(candidate.certain)
    sink.message(bytes, delivery)
    if candidate.kind == .brokenText { reportBroken(bytes, origin, &tally, sink) }
    guard candidate.isCut, !candidate.isReworded else { return }
    let sent = counted(candidate.length, "byte")
    let length = candidate.length > 0 ? ": \(sent) were sent" : ""
    let words =
      candidate.isTooDeep
      ? "this message is nested more than \(limits.nesting) levels deep: “…” stands for what"
        + " is deeper"
      : candidate.isUnread
        ? "“…” stands for values of this message that are printed in a way that is not understood"
        : "the logger left out part of this message\(length)"
    sink.finding(.logAbridged, .note, origin, words, isAboutLastMessage: true)
  }

  /// A control frame of a conversation that has begun.
  mutating func report(
    control frame: LoggedFrame, _ candidate: LogCandidate, _ clock: inout LogClock,
    _ sink: any EvidenceSink
  ) {
    guard let origin = conversations.find(candidate) else { return }
    clock.report(place, sink)
    sink.control(frame.opcode, frame.payload.bytes, Delivery(origin))
    if frame.opcode == .close { conversations.end(candidate) }
  }

  /// Bytes as they were sent.
  ///
  /// - Parameter missing: bytes behind them that are not printed.
  mutating func report(
    stream octets: RawSpan, missing: Int, _ candidate: LogCandidate, _ clock: inout LogClock,
    _ tally: inout LogTally, _ sink: any EvidenceSink
  ) {
    clock.report(place, sink)
    guard let origin = conversations.placeStream(candidate, octets, missing: missing, sink) else {
      return
    }
    tally.count(octets: candidate)
    if !octets.isEmpty { sink.stream(octets, Delivery(origin, edges: [.start, .end])) }
    if missing > 0 { sink.gap(missing, Delivery(origin)) }
  }

  /// Reports that something is missing in a conversation that has begun; returns where.
  func reportGap(_ candidate: LogCandidate, _ sink: any EvidenceSink) -> Origin {
    guard let origin = conversations.find(candidate) else { return candidate.origin }
    sink.gap(nil, Delivery(origin))
    return origin
  }

  private func reportBroken(
    _ bytes: RawSpan, _ origin: Origin, _ tally: inout LogTally, _ sink: any EvidenceSink
  ) {
    tally.broken += 1
    let place = UTF8.firstInvalid(in: bytes) ?? 0
    sink.finding(
      .logInvalidUTF8, tally.broken == 1 ? .warning : .note, origin,
      "this message is no UTF-8, from byte \(place) of it on: the log may be in another encoding",
      isAboutLastMessage: true)
  }
}
