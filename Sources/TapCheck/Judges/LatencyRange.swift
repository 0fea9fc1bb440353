// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What a latency is at least and at most, in nanoseconds: the clock of a log may be coarse.
struct LatencyRange {
  var low: Int64
  var high: Int64

  /// - Returns: nil where it is not known.
  init?(_ joined: Joined, _ precision: UInt8) {
    if joined.latency < 0 { return nil }
    let precision = min(precision, joined.precision)
    (low, high) = (joined.latency, joined.latency)
    if let most = joined.latencyAtMost(precision: precision) {
      low = max(0, joined.latency - Int64(Joined.tick(precision)))
      high = Int64(clamping: most)
    }
  }
}
