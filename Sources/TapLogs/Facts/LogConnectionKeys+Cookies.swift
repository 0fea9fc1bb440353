// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Cookies are secrets, whatever they are called: `Set-Cookie: theme=x1; sid=abc`.
extension LogConnectionKeys {
  private static let cookies: [StaticString] = ["cookie", "cookies"]

  /// Whether a word introduces cookies: what follows it on its line names no connection.
  static func introducesCookies(_ text: RawSpan, _ word: Range<Int>) -> Bool {
    let name = text.extracting(word)
    let isCookie = cookies.contains {
      let start = name.byteCount - $0.utf8CodeUnitCount
      return start >= 0 && name.dropping(start).equals(lowered: $0)
    }
    if !isCookie { return false }
    let end = text.behind(word.upperBound) { $0.isQuoting || $0 == .space }
    return end < text.byteCount
      && (text.byte(at: end) == .colon || text.byte(at: end) == UInt8(ascii: "="))
  }
}
