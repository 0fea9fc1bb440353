// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What one side of a connection has agreed to send while there is nothing to say.
struct KeepAliveTally {
  /// 0 for all sides for which there was no row.
  var connection: UInt32
  var side: KeepAlive

  /// One more side is summed in this row.
  mutating func add(_ other: KeepAlive) {
    side.signals += other.signals
    side.missed += other.missed
    side.longestSilence = max(side.longestSilence, other.longestSilence)
  }
}
