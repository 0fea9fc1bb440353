// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Times as text. What does not change from one line to the next (the second, the day) is kept.
struct TimeText {
  private var second: Int64 = .min
  private var prefix: [UInt8] = []

  /// RFC 3339 in UTC, with as many digits as the clock of the evidence has.
  mutating func append(utc time: Instant, precision: UInt8, to text: inout TextBuffer) {
    let (wholeSecond, fraction) = Self.split(time.nanoseconds)
    if wholeSecond != second || prefix.isEmpty {
      second = wholeSecond
      var fresh = TextBuffer(capacity: 64)
      Self.append(civil: wholeSecond, to: &fresh)
      prefix = fresh.bytes.copied()
    }
    text.append(prefix.span.bytes)
    Self.append(fraction: fraction, precision, to: &text)
    text.append("Z")
  }

  /// The time on a clock that is `offset` seconds ahead of UTC: `2026-11-21 14:03:07.123456`.
  mutating func append(
    local time: Instant, offset: Int64, precision: UInt8, to text: inout TextBuffer
  ) {
    let (utc, fraction) = Self.split(time.nanoseconds)
    if utc &+ offset != second || prefix.isEmpty {
      second = utc &+ offset
      var fresh = TextBuffer(capacity: 64)
      Self.append(civil: second, separator: " ", to: &fresh)
      prefix = fresh.bytes.copied()
    }
    text.append(prefix.span.bytes)
    Self.append(fraction: fraction, precision, to: &text)
  }

  /// Seconds with the digits of the clock: `0.012345`, right-aligned so that points stand in line.
  static func append(
    seconds nanoseconds: Int64, precision: UInt8, columns: Int, to text: inout TextBuffer
  ) {
    let (second, fraction) = split(Int64(clamping: nanoseconds.magnitude))
    let isNegative = nanoseconds < 0
    text.append(spaces: columns - digits(second) - (isNegative ? 1 : 0))
    if isNegative { text.append(byte: .hyphen) }
    text.append(decimal: UInt64(second))
    append(fraction: fraction, precision, to: &text)
  }

  private static func digits(_ value: Int64) -> Int {
    var digits = 1
    var rest = value / 10
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    return digits
  }

  /// Whole seconds, rounded down, and the nanoseconds above them.
  private static func split(_ nanoseconds: Int64) -> (Int64, Int64) {
    let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? (quotient - 1, rest + 1_000_000_000) : (quotient, rest)
  }

  private static func append(
    fraction: Int64, _ precision: UInt8, to text: inout TextBuffer
  ) {
    if precision == 0 { return }
    text.append(byte: .period)
    switch precision {
    case 6: text.append(decimal: UInt64(fraction / 1000), width: 6)
    case 9...: text.append(decimal: UInt64(fraction), width: 9)
    default:
      var divisor: Int64 = 1
      for _ in precision..<9 { divisor *= 10 }
      text.append(decimal: UInt64(fraction / divisor), width: Int(precision))
    }
  }

  /// `2026-11-21T01:02:03` of a second since 1970.
  private static func append(
    civil second: Int64, separator: StaticString = "T", to text: inout TextBuffer
  ) {
    var day = second / 86_400
    var ofDay = second % 86_400
    if ofDay < 0 {
      ofDay += 86_400
      day -= 1
    }
    let date = CivilDate(days: day)
    text.append(decimal: UInt64(max(date.year, 0)), width: 4)
    text.append("-")
    text.append(decimal: UInt64(date.month), width: 2)
    text.append("-")
    text.append(decimal: UInt64(date.day), width: 2)
    text.append(separator)
    text.append(decimal: UInt64(ofDay / 3600), width: 2)
    text.append(":")
    text.append(decimal: UInt64(ofDay / 60 % 60), width: 2)
    text.append(":")
    text.append(decimal: UInt64(ofDay % 60), width: 2)
  }
}
