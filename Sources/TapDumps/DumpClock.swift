// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// The times of a dump: counts midnights where they have no date, and says once what they lack.
struct DumpClock {
  /// So many steps back in seconds since the first packet show that they are differences.
  private static let fewestBack = 3

  private var hasReported = false
  /// Days to be added to a clock that has passed midnight.
  private var midnights: Int64 = 0
  private var last: Int64 = .min
  /// How many seconds were read, and how often they went back.
  private var (steps, stepsBack) = (0, 0)
  private var isOfDifferences = false

  /// The time of a packet. What the times lack is reported with the first.
  mutating func read(
    _ time: Instant, _ certainty: DumpHead.Certainty, _ place: Place, _ sink: any EvidenceSink
  ) -> Instant {
    if certainty == .certain { return time }
    if certainty == .sinceFirst && areDifferences(time, place, sink) { return .unknown }
    if !hasReported {
      hasReported = true
      let what =
        certainty == .noZone
        ? "times without a time zone; they are shown as if they were UTC"
        : "times without a date; they are shown as of 1970-01-01, UTC"
      sink.finding(.dumpClock, .note, place.origin(0), "the dump has " + what)
    }
    if certainty == .noZone { return time }
    let day: Int64 = 86_400_000_000_000
    // A step back of less than half a day is packets out of order.
    if last != .min && time.nanoseconds < last - day / 2 { midnights += 1 }
    last = time.nanoseconds
    return Instant(nanoseconds: time.nanoseconds + midnights * day)
  }

  /// Whether the seconds run back so often that they are counted from the packet before.
  private mutating func areDifferences(
    _ time: Instant, _ place: Place, _ sink: any EvidenceSink
  ) -> Bool {
    if isOfDifferences { return true }
    steps += 1
    if last != .min && time.nanoseconds < last { stepsBack += 1 }
    isOfDifferences = stepsBack >= Self.fewestBack && stepsBack * 4 >= steps
    if !isOfDifferences { return false }
    sink.finding(
      .dumpClock, .warning, place.origin(0),
      "the times of the dump run back again and again: they are differences (tshark -t d), and"
        + " those shown so far are wrong; there are none from here on")
    return true
  }
}
