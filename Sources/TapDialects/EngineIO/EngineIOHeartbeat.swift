// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Checks the heart-beat of one session against the intervals in its OPEN (engine.io-protocol,
/// "Heartbeat"). From revision 4 on the server pings, before that the client.
struct EngineIOHeartbeat {
  /// A lapse of the heart-beat.
  enum Lapse {
    case missing(seconds: Int64)
    case unanswered(seconds: Int64)
  }

  /// Nanoseconds; nil before an OPEN.
  var interval: Int64?
  var timeout: Int64?
  /// The time from which the next ping is expected: OPEN, or the last ping.
  private var last = Instant.unknown
  /// The time of a ping without an answer.
  private var open = Instant.unknown
  private var hasReportedMissing = false
  private(set) var pings: UInt64 = 0
  private(set) var missing: UInt64 = 0
  /// The longest time without a ping, in nanoseconds.
  private(set) var longest: Int64 = 0

  /// Tolerance for late timers and capture times, in nanoseconds.
  private static let tolerance: Int64 = 1_000_000_000

  mutating func begin(_ time: Instant) { (last, open) = (time, .unknown) }

  mutating func ping(_ time: Instant) {
    wait(until: time)
    pings += 1
    (last, open) = (time, time)
    hasReportedMissing = false
  }

  /// Ends the wait for a ping, with the next ping or with the session.
  mutating func wait(until time: Instant) {
    if let waited = time.nanoseconds(since: last) { longest = max(longest, waited) }
  }

  /// The pinged side is alive, as its pong, or any other packet of it, shows.
  mutating func answer() { open = .unknown }

  /// Bytes are missing, perhaps with a ping.
  mutating func forget() { (last, open) = (.unknown, .unknown) }

  /// What is overdue at this time; each lapse is returned once.
  mutating func look(_ now: Instant) -> Lapse? {
    guard let interval, let timeout else { return nil }
    if let waited = now.nanoseconds(since: open), waited > timeout &+ Self.tolerance {
      open = .unknown
      return .unanswered(seconds: waited / 1_000_000_000)
    }
    if !hasReportedMissing, let waited = now.nanoseconds(since: last),
      waited > interval &+ timeout &+ Self.tolerance
    {
      hasReportedMissing = true
      missing += 1
      return .missing(seconds: waited / 1_000_000_000)
    }
    return nil
  }
}
