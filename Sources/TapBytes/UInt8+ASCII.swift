// SPDX-License-Identifier: Apache-2.0

/// Classes of ASCII characters, as RFC 5234 names them (appendix B.1), and some that are made of
/// these.
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

  /// White space as JSON has it (RFC 8259 §2).
  @inlinable @inline(__always) public var isJSONSpace: Bool {
    self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09)
  }

  /// ALPHA, DIGIT or `_`: what regular expressions call `\w`.
  @inlinable @inline(__always) public var isWord: Bool { isAlpha || isDigit || self == 0x5F }
}
