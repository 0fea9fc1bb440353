// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Scans the characters and words of a filter.
extension FilterReader {
  var next: UInt8? { byte(0) }

  func byte(_ offset: Int) -> UInt8? {
    at + offset < bytes.count ? bytes[at + offset] : nil
  }

  mutating func skipSpaces() {
    while let byte = next, byte <= 0x20 { at += 1 }
  }

  mutating func takeRun(_ isMeant: (UInt8) -> Bool) -> String {
    let start = at
    while let byte = next, isMeant(byte) { at += 1 }
    return String(decoding: bytes[start..<at], as: Unicode.UTF8.self)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    byte.isAlpha || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  static func isNamePart(_ byte: UInt8) -> Bool { isLetter(byte) || byte.isDigit }

  /// Letters, digits, `_` and, inside, `-`.
  mutating func takeName() -> String {
    guard let first = next, Self.isLetter(first) else { return "" }
    return takeRun { Self.isNamePart($0) || $0 == UInt8(ascii: "-") }
  }

  /// Takes a keyword if it is next as a whole word.
  mutating func takeWord(_ word: String) -> Bool {
    let end = at + word.utf8.count
    guard end <= bytes.count, bytes[at..<end].elementsEqual(word.utf8) else { return false }
    if end < bytes.count, Self.isNamePart(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
      return false
    }
    at = end
    return true
  }

  mutating func take(_ sign: String) -> Bool {
    guard bytes[at...].starts(with: sign.utf8) else { return false }
    at += sign.utf8.count
    return true
  }

  mutating func takeJoint(_ word: String, _ sign: String) -> Bool {
    skipSpaces()
    return takeWord(word) || take(sign)
  }

  /// A quoted string, and whether it has the prefix `r`.
  struct QuotedString {
    var bytes: [UInt8]
    var place: Range<Int>
  }

  var isAtString: Bool {
    let first = next == UInt8(ascii: "r") ? byte(1) : next
    return first.map(Self.isQuote) == true
  }

  static func isQuote(_ byte: UInt8) -> Bool { byte == .quote || byte == .apostrophe }

  /// - Parameter isPattern: escapes belong to a regular expression and are kept.
  mutating func string(isPattern: Bool = false) throws(FilterError) -> QuotedString {
    let start = at
    let isRaw = next == UInt8(ascii: "r")
    if isRaw { at += 1 }
    let quote = bytes[at]
    at += 1
    var content: [UInt8] = []
    while let byte = next {
      at += 1
      if byte == quote { return QuotedString(bytes: content, place: start..<at) }
      guard byte == UInt8(ascii: "\\"), !isRaw, let escaped = next else {
        content.append(byte)
        continue
      }
      at += 1
      if isPattern {
        if escaped != quote { content.append(byte) }
        content.append(escaped)
      } else {
        content += try self.escaped(escaped)
      }
    }
    throw fail("the quote is not closed", start..<start + 1)
  }

  /// Escapes as in JSON.
  private mutating func escaped(_ byte: UInt8) throws(FilterError) -> [UInt8] {
    switch Unicode.Scalar(byte) {
    case "n": return [0x0A]
    case "t": return [0x09]
    case "r": return [0x0D]
    case "b": return [0x08]
    case "f": return [0x0C]
    case "\\", "/", "\"", "'": return [byte]
    case "u":
      let digits = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: Unicode.UTF8.self)
      guard digits.utf8.count == 4, let number = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(number)
      else { throw fail("'\\u' needs four hexadecimal digits", at - 2..<at + digits.utf8.count) }
      at += 4
      return Array(String(scalar).utf8)
    default:
      throw fail("'\\\(Unicode.Scalar(byte))' is no escape; in r\"…\" there are none", at - 2..<at)
    }
  }

  /// An unquoted value, up to a space, a parenthesis, a comma, a quote or an operator.
  mutating func takeBare() -> (text: String, place: Range<Int>) {
    let start = at
    let isWord = next.map { Self.isLetter($0) || $0 == UInt8(ascii: "/") } ?? false
    while let byte = next, Self.isBare(byte) {
      // In a set, two dots are a range, except within a URI.
      if !isWord && byte == UInt8(ascii: "."), self.byte(1) == UInt8(ascii: ".") { break }
      at += 1
    }
    return (String(decoding: bytes[start..<at], as: Unicode.UTF8.self), start..<at)
  }

  private static let bareSigns = Array("_.-:/@*+[]%$#?\\".utf8)

  private static func isBare(_ byte: UInt8) -> Bool { isNamePart(byte) || bareSigns.contains(byte) }
}
