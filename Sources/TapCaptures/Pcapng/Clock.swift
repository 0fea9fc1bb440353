// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// How an interface counts time (draft-ietf-opsawg-pcapng §4.2, if_tsresol and if_tsoffset). All
/// arithmetic is in integers and exact to nanoseconds; finer resolutions are truncated.
struct Clock {
  private enum Scale {
    case multiply(UInt64)
    case divide(UInt128)
    case shift(Int)
  }

  private var scale = Scale.multiply(1000)
  /// Seconds to add.
  var offset: Int64 = 0
  /// The decimal digits of a second, at most 9.
  private(set) var precision: UInt8 = 6

  /// Microseconds, the default.
  init() {}

  /// - Parameter resolution: the byte of if_tsresol; its most significant bit decides whether the
  ///   rest is a negative power of 2 or of 10.
  init(resolution: UInt8) {
    let exponent = Int(resolution & 0x7F)
    if resolution & 0x80 != 0 {
      (scale, precision) = (.shift(exponent), 9)
    } else if exponent <= 9 {
      var factor: UInt64 = 1
      for _ in exponent..<9 { factor *= 10 }
      (scale, precision) = (.multiply(factor), UInt8(exponent))
    } else {
      // 10^20 and more exceeds any 64-bit count.
      var divisor: UInt128 = 1
      for _ in 9..<min(exponent, 30) { divisor *= 10 }
      (scale, precision) = (.divide(divisor), 9)
    }
  }

  /// Unknown when the time is outside the range of an `Instant` (the years 1677 to 2262).
  func instant(_ ticks: UInt64) -> Instant {
    let nanoseconds: UInt128
    switch scale {
    case .multiply(let factor):
      let (product, overflow) = ticks.multipliedReportingOverflow(by: factor)
      // Fast path for nearly every packet.
      if offset == 0 && !overflow && product <= UInt64(Int64.max) {
        return Instant(nanoseconds: Int64(product))
      }
      nanoseconds = UInt128(ticks) * UInt128(factor)
    case .divide(let divisor): nanoseconds = UInt128(ticks) / divisor
    case .shift(let places): nanoseconds = (UInt128(ticks) * 1_000_000_000) >> UInt128(places)
    }
    // Both are far below 2^127: 2^64 * 10^9, and 2^63 * 10^9.
    let sum = Int128(nanoseconds) + Int128(offset) * 1_000_000_000
    guard let exact = Int64(exactly: sum) else { return .unknown }
    return Instant(nanoseconds: exact)
  }
}
