// SPDX-License-Identifier: Apache-2.0
public import TapBytes
/// The names that credentials go by in payloads, URLs and logs. Upper and lower case are the same,
/// and `-`, `_` and blanks are ignored.
public struct CredentialNames: Sendable, Equatable {
  /// The names that count unless the user says otherwise, with what is ignored shown as a blank.
  public static let standard = CredentialNames([
    "password", "passwd", "passcode", "passphrase", "pwd", "secret", "client secret", "token",
    "access token", "refresh token", "id token", "auth token", "session token", "csrf token",
    "xsrf token", "api key", "authorization", "cookie", "set cookie", "jwt", "bearer",
    "private key", "credential", "credentials", "otp", "pin", "cvv",
  ])

  /// As people write them.
  public private(set) var all: [String] = []
  private var letters: [[UInt8]] = []
  /// Of the same names.
  private var marks: [NameMark] = []
  /// Letters of the longest name.
  private(set) var longest = 0
  /// The last two letters of all names.
  @usableFromInline private(set) var endings = NameEndings()

  public init(_ names: [String]) { for name in names { insert(name) } }

  /// Whether a name can be one of these: three ASCII letters or digits at least, and nothing else
  /// but what is ignored.
  public static func isName(_ text: String) -> Bool {
    text.utf8.count { isIgnored($0) || isLetter(lower($0)) } == text.utf8.count
      && Self.letters(of: text).count >= 3
  }

  public mutating func insert(_ name: String) {
    let letters = Self.letters(of: name)
    precondition(letters.count >= 3)
    if self.letters.contains(letters) { return }
    all.append(name)
    self.letters.append(letters)
    marks.append(Self.mark(of: letters))
    longest = max(longest, letters.count)
    note(letters)
  }

  public mutating func remove(_ name: String) {
    let letters = Self.letters(of: name)
    guard let place = self.letters.firstIndex(of: letters) else { return }
    all.remove(at: place)
    self.letters.remove(at: place)
    marks.remove(at: place)
    endings = NameEndings()
    for letters in self.letters { note(letters) }
  }

  private mutating func note(_ letters: [UInt8]) {
    endings.insert(letters[letters.count - 2], letters[letters.count - 1])
  }

  /// Whether a text has something that may be one of them ahead of a value: false for almost all
  /// that have none.
  @inlinable @inline(__always)
  public func mayStand(in text: RawSpan) -> Bool { endings.firstSeparator(in: text) != nil }

  private static func mark(of letters: [UInt8]) -> NameMark {
    var mark = NameMark()
    for letter in letters.reversed() { mark.add(letter) }
    return mark
  }

  /// False for almost all letters that are none of the names.
  func mayContain(_ mark: NameMark) -> Bool { marks.contains(mark) }

  /// Whether letters, in lower case and without what is ignored, are one of the names.
  func contains(_ letters: [UInt8]) -> Bool { self.letters.contains(letters) }

  /// Their letters in lower case.
  var words: [[UInt8]] { letters }

  static func letters(of name: String) -> [UInt8] {
    name.utf8.filter { !isIgnored($0) }.map(lower)
  }

  static func isIgnored(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: " ")
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte &- 0x30 < 10
  }

  static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
