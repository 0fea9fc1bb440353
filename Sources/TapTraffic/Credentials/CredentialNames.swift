// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// The names that credentials have in payloads, URLs and logs. Case does not matter, and `-`, `_`
/// and blanks are ignored.
public struct CredentialNames: Sendable, Equatable {
  /// The names that count unless the user changes them. A blank marks where characters may be
  /// ignored.
  public static let standard = CredentialNames([
    "password", "passwd", "passcode", "passphrase", "pwd", "secret", "client secret", "api secret",
    "admin secret", "token", "access token", "refresh token", "id token", "auth token",
    "connection token",
    "session token", "csrf token", "xsrf token", "api key", "api token", "authorization", "cookie",
    "cookies", "set cookie", "jwt", "bearer", "private key", "credential", "credentials", "otp",
    "pin", "cvv", "x auth token", "x access token", "x csrf token", "x xsrf token", "x api key",
    "x api token", "x hasura admin secret", "x hasura access key", "basic auth password",
    "apn password", "sim pin", "new password", "old password", "current password",
    "confirm password", "password confirm", "password confirmation", "user password",
    "login password", "admin password", "root password", "db password", "database password",
    "secret key", "secret access key",
  ])

  @usableFromInline private(set) var table: NameTable

  public init(_ names: [String]) { table = NameTable(names) }

  public static func == (left: CredentialNames, right: CredentialNames) -> Bool {
    left.all == right.all
  }

  /// As people write them.
  public var all: [String] { table.names }

  /// Whether a text is allowed as a name: it has ASCII letters or digits, and besides those only
  /// characters that are ignored.
  public static func isName(_ text: String) -> Bool {
    text.utf8.count { isIgnored($0) || isLetterOrDigit(lower($0)) } == text.utf8.count
      && !Self.letters(of: text).isEmpty
  }

  public mutating func insert(contentsOf names: [String]) { table = NameTable(all + names) }

  public mutating func remove(contentsOf names: [String]) {
    let words = Set(names.map(Self.letters))
    table = NameTable(all.filter { !words.contains(Self.letters(of: $0)) })
  }

  /// Whether one of the names may stand before a value in a text. A quick check: it is true for a
  /// few texts without any.
  @inlinable @inline(__always)
  public func mayStand(in text: RawSpan) -> Bool { firstSeparator(in: text) != nil }

  /// The first separator that may follow one of the names; nil when there is none.
  @inlinable @inline(__always)
  public func firstSeparator(in text: RawSpan) -> Int? { table.endings.firstSeparator(in: text) }

  /// Whether letters, in lower case and without ignored characters, are one of the names.
  func contains(_ letters: [UInt8]) -> Bool { words.contains(letters) }

  /// Their letters in lower case.
  var words: [[UInt8]] { table.letters }

  static func letters(of name: String) -> [UInt8] {
    name.utf8.filter { !isIgnored($0) }.map(lower)
  }

  static func isIgnored(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: " ")
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte.isDigit
  }

  static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
