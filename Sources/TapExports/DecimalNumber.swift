// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A number as it is written: up to nineteen digits and a power of ten.
struct DecimalNumber {
  private var magnitude: UInt64 = 0
  private(set) var exponent = 0
  private var isNegative = false

  /// Nil for anything else, also for a number with an exponent.
  init?(_ text: RawSpan) {
    var at = 0
    var digits = 0
    var hasPoint = false
    if text.byteCount > 0, text.byte(at: 0) == .hyphen { (isNegative, at) = (true, 1) }
    while at < text.byteCount {
      let byte = text.byte(at: at)
      switch byte {
      case 0x30...0x39:
        digits += 1
        if magnitude < 1_000_000_000_000_000_000 {
          magnitude = magnitude * 10 + UInt64(byte - 0x30)
          if hasPoint { exponent -= 1 }
        } else if !hasPoint {
          exponent += 1
        }
      case .period where !hasPoint: hasPoint = true
      default: return nil
      }
      at += 1
    }
    if digits == 0 { return nil }
  }

  /// Digits before the point.
  var size: Int {
    if magnitude == 0 { return 0 }
    var count = 0
    var rest = magnitude
    while rest > 0 {
      rest /= 10
      count += 1
    }
    return count + exponent
  }

  /// The number of units of ten to the power of minus `shift`, towards zero; nil when it is too
  /// large.
  func scaled(by shift: Int) -> Int64? {
    var power = exponent + shift
    var value = magnitude
    while power < 0 && value > 0 {
      value /= 10
      power += 1
    }
    while power > 0 && value > 0 {
      let (next, isLarge) = value.multipliedReportingOverflow(by: 10)
      if isLarge { return nil }
      value = next
      power -= 1
    }
    guard value <= UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(value) : Int64(value)
  }
}
