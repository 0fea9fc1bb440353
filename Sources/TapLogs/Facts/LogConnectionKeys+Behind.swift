// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What stands behind a message: `msg="…" session=12`, `… (conn=7)`,
/// `… from StandardWebSocketSession[id=a1b2, uri=…]`.
extension LogConnectionKeys {
  /// Bytes behind a message that are looked at.
  private static let furthestBehind = 192

  /// The key and its value; nil where there is none, or where another message comes first.
  static func connection(
    _ line: RawSpan, behind end: Int, _ writers: inout LogWriters
  ) -> String? {
    let last = min(line.byteCount, end + furthestBehind)
    var at = end
    while at < last {
      let byte = line.byte(at: at)
      if byte == .openBrace || byte == .openBracket && ListStart.isStart(line, at) { return nil }
      at += 1
      guard byte == UInt8(ascii: "="), let name = name(line, before: at - 1, from: end) else {
        continue
      }
      let start = line.behind(at) { $0.isQuoting }
      let value =
        start..<line.behind(start, to: min(line.byteCount, start + longest)) {
          isValue($0)
        }
      if value.contains(where: { line.byte(at: $0).isDigit }) {
        return writers.text(name, line.extracting(value))
      }
    }
    return nil
  }

  /// The name of the key that ends there: a word by itself, or the `id` of what is called one.
  private static func name(_ line: RawSpan, before end: Int, from begin: Int) -> StaticString? {
    let start = line.before(end, from: begin) { isOfKey($0) }
    guard start < end, start > begin else { return nil }
    let opening = line.byte(at: start - 1)
    let word = start..<end
    if opening == .openBracket || opening == UInt8(ascii: "("), line.extracting(word).equals("id") {
      let letters = line.before(start - 1, from: begin) { $0.isAlpha }
      let last = line.before(start - 1, from: letters) { !$0.isUppercase }
      return name(line, max(letters, last - 1)..<start - 1)
    }
    return opening.isAlpha || opening == UInt8(ascii: "?") || opening == UInt8(ascii: "&")
      || opening.isDigit ? nil : name(line, word)
  }
}
