// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How many findings of each code were told of each flow.
struct FindingCounts {
  private var counts: [UInt32: [Finding.Code: Int]] = [:]

  /// Answers how many there are with this one.
  mutating func add(_ finding: Finding) -> Int {
    Self.raise(&counts[finding.origin.flow, default: [:]][finding.code, default: 0])
  }

  /// In place, so that it is looked up once.
  private static func raise(_ count: inout Int) -> Int {
    count += 1
    return count
  }

  /// The flow has ended; its number is used again.
  mutating func forget(_ flow: UInt32) { counts[flow] = nil }
}
