// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Values of binary serializers as JSON has them.
extension TextBuffer {
  /// Octets in WAMP's own form of JSON: a string of U+0000 followed by base64.
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
