// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The heart-beat of one session, against the times that its OPEN has announced
/// (engine.io-protocol, "Heartbeat"). From revision 4 on the server pings, before that the client.
struct EngineIOHeartbeat {
  /// What a look at the clock finds.
  enum Lapse {
    case missing(seconds: Int64)
    case unanswered(seconds: Int64)
  }

  /// Nanoseconds; nil until an OPEN has told.
  var interval: Int64?
  var timeout: Int64?
  /// When a ping is counted from: OPEN, or the ping before.
  private var last = Instant.unknown
  /// A ping without an answer.
  private var open = Instant.unknown
  private var hasToldMissing = false
  private(set) var pings: UInt64 = 0
  private(set) var missing: UInt64 = 0
  /// Nanoseconds of the longest time without a ping.
  private(set) var longest: Int64 = 0

  /// Captures may be late by so many nanoseconds, and timers too.
  private static let tolerance: Int64 = 1_000_000_000

  mutating func begin(_ time: Instant) { (last, open) = (time, .unknown) }

  mutating func ping(_ time: Instant) {
    wait(until: time)
    pings += 1
    (last, open) = (time, time)
    hasToldMissing = false
  }

  /// The time since the last ping ends, as the session may.
  mutating func wait(until time: Instant) {
    guard last.isKnown && time.isKnown else { return }
    longest = max(longest, time.nanoseconds &- last.nanoseconds)
  }

  mutating func pong() { open = .unknown }

  /// Any packet of the side that is pinged shows that it is there.
  mutating func sign() { open = .unknown }

  /// Bytes are missing: a ping may have been among them.
  mutating func forget() { (last, open) = (.unknown, .unknown) }

  /// What is overdue at a time; each lapse is told once.
  mutating func look(_ now: Instant) -> Lapse? {
    guard let interval, let timeout, now.isKnown else { return nil }
    if open.isKnown {
      let waited = now.nanoseconds &- open.nanoseconds
      if waited > timeout &+ Self.tolerance {
        open = .unknown
        return .unanswered(seconds: waited / 1_000_000_000)
      }
    }
    if last.isKnown && !hasToldMissing {
      let waited = now.nanoseconds &- last.nanoseconds
      if waited > interval &+ timeout &+ Self.tolerance {
        hasToldMissing = true
        missing += 1
        return .missing(seconds: waited / 1_000_000_000)
      }
    }
    return nil
  }
}
