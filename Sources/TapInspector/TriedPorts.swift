// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Attempts that led to no connection, by client and server. A port may be anything's: so few that
/// chance explains them are not told, and the others once.
struct TriedPorts {
  struct Attempts {
    var count = 0
    var since: Int64
    var last: Int64
  }

  /// Those that were told are pinned, so that they are told once.
  private var known: RecencyTable<Reconnects.Ends, Attempts>
  /// So many are told.
  let least: Int
  /// Nanoseconds after which an attempt has nothing to do with the one before.
  private let patience: Int64
  /// Attempts that there was no room for.
  private(set) var forgotten: UInt64 = 0

  init(least: Int, patience: Int64, most: Int) {
    (self.least, self.patience) = (least, patience)
    known = RecencyTable(most: most)
  }

  /// One more; answers all there were when it is time to tell them.
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
      // Those that were left in peace begin anew in any case.
      guard let oldest = known.oldest, now &- known[oldest].last >= patience else { return nil }
      known.remove(oldest)
    }
    return known.insert(Attempts(since: now, last: now), for: ends)
  }
}
