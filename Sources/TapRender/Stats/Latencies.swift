// SPDX-License-Identifier: Apache-2.0
import Histogram

/// How long answers took, in nanoseconds: each of them while they are few, to three digits in a
/// histogram when they are many. The least and the greatest are always exact.
struct Latencies {
  /// A histogram takes as much memory as thousands of these, and most URIs have few answers.
  private static let fewest = 128

  private(set) var count: UInt64 = 0
  private(set) var least = Int64.max
  private(set) var greatest: Int64 = 0
  private var few: [Int64] = []
  private var many: Histogram<UInt32>?

  mutating func record(_ nanoseconds: Int64) {
    let value = max(nanoseconds, 0)
    count += 1
    least = min(least, value)
    greatest = max(greatest, value)
    if many?.record(UInt64(value)) != nil { return }
    if few.count < Self.fewest {
      few.append(value)
    } else {
      // It is slow to grow, so there is room for longer ones than any so far.
      var histogram = Histogram<UInt32>(
        highestTrackableValue: UInt64(max(min(greatest, 1 << 60), 1)) * 4,
        numberOfSignificantValueDigits: .three)
      histogram.autoResize = true
      for earlier in few { histogram.record(UInt64(earlier)) }
      histogram.record(UInt64(value))
      few = []
      many = histogram
    }
  }

  /// The least value that so many percent of all do not exceed; 0 when there are none.
  func percentile(_ percent: Int) -> Int64 {
    if count == 0 { return 0 }
    if let many {
      let value = Int64(clamping: many.valueAtPercentile(Double(percent)))
      return min(max(value, least), greatest)
    }
    let rank = (few.count * percent + 99) / 100
    return few.sorted()[max(rank, 1) - 1]
  }
}
