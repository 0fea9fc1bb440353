// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Numbers for people: three digits and a unit.
enum Quantity {
  /// `812 B`, `3.20 kB`, `1.40 MB`.
  static func bytes(_ count: UInt64) -> String {
    if count < 1000 { return "\(count) B" }
    var unit = 1000.0
    for name in ["kB", "MB", "GB"] {
      if Double(count) < unit * 999.5 { return digits(Double(count) / unit) + " " + name }
      unit *= 1000
    }
    return digits(Double(count) / unit) + " TB"
  }

  /// How many in a second; empty where the time is not known.
  static func rate(_ count: UInt64, over nanoseconds: Int64?) -> String {
    guard let nanoseconds, nanoseconds > 0 else { return "" }
    return digits(Double(count) * 1_000_000_000 / Double(nanoseconds))
  }

  /// `1.89 ms`, `12.3 min`, `5.61 h`.
  static func duration(_ nanoseconds: Int64, _ precision: UInt8) -> String {
    let second: Int64 = 1_000_000_000
    if nanoseconds >= 7200 * second { return digits(Double(nanoseconds) / 3.6e12) + " h" }
    if nanoseconds >= 600 * second { return digits(Double(nanoseconds) / 6e10) + " min" }
    var text = TextBuffer(capacity: 64)
    Latency.append(nanoseconds, precision, to: &text)
    return string(text)
  }

  /// With a comma every three digits.
  static func count(_ number: UInt64) -> String {
    var text = TextBuffer(capacity: 64)
    text.append(grouped: number)
    return string(text)
  }

  /// Three digits, more before the point if there are: `0.04`, `7.04`, `12.3`, `1,234`.
  private static func digits(_ value: Double) -> String {
    var text = TextBuffer(capacity: 64)
    if value >= 99.95 {
      text.append(grouped: UInt64(min(value + 0.5, 1e18)))
    } else if value >= 9.995 {
      let tenths = UInt64(value * 10 + 0.5)
      text.append(decimal: tenths / 10)
      text.append(".")
      text.append(decimal: tenths % 10)
    } else {
      let hundredths = UInt64(max(value, 0) * 100 + 0.5)
      text.append(decimal: hundredths / 100)
      text.append(".")
      text.append(decimal: hundredths % 100, width: 2)
    }
    return string(text)
  }

  static func string(_ text: borrowing TextBuffer) -> String {
    String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }
}
