// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Lower and upper bound of a latency in nanoseconds, as a log's clock may be coarse.
struct LatencyRange {
  var low: Int64
  var high: Int64

  /// - Returns: nil when it is not known.
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
