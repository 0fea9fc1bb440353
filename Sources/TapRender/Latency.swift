// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// How long an answer took, for people: three digits and a unit.
enum Latency {
  /// - Parameter precision: decimal digits of the clock; an answer within one tick is `< 1 µs`. Of
  /// a clock that counts seconds, or tenths of them, only what it cannot exceed is known: `≤ 2 s`.
  static func append(_ nanoseconds: Int64, _ precision: UInt8, to text: inout TextBuffer) {
    let value = UInt64(max(nanoseconds, 0))
    if isCoarse(precision), let most = Joined.latencyUpperBound(nanoseconds, precision: precision) {
      text.append("≤ ")
      if most % 1_000_000_000 != 0 { return append(exactly: most, to: &text) }
      text.append(decimal: most / 1_000_000_000)
      return text.append(" s")
    }
    if value == 0 { return append(tick: Joined.tick(precision), &text) }
    append(exactly: value, to: &text)
  }

  /// Seconds and tenths: what people mean by a coarse clock.
  private static func isCoarse(_ precision: UInt8) -> Bool { precision < 2 }

  private static func append(exactly value: UInt64, to text: inout TextBuffer) {
    switch value {
    case ..<1000:
      text.append(decimal: value)
      text.append(" ns")
    case ..<1_000_000: append(value, unit: 1000, " µs", &text)
    case ..<1_000_000_000: append(value, unit: 1_000_000, " ms", &text)
    default: append(value, unit: 1_000_000_000, " s", &text)
    }
  }

  /// A power of ten needs no fraction: `< 10 ms`.
  private static func append(tick: UInt64, _ text: inout TextBuffer) {
    let (unit, name): (UInt64, StaticString) =
      switch tick {
      case ..<1000: (1, " ns")
      case ..<1_000_000: (1000, " µs")
      case ..<1_000_000_000: (1_000_000, " ms")
      default: (1_000_000_000, " s")
      }
    text.append("< ")
    text.append(decimal: tick / unit)
    text.append(name)
  }

  /// Columns that `append` takes, where that shows without writing it: `9.99 ms`, `99.9 ms`,
  /// `999 ms`.
  static func columns(_ nanoseconds: Int64) -> Int? {
    switch nanoseconds {
    case ..<1000: nil
    case ..<1_000_000: (nanoseconds < 100_000 ? 4 : 3) + 3
    case ..<1_000_000_000: (nanoseconds < 100_000_000 ? 4 : 3) + 3
    case ..<100_000_000_000: 6
    default: nil
    }
  }

  /// Columns that `append` takes.
  ///
  /// - Parameter text: empty, for what has to be written to know it.
  static func columns(
    _ nanoseconds: Int64, _ precision: UInt8, _ text: inout TextBuffer
  ) -> Int {
    if !isCoarse(precision), let known = columns(nanoseconds) { return known }
    append(nanoseconds, precision, to: &text)
    defer { text.removeAll() }
    return text.bytes.columns(from: 0)
  }

  /// Inlined, so that the unit is a constant and no division is left.
  @inline(__always)
  private static func append(
    _ value: UInt64, unit: UInt64, _ name: StaticString, _ text: inout TextBuffer
  ) {
    let whole = value / unit
    text.append(decimal: whole)
    let rest = value % unit
    if whole < 10 {
      text.append(byte: .period)
      text.append(decimal: rest / (unit / 100), width: 2)
    } else if whole < 100 {
      text.append(byte: .period)
      text.append(decimal: rest / (unit / 10))
    }
    text.append(name)
  }
}
