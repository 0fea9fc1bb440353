// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Classes of characters that lines of logs are made of.
extension UInt8 {
  /// `A` to `Z`.
  @inline(__always)
  var isUppercase: Bool { self &- 0x41 < 26 }

  /// `a` to `z`.
  @inline(__always)
  var isLowercase: Bool { self &- 0x61 < 26 }

  /// What names of hosts, modules, files and loggers are made of.
  @inline(__always)
  var isOfName: Bool { isWord || self == .hyphen || self == .period }

  /// What names of members are made of: `@timestamp`.
  @inline(__always)
  var isOfMemberName: Bool { isWord || self == UInt8(ascii: "@") }

  /// What names are made of in programs, whose letters may be of any alphabet.
  @inline(__always)
  var isOfIdentifier: Bool {
    isWord || self == UInt8(ascii: "$") || self == .period || self >= 0x80
  }

  /// What may stand between the name of a member, its divider and its value.
  var isAroundValue: Bool { isJSONSpace || isQuoting || self == .openBracket }

  /// What may stand between words and a message: blanks, colons, quotes and the like.
  var isFiller: Bool {
    switch self {
    case .space, .tab, .lineFeed, .carriageReturn, .colon, UInt8(ascii: "="), .quote, .apostrophe,
      UInt8(ascii: "`"), UInt8(ascii: "("), .openBracket, .closeBracket, UInt8(ascii: ")"), .comma,
      UInt8(ascii: "|"), .backslash, .openBrace, .period, .slash:
      true
    default: false
    }
  }

  /// A quotation mark, or the backslash that escapes one.
  @inline(__always)
  var isQuoting: Bool { self == .quote || self == .apostrophe || self == .backslash }
}
