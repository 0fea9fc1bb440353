// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Prints the floats of binary serializers as JSON numbers.
enum JSONNumber {
  /// Appends the shortest digits for exactly this number, always with a fraction or an exponent, as
  /// it was not sent as an integer. A float of less precision is converted to a double first, as
  /// the receiving programs do. Values that are not finite get JavaScript's word.
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

  /// Fast path, as most fractions have few digits: if a number equals up to fifteen digits divided
  /// by a power of ten, these digits are the shortest.
  private static func appendFew(digitsOf value: Double, to text: inout TextBuffer) -> Bool {
    let magnitude = value.magnitude
    guard magnitude >= 0.001 && magnitude < 1_000_000_000 else { return false }
    var scale = 1.0
    for places in 1...6 {
      scale *= 10
      let scaled = (magnitude * scale).rounded()
      // Both operands are exact, and the division rounds like parsing the digits.
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
