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

  /// A quotation mark, or the backslash that escapes one.
  @inline(__always)
  var isQuoting: Bool { self == .quote || self == .apostrophe || self == .backslash }
}
