// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reports messages that were taken, in the order in which they were sent, each with its
/// conversation: the last stage.
struct LogReporter {
  var place: Place
  /// The sink for all that is found; it is set while lines are read.
  var sink: any EvidenceSink
  private let limits: Limits
  var order = LogOrder()
  var conversations: LogConversations
  var tally = LogTally()
  /// What was said already of the times of the log.
  private var saidOfTimes: LogClockCaveats.Kinds = []

  init(_ place: Place, _ limits: Limits, _ sink: any EvidenceSink) {
    (self.place, self.limits, self.sink) = (place, limits, sink)
    conversations = LogConversations(limits, isPasted: place.choice.isPasted)
  }

  /// A message that was taken: now, or when all have come.
  ///
  /// - Parameter caveats: what the times lack that were read so far.
  mutating func report(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ caveats: LogClockCaveats
  ) {
    guard order.isBackward else {
      report(caveats)
      return passOn(candidate, bytes)
    }
    order.keep(candidate, bytes)
    pass(order.overflow(limits.exportBytes), caveats)
  }

  /// All that was kept, as the newest line came first.
  mutating func endOrder(_ caveats: LogClockCaveats) {
    if !order.isBackward { return }
    let text =
      order.isInParts
      ? "the newest line of this log comes first, and it is too long to be turned round at once:"
        + " requests may stand behind their answers"
      : "the newest line of this log comes first: its messages are shown from the last one on"
    sink.finding(.logNewestFirst, order.isInParts ? .warning : .note, place.origin(0), text)
    pass(order.take(), caveats)
    tally.isNewestFirst = true
  }

  /// What the times of the log lack, each thing once.
  mutating func report(_ caveats: LogClockCaveats) {
    let new = caveats.all.subtracting(saidOfTimes)
    if new.isEmpty { return }
    saidOfTimes.formUnion(new)
    for text in caveats.texts(of: new) { sink.finding(.logClock, .note, place.origin(0), text) }
  }

  /// No more messages come: reports if none of them has shown which side writes the log.
  mutating func reportSide() {
    if !conversations.table.isTakenForClient { return }
    tally.isTakenForClient = true
    sink.finding(
      .logSide, .note, place.origin(0),
      "no line shows whether the client or the server wrote this log: it is taken for the client's"
    )
  }

  /// A control frame of a conversation that has begun.
  mutating func report(
    control frame: LoggedFrame, _ candidate: LogCandidate, _ caveats: LogClockCaveats
  ) {
    tally.hasMessages = true
    guard let origin = conversations.find(candidate) else { return }
    report(caveats)
    sink.control(frame.opcode, frame.payload.bytes, Delivery(origin))
    if frame.opcode == .close { conversations.end(candidate) }
  }

  /// Bytes as they were sent.
  ///
  /// - Parameter missing: bytes behind them that are not printed.
  mutating func report(
    stream octets: RawSpan, missing: Int = 0, _ candidate: LogCandidate, _ caveats: LogClockCaveats
  ) {
    tally.hasMessages = true
    report(caveats)
    guard let origin = conversations.placeStream(candidate, octets, missing: missing, sink) else {
      return
    }
    tally.count(octets: candidate)
    if !octets.isEmpty { sink.stream(octets, Delivery(origin, edges: [.start, .end])) }
    if missing > 0 { sink.gap(missing, Delivery(origin)) }
  }

  /// Reports that something is missing in a conversation that has begun; returns where.
  func reportGap(_ candidate: LogCandidate) -> Origin {
    guard let origin = conversations.find(candidate) else { return candidate.origin }
    sink.gap(nil, Delivery(origin))
    return origin
  }

  /// Messages that were kept, the oldest first.
  private mutating func pass(_ kept: LogOrder.Kept, _ caveats: LogClockCaveats) {
    if !kept.isEmpty { report(caveats) }
    for (candidate, bytes) in kept { passOn(candidate, bytes.span.bytes) }
  }

  private mutating func passOn(_ candidate: LogCandidate, _ bytes: RawSpan) {
    guard var delivery = conversations.place(candidate, bytes, sink) else {
      tally.echoes += 1
      return
    }
    tally.count(candidate)
    delivery.certainBytes = UInt32(candidate.certain)
    if candidate.isCut { delivery.sentBytes = UInt32(clamping: candidate.length) }
    sink.message(bytes, delivery)
    if candidate.kind == .brokenText { reportBroken(bytes, delivery.origin) }
    if candidate.isIncomplete { reportCut(candidate, delivery.origin) }
  }

  private func reportCut(_ candidate: LogCandidate, _ origin: Origin) {
    let sent = counted(candidate.length, "byte")
    let length = candidate.length > 0 ? ": \(sent) were sent" : ""
    let words =
      candidate.traits.contains(.tooDeep)
      ? "this message is nested more than \(limits.nesting) levels deep: “…” stands for what"
        + " is deeper"
      : candidate.traits.contains(.unread)
        ? "“…” stands for values of this message that are printed in a way that is not understood"
        : "the logger left out part of this message\(length)"
    sink.finding(.logAbridged, .note, origin, words, isAboutLastMessage: true)
  }

  private mutating func reportBroken(_ bytes: RawSpan, _ origin: Origin) {
    tally.broken += 1
    let place = UTF8.firstInvalid(in: bytes) ?? 0
    sink.finding(
      .logInvalidUTF8, tally.broken == 1 ? .warning : .note, origin,
      "this message is no UTF-8, from byte \(place) of it on: the log may be in another encoding",
      isAboutLastMessage: true)
  }
}
