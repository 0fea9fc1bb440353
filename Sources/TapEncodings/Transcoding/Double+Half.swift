// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// IEEE 754 binary16.
  init(half bits: UInt16) {
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
    self = isNegative ? -magnitude : magnitude
  }
}
