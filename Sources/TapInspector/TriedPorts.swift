// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Attempts that led to no connection, by client and server. A port may be anything's: so few that
/// chance explains them are not told, and the others once.
struct TriedPorts {
  struct Attempts {
    var count = 0
    var since: Int64
    var last: Int64
  }

  private var known: [Reconnects.Ends: Attempts] = [:]
  /// When it pays to look again for those that can be forgotten.
  private var nextSweep = Int64.min
  /// So many are told.
  let least: Int
  /// Nanoseconds after which an attempt has nothing to do with the one before.
  private let patience: Int64
  private let most: Int
  /// Attempts that there was no room for.
  private(set) var forgotten: UInt64 = 0

  init(least: Int, patience: Int64, most: Int) {
    (self.least, self.patience, self.most) = (least, patience, most)
  }

  /// One more; answers all there were when it is time to tell them.
  mutating func note(_ ends: Reconnects.Ends, _ now: Int64) -> Attempts? {
    if known[ends] == nil && known.count >= most {
      // Those that were left in peace begin anew in any case.
      if now >= nextSweep {
        known = known.filter { $1.count >= least || now &- $1.last < patience }
        nextSweep = now &+ patience
      }
      if known.count >= most {
        forgotten += 1
        return nil
      }
    }
    var attempts = known[ends] ?? Attempts(since: now, last: now)
    if now &- attempts.last >= patience && attempts.count < least {
      attempts = Attempts(since: now, last: now)
    }
    attempts.count += 1
    attempts.last = now
    known[ends] = attempts
    return attempts.count == least ? attempts : nil
  }
}
