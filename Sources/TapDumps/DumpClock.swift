// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// The times of a dump: counts midnights where they have no date, and says once what they lack.
struct DumpClock {
  private var hasReported = false
  /// Days to be added to a clock that has passed midnight.
  private var midnights: Int64 = 0
  private var last: Int64 = .min

  /// The time of a packet. What the times lack is reported with the first.
  mutating func read(
    _ time: Instant, _ certainty: DumpHead.Certainty, _ place: Place, _ sink: any EvidenceSink
  ) -> Instant {
    if certainty == .certain { return time }
    if !hasReported {
      hasReported = true
      let what =
        certainty == .noDate
        ? "times without a date; they are shown as of 1970-01-01, UTC"
        : "times without a time zone; they are shown as if they were UTC"
      sink.finding(.dumpClock, .note, place.origin(0), "the dump has " + what)
    }
    if certainty == .noZone { return time }
    let day: Int64 = 86_400_000_000_000
    // A step back of less than half a day is packets out of order.
    if last != .min && time.nanoseconds < last - day / 2 { midnights += 1 }
    last = time.nanoseconds
    return Instant(nanoseconds: time.nanoseconds + midnights * day)
  }
}
