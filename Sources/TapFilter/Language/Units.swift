// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Numbers with a unit.
public enum Units {
  static let durations: [(name: String, nanoseconds: Int128)] = [
    ("ns", 1), ("us", 1000), ("µs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("m", 60_000_000_000), ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
  ]
  static let sizes: [(name: String, bytes: Int128)] = [
    ("", 1), ("B", 1), ("kB", 1000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20),
  ]

  /// The nanoseconds of `200ms`; nil for anything else, including a number without a unit.
  public static func duration(_ text: Substring) -> Int128? { value(text, durations) }

  /// The bytes of `64KiB`.
  static func size(_ text: Substring) -> Int128? { value(text, sizes) }

  private static func value(_ text: Substring, _ units: [(String, Int128)]) -> Int128? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let rest = text[number.endIndex...]
    guard let unit = units.first(where: { $0.0 == rest })?.1 else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, parts.allSatisfy({ 1...15 ~= $0.count }),
      let whole = Int128(parts[0])
    else { return nil }
    var value = whole * unit
    guard parts.count == 2, let fraction = Int128(parts[1]) else { return value }
    var divisor: Int128 = 1
    for _ in 0..<parts[1].count { divisor *= 10 }
    value += fraction * unit / divisor
    return value
  }
}
