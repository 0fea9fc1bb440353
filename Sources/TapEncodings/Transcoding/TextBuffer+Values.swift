// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Values of binary serializers as JSON has them.
extension TextBuffer {
  /// Bytes in WAMP's own form of JSON: a string of U+0000 followed by base64.
  public mutating func append(octets bytes: RawSpan) {
    append("\"\\u0000")
    Base64.append(bytes, to: &self)
    append(byte: 0x22)
  }

  /// The shortest digits that stand for exactly this number and, as what was sent is no integer,
  /// with a fraction or an exponent. A float of less precision gets the digits of the double it is
  /// equal to, as the programs that receive it have no smaller type. What is not finite gets the
  /// word that JavaScript has for it.
  mutating func append(double value: Double) {
    if value > -9_007_199_254_740_992 && value < 9_007_199_254_740_992 {
      let whole = Int(value)
      if Double(whole) == value {
        if whole == 0 && value.sign == .minus { append(byte: 0x2D) }
        append(decimal: whole)
        return append(".0")
      }
    }
    if appendFew(digitsOf: value) { return }
    if value.isFinite {
      append(value.description)
    } else if value.isNaN {
      append("NaN")
    } else if value < 0 {
      append("-Infinity")
    } else {
      append("Infinity")
    }
  }

  /// Most fractions have few digits. A number that is one of up to fifteen digits divided by a
  /// power of ten is the only one that these digits stand for, so they are the shortest.
  private mutating func appendFew(digitsOf value: Double) -> Bool {
    let magnitude = value.magnitude
    guard magnitude >= 0.001 && magnitude < 1_000_000_000 else { return false }
    var scale = 1.0
    for places in 1...6 {
      scale *= 10
      let scaled = (magnitude * scale).rounded()
      // Both are exact, and division rounds as reading the digits does.
      guard scaled / scale == magnitude else { continue }
      if value < 0 { append(byte: 0x2D) }
      let digits = UInt64(scaled)
      let unit = UInt64(scale)
      append(decimal: digits / unit)
      append(byte: 0x2E)
      append(decimal: digits % unit, width: places)
      return true
    }
    return false
  }

  /// IEEE 754 binary16.
  static func double(half bits: UInt16) -> Double {
    let isNegative = bits & 0x8000 != 0
    let exponent = Int(bits >> 10 & 31)
    let fraction = Double(bits & 0x3FF)
    let magnitude: Double
    switch exponent {
    case 0: magnitude = fraction / 16_777_216
    case 31: magnitude = fraction == 0 ? .infinity : .nan
    default:
      magnitude = (1 + fraction / 1024) * Double(bitPattern: UInt64(exponent - 15 + 1023) << 52)
    }
    return isNegative ? -magnitude : magnitude
  }
}
