// SPDX-License-Identifier: Apache-2.0

/// Durations for people: `312 ms`, `1.25 s`, with three decimals at most.
enum DurationText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1000),
  ]

  static func text(_ nanoseconds: Int64) -> String {
    guard let unit = units.first(where: { nanoseconds >= $0.nanoseconds }) else {
      return "\(nanoseconds) ns"
    }
    let whole = nanoseconds / unit.nanoseconds
    var digits = String(nanoseconds % unit.nanoseconds / (unit.nanoseconds / 1000))
    while digits.count < 3 { digits = "0" + digits }
    while digits.hasSuffix("0") { digits.removeLast() }
    return digits.isEmpty ? "\(whole) \(unit.name)" : "\(whole).\(digits) \(unit.name)"
  }

  /// Seconds with three decimals, as XML reports have them.
  static func seconds(_ nanoseconds: Int64) -> String {
    let milliseconds = max(nanoseconds, 0) / 1_000_000
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
