// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How many findings of each code were reported for each flow.
struct FindingCounts {
  /// By flow; each has only a few codes.
  private var counts: [UInt32: ContiguousArray<(code: Finding.Code, count: Int)>] = [:]

  /// Counts a finding; returns how many of its code this flow has now.
  mutating func add(_ finding: Finding) -> Int {
    Self.raise(&counts[finding.origin.flow, default: []], finding.code)
  }

  /// Changes the list in place, so that the flow is looked up only once.
  private static func raise(
    _ counts: inout ContiguousArray<(code: Finding.Code, count: Int)>, _ code: Finding.Code
  ) -> Int {
    guard let place = counts.firstIndex(where: { $0.code == code }) else {
      counts.append((code, 1))
      return 1
    }
    counts[place].count += 1
    return counts[place].count
  }

  /// The flow has ended; its number is reused.
  mutating func forget(_ flow: UInt32) { if !counts.isEmpty { counts[flow] = nil } }
}
