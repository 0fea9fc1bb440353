// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// A list in the text of a string, or of a string in a string, as records of JSON have it:
/// `"msg":"sent [32,1,{},\"com.example.topic\"]"`. Its own quotes show how often it was escaped.
struct EscapedList {
  /// Behind the list, or where its string ends.
  let end: Int
  /// The string ends before the list does.
  let isCut: Bool

  /// A record in a record in a record: no log goes further.
  private static let deepest = 4
  /// What has to be looked at: backslashes, and the quotes of all languages.
  private static let marks: UInt64 = 0x5C22_2760_5C22_2760
  /// What may end a string, and what lists and objects are made of besides.
  private static let quotations: UInt64 = 0x5C22_5C22_5C22_5C22
  private static let brackets: UInt64 = 0x5C22_5C22_5B5D_7B7D
  /// Bytes that are searched for the first quote.
  private static let furthest = 4096

  /// Nil when it does not end on the line, in one way or the other.
  ///
  /// - Parameters:
  ///   - start: of the list.
  ///   - depth: how many strings it is inside of.
  ///   - text: becomes the list as it was before it was escaped; where the string ends first, what
  ///     there is of it.
  ///   - inner: a buffer for use meanwhile.
  init?(
    _ line: RawSpan, _ start: Int, depth: Int, into text: inout Scratch, _ inner: inout Scratch
  ) {
    guard depth > 0, let found = Self.end(line, start, depth: depth) else { return nil }
    (end, isCut) = (found.end, found.isCut)
    let list = line.extracting(start..<end)
    guard Escape.unescape(list, 0, until: 0, isBytes: false, into: &text) != nil else {
      return nil
    }
    for _ in 1..<depth {
      inner.removeAll()
      guard
        Escape.unescape(text.bytes, 0, until: 0, isBytes: false, into: &inner) != nil
      else { return nil }
      swap(&text, &inner)
    }
  }

  /// How many strings it is inside of: a quote has 1, 3, 7 or 15 backslashes before it then, the
  /// letter of any other escape 1, 2, 4 or 8. Behind another quotation mark the list is one of
  /// another language, and escapes are those of its strings.
  ///
  /// - Parameter isInLiteral: the innermost of them is one of another language, which does not
  ///   count, and in which quotes need no backslash.
  static func depth(_ line: RawSpan, _ start: Int, isInLiteral: Bool = false) -> Int {
    let end = min(line.byteCount, start + furthest)
    let first = line.extracting(0..<end).firstIndex(ofAny: marks, from: start)
    let at = line.behind(first, to: end) { $0 == .backslash }
    guard at < end, at > first, !isDoubled(line, at) else { return 0 }
    let count = line.byte(at: at) == .quote ? at - first + 1 : (at - first) * (isInLiteral ? 1 : 2)
    guard count.nonzeroBitCount == 1, count <= 1 << deepest else { return 0 }
    return count.trailingZeroBitCount
  }

  /// Whether a quote is one of a field of CSV, which doubles those of the record in it: `\""a\""`.
  private static func isDoubled(_ line: RawSpan, _ quote: Int) -> Bool {
    guard quote + 2 < line.byteCount, line.byte(at: quote) == .quote,
      line.byte(at: quote + 1) == .quote
    else { return false }
    let next = line.byte(at: quote + 2)
    return next != .comma && next != .closeBrace && next != .closeBracket
  }

  /// Where its brackets close, or its string; nil when neither does on this line.
  private static func end(
    _ line: RawSpan, _ start: Int, depth: Int
  ) -> (end: Int, isCut: Bool)? {
    var open = 0
    var isInString = false
    var at = start
    while true {
      at = line.firstIndex(ofAny: isInString ? quotations : brackets, from: at)
      if at >= line.byteCount { break }
      let byte = line.byte(at: at)
      if byte == .backslash || byte == .quote {
        let first = at
        while at < line.byteCount, line.byte(at: at) == .backslash { at += 1 }
        guard at < line.byteCount, line.byte(at: at) == .quote else { continue }
        var slashes = at - first
        for _ in 0..<depth {
          // A quote that is not escaped here ends the string around.
          if slashes & 1 == 0 { return (first, true) }
          slashes >>= 1
        }
        if slashes & 1 == 0 { isInString.toggle() }
      } else if !isInString {
        if byte == .openBracket || byte == .openBrace { open += 1 }
        if byte == .closeBracket || byte == .closeBrace { open -= 1 }
        if open == 0 { return (at + 1, false) }
      }
      at += 1
    }
    return nil
  }
}
