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
    while at &- count >= 2 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      at &-= 2
      unsafe base[at] = pairs[Int(pair) &* 2]
      unsafe base[at &+ 1] = pairs[Int(pair) &* 2 &+ 1]
      rest = quotient
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

  static func digits(in value: UInt64) -> Int {
    if value < 10 { return 1 }
    if value < 100 { return 2 }
    if value < 1000 { return 3 }
    if value < 10000 { return 4 }
    var digits = 4
    var rest = value / 10000
    while rest > 0 {
      digits &+= 1
      rest /= 10
    }
    return digits
  }
}
