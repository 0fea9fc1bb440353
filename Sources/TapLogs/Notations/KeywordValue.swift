// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The value of `key=value`, where strings may stand without quotes.
enum KeywordValue {
  /// The value as JSON, empty for `None`, and the offset behind it. What is not printed of it, or
  /// is not understood, is `…`.
  static func read(
    _ line: RawSpan, _ start: Int
  ) -> (json: [UInt8], end: Int, isAbridged: Bool) {
    let end = end(line, start)
    let last = line.beforeBlanks(end, from: start)
    let text = line.extracting(start..<last)
    if text.equals("None") || text.isEmpty { return ([], end, false) }
    var reader = LiteralReader(maximumDepth: 64)
    let first = text.byte(at: 0)
    let mayBeLiteral =
      [.openBracket, .openBrace, UInt8(ascii: "("), .quote, .apostrophe, .hyphen].contains(first)
      || first.isDigit
      || text.equals("True") || text.equals("False")
    if mayBeLiteral, reader.read(text, from: 0) == text.byteCount {
      return (reader.json.bytes.copied(), end, reader.isAbridged || reader.isChanged)
    }
    if isObject(text) { return (Array("\"…\"".utf8), end, true) }
    // `<com.example.topic>` is how some print strings.
    let isAngled =
      text.byteCount > 2 && first == UInt8(ascii: "<")
      && text.byte(at: text.byteCount - 1) == UInt8(ascii: ">")
    let string = isAngled ? text.extracting(1..<text.byteCount - 1) : text
    return (LiteralString.quoted(string), end, false)
  }

  /// Whether it is what Python prints of an object: `<a.B object at 0x7f3a>`, `B(c=1)`; or a
  /// collection that could not be read.
  private static func isObject(_ text: RawSpan) -> Bool {
    let first = text.byte(at: 0)
    if first == .openBracket || first == .openBrace || first == UInt8(ascii: "(") { return true }
    if first == UInt8(ascii: "<") { return text.firstIndex(of: .space) != nil }
    let at = text.behind(0) { $0.isOfIdentifier }
    return at > 0 && at < text.byteCount && text.byte(at: at) == UInt8(ascii: "(")
      && text.byte(at: text.byteCount - 1) == UInt8(ascii: ")")
  }

  /// Where the value ends: before a comma that the next key follows, or the closing parenthesis.
  private static func end(_ line: RawSpan, _ start: Int) -> Int {
    var depth = 0
    var quote: UInt8 = 0
    var at = start
    while at < line.byteCount {
      let byte = line.byte(at: at)
      if quote != 0 {
        if byte == .backslash { at += 1 } else if byte == quote { quote = 0 }
      } else {
        switch byte {
        case .quote, .apostrophe: quote = byte
        case .openBracket, .openBrace, UInt8(ascii: "("): depth += 1
        case .closeBracket, .closeBrace: depth -= 1
        case UInt8(ascii: ")"):
          if depth == 0 { return at }
          depth -= 1
        case .comma: if depth == 0 && isKey(line, at + 1) { return at }
        default: break
        }
      }
      at += 1
    }
    return min(at, line.byteCount)
  }

  private static func isKey(_ line: RawSpan, _ start: Int) -> Bool {
    let begin = line.behindSpace(start)
    var at = line.behind(begin) { $0 == UInt8(ascii: "_") || $0.isAlpha }
    if at == begin { return false }
    if at < line.byteCount, line.byte(at: at) == .space { at += 1 }
    return at < line.byteCount && line.byte(at: at) == UInt8(ascii: "=")
  }
}
