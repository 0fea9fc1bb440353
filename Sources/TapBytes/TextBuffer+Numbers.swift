// SPDX-License-Identifier: Apache-2.0

/// "00" to "99": two digits at a time halve the divisions.
private let digitPairs: StaticString = """
  0001020304050607080910111213141516171819\
  2021222324252627282930313233343536373839\
  4041424344454647484950515253545556575859\
  6061626364656667686970717273747576777879\
  8081828384858687888990919293949596979899
  """

extension TextBuffer {
  public mutating func append(decimal value: Int) {
    if value < 0 { append(byte: 0x2D) }
    append(decimal: UInt64(value.magnitude))
  }

  public mutating func append(decimal value: UInt64) {
    append(decimal: value, width: Self.digits(in: value))
  }

  /// Exactly `width` digits, with leading zeros.
  public mutating func append(decimal value: UInt64, width: Int) {
    reserve(width)
    var rest = value
    var at = count &+ width
    let pairs = unsafe digitPairs.utf8Start
    // Eight digits at a time fit 32 bits, whose divisions are cheaper.
    while at &- count >= 8 {
      let (quotient, low) = rest.quotientAndRemainder(dividingBy: 100_000_000)
      rest = quotient
      var eight = UInt32(truncatingIfNeeded: low)
      for _ in 0..<4 {
        let pair = Int(eight % 100) &* 2
        eight /= 100
        at &-= 2
        unsafe base[at] = pairs[pair]
        unsafe base[at &+ 1] = pairs[pair &+ 1]
      }
    }
    while at &- count >= 2 {
      let pair = Int(truncatingIfNeeded: rest % 100) &* 2
      rest /= 100
      at &-= 2
      unsafe base[at] = pairs[pair]
      unsafe base[at &+ 1] = pairs[pair &+ 1]
    }
    if at > count { unsafe base[count] = 48 &+ UInt8(truncatingIfNeeded: rest % 10) }
    advance(width)
  }

  /// Right-aligned in at least `width` columns.
  public mutating func append(decimal value: UInt64, columns width: Int) {
    append(spaces: width &- Self.digits(in: value))
    append(decimal: value)
  }

  /// With a comma every three digits, for people.
  public mutating func append(grouped value: UInt64) {
    let digits = Self.digits(in: value)
    if digits <= 3 { return append(decimal: value) }
    append(grouped: value / 1000)
    append(byte: 0x2C)
    append(decimal: value % 1000, width: 3)
  }

  public mutating func append(hex byte: UInt8) {
    let digits: StaticString = "0123456789abcdef"
    append(byte: unsafe digits.utf8Start[Int(byte >> 4)])
    append(byte: unsafe digits.utf8Start[Int(byte & 15)])
  }

  /// How many decimal digits a number has.
  @inline(__always)
  static func digits(in value: UInt64) -> Int {
    if value < 100_000_000 { return digits(below100Million: UInt32(truncatingIfNeeded: value)) }
    let high = value / 100_000_000
    if high < 100_000_000 {
      return 8 &+ digits(below100Million: UInt32(truncatingIfNeeded: high))
    }
    return 16 &+ digits(below100Million: UInt32(truncatingIfNeeded: high / 100_000_000))
  }

  @inline(__always)
  private static func digits(below100Million value: UInt32) -> Int {
    if value < 10_000 {
      return value < 100 ? (value < 10 ? 1 : 2) : (value < 1000 ? 3 : 4)
    }
    return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : (value < 10_000_000 ? 7 : 8)
  }
}
