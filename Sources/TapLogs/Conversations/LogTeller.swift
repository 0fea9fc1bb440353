// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Tells messages that were taken, in the order in which they were sent, each with its
/// conversation: the last stage.
struct LogTeller {
  var place: Place
  let limits: Limits
  var order = LogOrder()
  var talks: LogConversations

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits) = (place, limits)
    talks = LogConversations(limits, isPasted: place.choice.isPasted)
  }

  /// A message that was taken: now, or when all have come.
  mutating func tell(
    _ sight: LogCandidate, _ bytes: RawSpan, _ clock: inout LogClock, _ tally: inout LogTally,
    _ sink: any EvidenceSink
  ) {
    guard order.isBackward else { return passOn(sight, bytes, &clock, &tally, sink) }
    order.keep(sight, bytes)
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
      : "the newest line of this log comes first: its messages are told from the last one on"
    sink.finding(
      Finding(.logNewestFirst, order.isInParts ? .warning : .note, place.origin(0), text))
    for (kept, held) in order.take() { passOn(kept, held.span.bytes, &clock, &tally, sink) }
    tally.isNewestFirst = true
  }

  private mutating func passOn(
    _ sight: LogCandidate, _ bytes: RawSpan, _ clock: inout LogClock, _ tally: inout LogTally,
    _ sink: any EvidenceSink
  ) {
    clock.tell(place, sink)
    let origin = talks.place(sight, sink)
    tally.count(sight)
    var delivery = Delivery(origin, sight.kind)
    delivery.certainBytes = UInt32(sight.certain)
    sink.message(bytes, delivery)
    if sight.kind == .brokenText { tellBroken(bytes, origin, &tally, sink) }
    guard sight.isCut, !sight.isReworded else { return }
    let length = sight.length > 0 ? ": \(counted(UInt64(sight.length), "byte")) were sent" : ""
    let words =
      sight.isTooDeep
      ? "this message is nested more than \(limits.nesting) levels deep: “…” stands for what"
        + " is deeper"
      : sight.isUnread
        ? "“…” stands for values of this message that are printed in a way that is not understood"
        : "the logger left out part of this message\(length)"
    sink.finding(
      Finding(.logAbridged, .note, origin, words, isAboutLastMessage: true))
  }

  private func tellBroken(
    _ bytes: RawSpan, _ origin: Origin, _ tally: inout LogTally, _ sink: any EvidenceSink
  ) {
    tally.broken += 1
    let place = UTF8.firstInvalid(in: bytes) ?? 0
    sink.finding(
      Finding(
        .logInvalidUTF8, tally.broken == 1 ? .warning : .note, origin,
        "this message is no UTF-8, from byte \(place) of it on: the log may be in another encoding",
        isAboutLastMessage: true))
  }
}
