// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Sums that a listener may hear later: fates of bytes, and counts.
struct EventTotals {
  private var fates = ContiguousArray(repeating: 0, count: Fate.allCases.count)
  private var counts = ContiguousArray(repeating: 0, count: Counter.allCases.count)

  mutating func account(_ fate: Fate, _ bytes: Int) { fates[fate.rawValue] &+= bytes }

  mutating func count(_ thing: Counter, _ amount: Int) { counts[thing.rawValue] &+= amount }

  /// Reports the sums to a listener, and resets them.
  mutating func report(_ listener: any Listener) {
    for fate in Fate.allCases where fates[fate.rawValue] != 0 {
      listener.account(fate, fates[fate.rawValue])
      fates[fate.rawValue] = 0
    }
    for thing in Counter.allCases where counts[thing.rawValue] != 0 {
      listener.count(thing, counts[thing.rawValue])
      counts[thing.rawValue] = 0
    }
  }
}
