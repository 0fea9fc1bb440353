// SPDX-License-Identifier: Apache-2.0

extension TextBuffer {
  public mutating func append(decimal value: Int) {
    if value < 0 { append(byte: .hyphen) }
    append(decimal: UInt64(value.magnitude))
  }

  public mutating func append(decimal value: UInt64) {
    reserve(24)
    if value < 100_000_000 { return leading(UInt32(truncatingIfNeeded: value)) }
    // Eight digits at a time; only the first eight may have leading zeros, which are omitted.
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if high < 100_000_000 {
      leading(UInt32(truncatingIfNeeded: high))
    } else {
      let (highest, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
      leading(UInt32(truncatingIfNeeded: highest))
      put(Digits.word(UInt32(truncatingIfNeeded: middle)) | Digits.zeros, 8)
    }
    put(Digits.word(UInt32(truncatingIfNeeded: low)) | Digits.zeros, 8)
  }

  /// Up to eight digits without leading zeros. The count is found by comparisons, not from the
  /// digits, so that the next write need not wait for them.
  @inline(__always) private mutating func leading(_ value: UInt32) {
    if value < 10 { return put(UInt64(value) | 0x30, 1) }
    let digits = Digits.count(below100Million: value)
    put((Digits.word(value) | Digits.zeros) &>> UInt64((8 &- digits) &* 8), digits)
  }

  /// Writes the first `count` bytes of a word; there must be room for eight.
  @inline(__always) private mutating func put(_ word: UInt64, _ count: Int) {
    unsafe UnsafeMutableRawPointer(base + used).storeBytes(
      of: word.littleEndian, as: UInt64.self)
    advance(count)
  }

  /// Exactly `width` digits, with leading zeros; the value must not have more.
  public mutating func append(decimal value: UInt64, width: Int) {
    if width > 8 {
      let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
      append(decimal: high, width: width &- 8)
      reserve(8)
      return put(Digits.word(UInt32(truncatingIfNeeded: low)) | Digits.zeros, 8)
    }
    reserve(8)
    let digits = Digits.word(UInt32(truncatingIfNeeded: value)) | Digits.zeros
    put(digits &>> UInt64((8 &- width) &* 8), width)
  }

  /// Right-aligned in at least `width` columns.
  public mutating func append(decimal value: UInt64, columns width: Int) {
    append(spaces: width &- Digits.count(of: value))
    append(decimal: value)
  }

  /// With a comma every three digits, for users.
  public mutating func append(grouped value: UInt64) {
    let digits = Digits.count(of: value)
    if digits <= 3 { return append(decimal: value) }
    append(grouped: value / 1000)
    append(byte: .comma)
    append(decimal: value % 1000, width: 3)
  }

  public mutating func append(hex byte: UInt8) {
    let digits: StaticString = "0123456789abcdef"
    append(byte: unsafe digits.utf8Start[Int(byte >> 4)])
    append(byte: unsafe digits.utf8Start[Int(byte & 15)])
  }
}
