// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How many findings of each code were told of each flow.
struct FindingCounts {
  /// Of each flow, few codes.
  private var counts: [UInt32: ContiguousArray<(code: Finding.Code, count: Int)>] = [:]

  /// Answers how many there are with this one.
  mutating func add(_ finding: Finding) -> Int {
    Self.raise(&counts[finding.origin.flow, default: []], finding.code)
  }

  /// In place, so that it is looked up once.
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

  /// The flow has ended; its number is used again.
  mutating func forget(_ flow: UInt32) { if !counts.isEmpty { counts[flow] = nil } }
}
