// SPDX-License-Identifier: Apache-2.0

/// UTF-8 as RFC 3629 defines it: shortest form only, no surrogates, nothing above U+10FFFF.
public enum UTF8 {
  /// One code point in borrowed bytes.
  @frozen public struct Scalar {
    public var value: UInt32
    /// Bytes it takes, 1 to 4.
    public var length: Int
  }

  /// The code point that starts at `at`; nil when the bytes there are not valid UTF-8.
  public static func scalar(in bytes: RawSpan, at: Int) -> Scalar? {
    let first = bytes.byte(at: at)
    if first < 0x80 { return Scalar(value: UInt32(first), length: 1) }
    let length: Int
    var value: UInt32
    let least: UInt32
    switch first {
    case 0xC2...0xDF: (length, value, least) = (2, UInt32(first & 0x1F), 0x80)
    case 0xE0...0xEF: (length, value, least) = (3, UInt32(first & 0x0F), 0x800)
    case 0xF0...0xF4: (length, value, least) = (4, UInt32(first & 0x07), 0x10000)
    default: return nil
    }
    guard at &+ length <= bytes.byteCount else { return nil }
    for index in 1..<length {
      let octet = bytes.byte(at: at &+ index)
      guard octet & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(octet & 0x3F)
    }
    guard value >= least, value <= 0x10FFFF, value & 0xFFFF_F800 != 0xD800 else { return nil }
    return Scalar(value: value, length: length)
  }

  /// The offset of the first byte that is not valid UTF-8; nil when all are.
  @inlinable @inline(__always)
  public static func firstInvalid(in bytes: RawSpan, from start: Int = 0) -> Int? {
    // Fast path: most messages are ASCII.
    if start == 0 && bytes.isLongASCII { return nil }
    return searchInvalid(bytes, start)
  }

  /// Whether a text, or a part of one that may end inside of a character, is UTF-8.
  public static func isValid(_ bytes: RawSpan, isWhole: Bool) -> Bool {
    guard let invalid = firstInvalid(in: bytes) else { return true }
    return !isWhole && invalid >= bytes.byteCount - 3
  }

  @usableFromInline static func searchInvalid(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    let count = bytes.byteCount
    while at < count {
      while at &+ 32 <= count,
        (bytes.word(unchecked: at) | bytes.word(unchecked: at &+ 8)
          | bytes.word(unchecked: at &+ 16) | bytes.word(unchecked: at &+ 24))
          & 0x8080_8080_8080_8080 == 0
      { at &+= 32 }
      while at &+ 8 <= count, bytes.word(unchecked: at) & 0x8080_8080_8080_8080 == 0 { at &+= 8 }
      guard at < count else { return nil }
      // The last few bytes, with some checked ones before them.
      if at &+ 8 > count, count >= 8,
        bytes.word(unchecked: count &- 8) & 0x8080_8080_8080_8080 == 0
      {
        return nil
      }
      if bytes.byte(at: at) < 0x80 {
        at &+= 1
      } else if let scalar = scalar(in: bytes, at: at) {
        at &+= scalar.length
      } else {
        return at
      }
    }
    return nil
  }

  /// Whether a code point is invisible: a terminal might obey it, reorder the text, or show
  /// nothing. These are C0 and C1 controls, DEL, line separators, Unicode's bidirectional controls
  /// (UAX #9), its default ignorable code points (zero width, fillers, tags, variation selectors),
  /// and annotations.
  @inlinable public static func isUnseen(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F...0x9F, 0xAD: true
    case 0xA0..<0x34F: false
    case 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: false
    }
  }

  /// Whether the code point at an offset is part of an emoji: U+FE0F after one, or a joiner between
  /// two (UTS #51).
  static func isPartOfEmoji(
    _ scalar: Scalar, at: Int, behind last: UInt32, _ bytes: RawSpan
  ) -> Bool {
    guard isEmoji(last) || scalar.value == 0x200D && last == 0xFE0F else { return false }
    if scalar.value == 0xFE0F { return true }
    guard scalar.value == 0x200D, at &+ scalar.length < bytes.byteCount,
      let next = self.scalar(in: bytes, at: at &+ scalar.length)
    else { return false }
    return isEmoji(next.value)
  }

  private static func isEmoji(_ scalar: UInt32) -> Bool {
    // Exclude digits, which have Unicode's property because of keycap emoji.
    guard scalar >= 0x80, let scalar = Unicode.Scalar(scalar) else { return false }
    return scalar.properties.isEmoji
  }
}
