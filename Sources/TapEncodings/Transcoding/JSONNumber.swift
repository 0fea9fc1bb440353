// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Prints the floats of binary serializers as JSON numbers.
enum JSONNumber {
  /// The shortest digits that stand for exactly this number and, as what was sent is no integer,
  /// with a fraction or an exponent. A float of less precision gets the digits of the double it is
  /// equal to, as the programs that receive it have no smaller type. What is not finite gets the
  /// word that JavaScript has for it.
  static func append(_ value: Double, to text: inout TextBuffer) {
    if value > -9_007_199_254_740_992 && value < 9_007_199_254_740_992 {
      let whole = Int(value)
      if Double(whole) == value {
        if whole == 0 && value.sign == .minus { text.append(byte: 0x2D) }
        text.append(decimal: whole)
        return text.append(".0")
      }
    }
    if appendFew(digitsOf: value, to: &text) { return }
    if value.isFinite {
      text.append(value.description)
    } else if value.isNaN {
      text.append("NaN")
    } else if value < 0 {
      text.append("-Infinity")
    } else {
      text.append("Infinity")
    }
  }

  /// Most fractions have few digits. A number that is one of up to fifteen digits divided by a
  /// power of ten is the only one that these digits stand for, so they are the shortest.
  private static func appendFew(digitsOf value: Double, to text: inout TextBuffer) -> Bool {
    let magnitude = value.magnitude
    guard magnitude >= 0.001 && magnitude < 1_000_000_000 else { return false }
    var scale = 1.0
    for places in 1...6 {
      scale *= 10
      let scaled = (magnitude * scale).rounded()
      // Both are exact, and division rounds as reading the digits does.
      guard scaled / scale == magnitude else { continue }
      if value < 0 { text.append(byte: 0x2D) }
      let digits = UInt64(scaled)
      let unit = UInt64(scale)
      text.append(decimal: digits / unit)
      text.append(byte: 0x2E)
      text.append(decimal: digits % unit, width: places)
      return true
    }
    return false
  }
}
