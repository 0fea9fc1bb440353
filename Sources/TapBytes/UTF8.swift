// SPDX-License-Identifier: Apache-2.0

/// UTF-8 as RFC 3629 defines it: shortest form only, no surrogates, nothing above U+10FFFF.
public enum UTF8 {
  /// One code point in borrowed bytes.
  @frozen public struct Scalar {
    public var value: UInt32
    /// Octets it takes, 1 to 4.
    public var length: Int
  }

  /// The code point that starts at `at`; nil when the octets there are not valid UTF-8.
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

  /// The offset of the first octet that is not valid UTF-8; nil when all are.
  public static func firstInvalid(in bytes: RawSpan, from start: Int = 0) -> Int? {
    if start == 0 && bytes.isLongASCII { return nil }
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
      // The last few, with some before them that are known to be good.
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

  /// Whether a terminal might obey this code point instead of showing it, or show the text in an
  /// order that is not the order it was sent in: C0 and C1 controls, DEL, line separators and the
  /// bidirectional controls of Unicode (UAX #9).
  @inlinable public static func isControl(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
