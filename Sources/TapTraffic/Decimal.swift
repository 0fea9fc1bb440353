// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A decimal number as digits, as a double would round the ids of many protocols.
public struct Decimal: Sendable, BitwiseCopyable {
  public private(set) var isNegative = false
  /// Up to 19 digits.
  public private(set) var digits: UInt64 = 0
  /// The power of ten of the last digit.
  public private(set) var exponent: Int32 = 0
  /// Digits other than zero were dropped.
  private var isCut = false

  public static let most = Decimal(digits: 1, exponent: 1 << 24)

  /// A JSON number; nil for anything else.
  public init?(_ text: RawSpan) {
    var at = 0
    let end = text.byteCount
    if at < end, text.byte(at: at) == .hyphen {
      isNegative = true
      at += 1
    }
    var (kept, power, isFraction, hasDigits) = (0, 0, false, false)
    while at < end {
      let byte = text.byte(at: at)
      if byte == .period && !isFraction {
        isFraction = true
      } else if byte.isDigit {
        hasDigits = true
        if kept < 19 {
          digits = digits * 10 + UInt64(byte - 0x30)
          if digits > 0 { kept += 1 }
          if isFraction { power -= 1 }
        } else {
          if byte != UInt8(ascii: "0") { isCut = true }
          if !isFraction { power += 1 }
        }
      } else {
        break
      }
      at += 1
    }
    guard hasDigits else { return nil }
    if at < end {
      guard text.byte(at: at) | 0x20 == UInt8(ascii: "e") else { return nil }
      guard let more = Self.exponent(text, at + 1) else { return nil }
      power += more
    }
    exponent = Int32(clamping: min(max(power, -1 << 24), 1 << 24))
    if digits == 0 { (exponent, isNegative) = (0, false) }
  }

  public init(isNegative: Bool = false, digits: UInt64, exponent: Int32 = 0) {
    (self.isNegative, self.digits, self.exponent) = (isNegative, digits, exponent)
  }

  private static func exponent(_ text: RawSpan, _ start: Int) -> Int? {
    var at = start
    var isLowered = false
    if at < text.byteCount, text.byte(at: at) == .hyphen || text.byte(at: at) == UInt8(ascii: "+") {
      isLowered = text.byte(at: at) == .hyphen
      at += 1
    }
    guard at < text.byteCount else { return nil }
    var value = 0
    while at < text.byteCount {
      let digit = text.byte(at: at) &- 0x30
      guard digit < 10 else { return nil }
      value = min(value * 10 + Int(digit), 1 << 24)
      at += 1
    }
    return isLowered ? -value : value
  }

  /// Less, equal or greater: -1, 0 or 1.
  public func compared(to other: Decimal) -> Int {
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    let sign = isNegative ? -1 : 1
    if digits == 0 || other.digits == 0 {
      return digits == other.digits ? 0 : digits == 0 ? -sign : sign
    }
    let (size, otherSize) = (Digits.count(of: digits), Digits.count(of: other.digits))
    let (top, otherTop) = (Int(exponent) + size, Int(other.exponent) + otherSize)
    if top != otherTop { return top < otherTop ? -sign : sign }
    // Both have the same magnitude: pad to the same number of digits.
    var (left, right) = (UInt128(digits), UInt128(other.digits))
    for _ in size..<max(size, otherSize) { left *= 10 }
    for _ in otherSize..<max(size, otherSize) { right *= 10 }
    if left != right { return left < right ? -sign : sign }
    return isCut == other.isCut ? 0 : isCut ? sign : -sign
  }

  /// Digits before the point.
  public var size: Int { digits == 0 ? 0 : Digits.count(of: digits) + Int(exponent) }

  /// The number of units of ten to the power of minus `shift`, towards zero; nil when it is too
  /// large.
  public func scaled(by shift: Int) -> Int64? {
    var power = Int(exponent) + shift
    var value = digits
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
