// SPDX-License-Identifier: Apache-2.0

/// Decimal digits, eight at a time. A word holds eight bytes in memory order, the first in the
/// lowest bits.
public enum Digits {
  /// The value of eight digits: combined in pairs, then fours, then all.
  @inlinable @inline(__always)
  public static func value(_ word: UInt64) -> UInt64 {
    let digits = word &- 0x3030_3030_3030_3030
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }

  /// `00000000`.
  @inlinable @inline(__always) static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight decimal digits of a number below 10^8, one per byte, the first in the lowest: the
  /// reverse of `value`. Split into fours, pairs and digits, each by a multiplication.
  @inlinable @inline(__always)
  static func word(_ value: UInt32) -> UInt64 {
    let fours = UInt64(value / 10_000) | (UInt64(value % 10_000) << 32)
    let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007F_0000_007F
    let pairs = hundreds | ((fours &- (hundreds &* 100)) << 16)
    let tens = ((pairs &* 103) >> 10) & 0x000F_000F_000F_000F
    return tens | ((pairs &- (tens &* 10)) << 8)
  }

  /// The number of decimal digits of a value.
  @inline(__always)
  public static func count(of value: UInt64) -> Int {
    if value < 100_000_000 { return count(below100Million: UInt32(truncatingIfNeeded: value)) }
    let high = value / 100_000_000
    if high < 100_000_000 {
      return 8 &+ count(below100Million: UInt32(truncatingIfNeeded: high))
    }
    return 16 &+ count(below100Million: UInt32(truncatingIfNeeded: high / 100_000_000))
  }

  @inline(__always)
  static func count(below100Million value: UInt32) -> Int {
    if value < 10_000 {
      return value < 100 ? (value < 10 ? 1 : 2) : (value < 1000 ? 3 : 4)
    }
    return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : (value < 10_000_000 ? 7 : 8)
  }

  /// The value of a hexadecimal digit; nil when it is not one.
  @inlinable public static func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character &- 0x30
    case 0x41...0x46: character &- 0x37
    case 0x61...0x66: character &- 0x57
    default: nil
    }
  }
}
