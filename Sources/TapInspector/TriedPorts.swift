// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Failed connection attempts, by client and server. A few prove nothing, as anything may use the
/// port; only `least` and more are reported, once.
struct TriedPorts {
  struct Attempts {
    var count = 0
    var since: Int64
    var last: Int64
  }

  /// Pairs that were reported are pinned, so that they are reported only once.
  private var known: RecencyTable<Reconnects.Ends, Attempts>
  /// The number of attempts that are reported.
  let least: Int
  /// Nanoseconds after which an attempt is unrelated to the one before.
  private let patience: Int64
  /// Attempts for which there was no room.
  private(set) var forgotten: UInt64 = 0

  init(least: Int, patience: Int64, most: Int) {
    (self.least, self.patience) = (least, patience)
    known = RecencyTable(most: most)
  }

  /// Counts an attempt; returns all attempts when they are to be reported.
  mutating func note(_ ends: Reconnects.Ends, _ now: Int64) -> Attempts? {
    guard let place = place(of: ends, now) else {
      forgotten += 1
      return nil
    }
    var attempts = known[place]
    if now &- attempts.last >= patience && attempts.count < least {
      attempts = Attempts(since: now, last: now)
    }
    attempts.count += 1
    attempts.last = now
    known[place] = attempts
    if attempts.count == least { known.pin(place) }
    return attempts.count == least ? attempts : nil
  }

  private mutating func place(of ends: Reconnects.Ends, _ now: Int64) -> Int? {
    if let place = known.place(of: ends) {
      known.touch(place)
      return place
    }
    if known.isFull {
      // An entry this old would start again from zero anyway.
      guard let oldest = known.oldest, now &- known[oldest].last >= patience else { return nil }
      known.remove(oldest)
    }
    return known.insert(Attempts(since: now, last: now), for: ends)
  }
}
