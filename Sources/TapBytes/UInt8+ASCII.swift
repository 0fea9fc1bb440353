// SPDX-License-Identifier: Apache-2.0

/// Classes of ASCII characters, named as in RFC 5234 (appendix B.1), and combinations of them.
extension UInt8 {
  /// ALPHA: `a` to `z` and `A` to `Z`.
  @inlinable @inline(__always) public var isAlpha: Bool { (self | 0x20) &- 0x61 < 26 }

  /// DIGIT: `0` to `9`.
  @inlinable @inline(__always) public var isDigit: Bool { self &- 0x30 < 10 }

  /// HEXDIG, in either case.
  @inlinable @inline(__always) public var isHexDigit: Bool {
    isDigit || (self | 0x20) &- 0x61 < 6
  }

  /// WSP: a space or a tab.
  @inlinable @inline(__always) public var isWSP: Bool { self == 0x20 || self == 0x09 }

  /// JSON white space (RFC 8259 §2).
  @inlinable @inline(__always) public var isJSONSpace: Bool {
    self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09)
  }

  /// ALPHA, DIGIT or `_`: what regular expressions call `\w`.
  @inlinable @inline(__always) public var isWord: Bool { isAlpha || isDigit || self == 0x5F }
}

/// ASCII characters that parsers use often. `UInt8(ascii:)` names all others.
extension UInt8 {
  @_transparent public static var tab: UInt8 { 0x09 }
  @_transparent public static var lineFeed: UInt8 { 0x0A }
  @_transparent public static var carriageReturn: UInt8 { 0x0D }
  @_transparent public static var space: UInt8 { 0x20 }
  @_transparent public static var quote: UInt8 { 0x22 }
  @_transparent public static var apostrophe: UInt8 { 0x27 }
  @_transparent public static var comma: UInt8 { 0x2C }
  @_transparent public static var hyphen: UInt8 { 0x2D }
  @_transparent public static var period: UInt8 { 0x2E }
  @_transparent public static var slash: UInt8 { 0x2F }
  @_transparent public static var colon: UInt8 { 0x3A }
  @_transparent public static var openBracket: UInt8 { 0x5B }
  @_transparent public static var backslash: UInt8 { 0x5C }
  @_transparent public static var closeBracket: UInt8 { 0x5D }
  @_transparent public static var openBrace: UInt8 { 0x7B }
  @_transparent public static var closeBrace: UInt8 { 0x7D }
}
