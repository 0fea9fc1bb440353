// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What stands behind a message: `msg="…" session=12`, `… (conn=7)`,
/// `… from StandardWebSocketSession[id=a1b2, uri=…]`.
extension LogConnectionKeys {
  /// Bytes behind a message that are looked at.
  private static let furthestBehind = 192

  /// Whether a key may stand there: most messages end their line.
  @inline(__always)
  static func mayStand(_ line: RawSpan, behind end: Int) -> Bool {
    end < line.byteCount
      && line.extracting(end..<min(line.byteCount, end + furthestBehind))
        .firstIndex(of: UInt8(ascii: "=")) != nil
  }

  /// The key and its value; nil where there is none, or where another message comes first.
  static func connection(
    _ line: RawSpan, behind end: Int, _ writers: inout LogWriters
  ) -> String? {
    let last = min(line.byteCount, end + furthestBehind)
    var at = end
    while at < last {
      let byte = line.byte(at: at)
      if byte == .openBrace || byte == .openBracket && ListStart.isStart(line, at) { return nil }
      guard isOfKey(byte) else {
        at += 1
        continue
      }
      let word = at..<line.behind(at) { isOfKey($0) }
      if introducesCookies(line, word) { return nil }
      at = word.upperBound
      if let name = name(line, word, behind: end), let value = value(line, behind: at) {
        return writers.text(name, line.extracting(value))
      }
    }
    return nil
  }

  /// What a word names by itself, or the `id` of what is called so. The end of a longer name is
  /// none, nor is a part of a URL.
  private static func name(
    _ line: RawSpan, _ word: Range<Int>, behind begin: Int
  ) -> StaticString? {
    guard word.lowerBound > begin else { return nil }
    let opening = line.byte(at: word.lowerBound - 1)
    switch opening {
    case .openBracket, UInt8(ascii: "("):
      guard line.extracting(word).equals("id") else { return name(line, word) }
      let end = word.lowerBound - 1
      let letters = line.before(end, from: begin) { $0.isAlpha }
      let last = line.before(end, from: letters) { !$0.isUppercase }
      return name(line, max(letters, last - 1)..<end)
    case .space, .tab, .comma, .quote, .apostrophe, UInt8(ascii: "|"): return name(line, word)
    default: return nil
    }
  }

  /// The id behind the sign that follows a name: not a number that counts or measures something,
  /// `socket=1 of 4`, `conn=1ms`.
  private static func value(_ line: RawSpan, behind name: Int) -> Range<Int>? {
    guard name < line.byteCount, line.byte(at: name) == UInt8(ascii: "=") else { return nil }
    // Java has a slash before an address.
    let start = line.behind(name + 1) { $0.isQuoting || $0 == .slash }
    let last = line.behind(start, to: start + longest) { isValue($0) }
    let end = line.before(last, from: start) { $0 == .period || $0 == .colon }
    let (id, rest) = (line.extracting(start..<end), line.dropping(last))
    let counts = [" of ", "/", "%"] as [StaticString]
    if id.behindDigits(0) == id.byteCount, counts.contains(where: { rest.starts(with: $0) }) {
      return nil
    }
    let hasDigit = (start..<end).contains { line.byte(at: $0).isDigit }
    return hasDigit && !isMeasured(id) && !rest.starts(with: "µ") ? start..<end : nil
  }

  /// Whether a number has a fraction or a unit, `0.5`, `3ms`. Letters that are digits of a
  /// hexadecimal id are no unit: `3b`.
  private static func isMeasured(_ text: RawSpan) -> Bool {
    var unit = text.behindDigits(0)
    if unit == 0 { return false }
    var hasFraction = false
    if unit < text.byteCount, text.byte(at: unit) == .period {
      let end = text.behindDigits(unit + 1)
      (hasFraction, unit) = (end > unit + 1, end)
    }
    if unit == text.byteCount { return hasFraction }
    return text.behind(unit) { $0.isAlpha } == text.byteCount
      && text.behind(unit) { $0.isHexDigit } < text.byteCount
  }
}
