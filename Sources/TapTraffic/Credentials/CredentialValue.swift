// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Reads the value after the name of a credential.
struct CredentialValue {
  let name: CredentialNames.Spelling
  /// The name is a key of JSON, not a word inside of a string.
  let isKey: Bool

  /// - Parameters:
  ///   - text: up to where the value may reach.
  ///   - start: behind the separator.
  /// - Returns: nil when there is no value, or one that says nothing: `null`, `true`, an empty
  ///   string.
  func read(_ text: RawSpan, from start: Int) -> CredentialFinder.Credential? {
    var at = start
    // `=>` and `:=` are separators, too.
    if at < text.byteCount, [UInt8(ascii: ">"), UInt8(ascii: "=")].contains(text.byte(at: at)) {
      at += 1
    }
    let behindSeparator = at
    while at < text.byteCount, isSpace(text.byte(at: at)) { at += 1 }
    guard at < text.byteCount else { return nil }
    if let string = string(text, from: at) { return string }
    if name.isField { return field(text, from: at) }
    if let end = Self.containerEnd(text, from: at) {
      return CredentialFinder.Credential(value: ByteRange(at, end), needsQuotes: isKey)
    }
    return word(text, from: at, isApart: at > behindSeparator)
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte.isWSP || name.quote != 0 && (byte == .lineFeed || byte == .carriageReturn)
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
  }

  private func string(_ text: RawSpan, from start: Int) -> CredentialFinder.Credential? {
    guard let (value, _) = Self.quoted(text, from: start) else { return nil }
    // A placeholder that a logger put in place of the secret is no secret.
    if value.isEmpty || Self.isPlaceholder(text[value]) { return nil }
    return CredentialFinder.Credential(value: value, needsQuotes: false)
  }

  /// A string in quotes, perhaps with backslashes before them or a prefix letter, such as `b'…'` in
  /// Python: its content, and where it ends.
  static func quoted(_ text: RawSpan, from start: Int) -> (content: ByteRange, end: Int)? {
    var at = start
    if at + 1 < text.byteCount, "bBuUrR".utf8.contains(text.byte(at: at)),
      isQuote(text.byte(at: at + 1))
    {
      at += 1
    }
    var level = 0
    while at < text.byteCount, text.byte(at: at) == UInt8(ascii: "\\") {
      at += 1
      level += 1
    }
    guard at < text.byteCount, isQuote(text.byte(at: at)) else { return nil }
    let content = ByteRange(at + 1, stringEnd(text, from: at + 1, text.byte(at: at), level))
    return (content, min(content.end + level + 1, text.byteCount))
  }

  /// Where the content of a string ends. JSON in a JSON string has a backslash before each quote,
  /// and each further level doubles the backslashes and adds one: 0, 1, 3, 7.
  private static func stringEnd(
    _ text: RawSpan, from start: Int, _ quote: UInt8, _ level: Int
  ) -> Int {
    var at = start
    while let found = text.firstIndex(of: quote, from: at) {
      var first = found
      while first > start, text.byte(at: first - 1) == UInt8(ascii: "\\") { first -= 1 }
      let before = found - first
      if before >= level, (before - level) % (2 * (level + 1)) == 0 {
        return found - level
      }
      // A quote with fewer backslashes belongs to an enclosing string, which ends here.
      if before < level { return first }
      at = found + 1
    }
    return text.byteCount
  }

  /// Where an object or a list ends; nil where none begins.
  static func containerEnd(_ text: RawSpan, from start: Int) -> Int? {
    guard start < text.byteCount, "{[(".utf8.contains(text.byte(at: start)) else { return nil }
    var depth = 0
    var at = start
    while at < text.byteCount {
      let byte = text.byte(at: at)
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return at + 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        var first = at
        while first > start, text.byte(at: first - 1) == UInt8(ascii: "\\") { first -= 1 }
        // An apostrophe inside of a word does not begin a string.
        let isApostrophe =
          byte == UInt8(ascii: "'") && first > 0 && text.byte(at: first - 1).isAlpha
        if !isApostrophe { at = stringEnd(text, from: at + 1, byte, at - first) + at - first }
      default: break
      }
      at += 1
    }
    return text.byteCount
  }

  /// The rest of a line of an HTTP head.
  private func field(
    _ text: RawSpan, from start: Int
  ) -> CredentialFinder.Credential? {
    var end = start
    while end < text.byteCount {
      let byte = text.byte(at: end)
      if byte == .lineFeed || byte == .carriageReturn || byte == UInt8(ascii: "\"")
        || byte == UInt8(ascii: "\\")
      {
        break
      }
      end += 1
    }
    if end == start { return nil }
    return CredentialFinder.Credential(value: ByteRange(start, end), needsQuotes: false)
  }

  /// A number, or text without quotes.
  ///
  /// - Parameter isApart: blanks stand between the separator and the value.
  private func word(
    _ text: RawSpan, from start: Int, isApart: Bool
  ) -> CredentialFinder.Credential? {
    var end = Self.wordEnd(text, from: start)
    if end == start { return nil }
    if CredentialScheme.contains(text.extracting(start..<end)) {
      var next = end
      while next < text.byteCount, text.byte(at: next) == .space { next += 1 }
      end = max(end, Self.wordEnd(text, from: next))
    }
    let word = text.extracting(start..<end)
    if Self.isPlaceholder(word) || name.isWord && isApart && Self.isPlainWord(word) { return nil }
    return CredentialFinder.Credential(value: ByteRange(start, end), needsQuotes: isKey)
  }

  private static func isPlaceholder(_ value: RawSpan) -> Bool {
    if value.byteCount > 9 { return false }
    let words: [StaticString] = [
      "null", "true", "false", "None", "True", "False", "nil", "undefined", "…", "***",
    ]
    return words.contains { value.equals($0) }
  }

  static func wordEnd(_ text: RawSpan, from start: Int) -> Int {
    var at = start
    // A token that replaced a masked value is one word.
    if text.dropping(start).starts(with: "<secret-") {
      return text.firstIndex(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? text.byteCount
    }
    while at < text.byteCount {
      switch text.byte(at: at) {
      case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "}"),
        UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"),
        UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: "|"), UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "#"):
        return at
      default: at += 1
      }
    }
    return at
  }

  private static func isPlainWord(_ word: RawSpan) -> Bool {
    for at in 0..<word.byteCount
    where !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= word.byte(at: at)) { return false }
    return true
  }
}

/// The authentication scheme before a credential (RFC 9110 §11.1).
enum CredentialScheme {
  private static let all: [StaticString] = [
    "Bearer", "bearer", "BEARER", "Basic", "basic", "Token", "token", "Digest", "Negotiate",
    "ApiKey", "apikey",
  ]

  static func contains(_ word: RawSpan) -> Bool {
    5...9 ~= word.byteCount && all.contains { word.equals($0) }
  }

  static func contains(_ word: ArraySlice<UInt8>) -> Bool {
    if word.count > 9 { return false }
    let bytes = Array(word)
    return contains(bytes.span.bytes)
  }
}
