// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Cookies are secrets, whatever they are called: `Set-Cookie: theme=x1; sid=abc`,
/// `<RequestsCookieJar[<Cookie sid=abc for localhost/>]>`.
extension LogConnectionKeys {
  private static let cookie: StaticString = "cookie"

  /// Whether a word speaks of cookies: what follows it on its line names no connection.
  static func introducesCookies(_ text: RawSpan, _ word: Range<Int>) -> Bool {
    let length = cookie.utf8CodeUnitCount
    guard word.count >= length else { return false }
    return (word.lowerBound...word.upperBound - length).contains {
      text.extracting($0..<$0 + length).equals(lowered: cookie)
    }
  }
}
