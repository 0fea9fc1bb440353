// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Bytes that a program has printed as a string with escapes, `b'\x81\x0e…'`: frames of WebSocket,
/// which may be masked or compressed, and messages in binary serializers. Nothing shows where a
/// credential stands in them.
enum BytesInText {
  /// What stands between the quotes of such strings; of one that is not closed, all that follows.
  static func secrets(in text: RawSpan) -> [Range<Int>] {
    guard var escape = text.firstIndex(of: "\\x") else { return [] }
    var found: [Range<Int>] = []
    var first: Int?
    var at = 0
    while at < text.byteCount, escape < text.byteCount {
      let quote = text.byte(at: at)
      guard quote == .quote || quote == .apostrophe else {
        if at == escape {
          // An apostrophe of words was taken for a quote: where strings begin is not known.
          if let first { return [first..<text.byteCount] }
          escape = text.firstIndex(of: "\\x", from: at + 1) ?? text.byteCount
        }
        at += 1
        continue
      }
      at += 1
      first = first ?? at
      let end = end(text, quote, from: at)
      if escape < end {
        found.append(at..<end)
        escape = text.firstIndex(of: "\\x", from: end) ?? text.byteCount
      }
      at = end + 1
    }
    return found
  }

  /// Where the string ends that has begun behind that quote.
  private static func end(_ text: RawSpan, _ quote: UInt8, from start: Int) -> Int {
    var at = start
    while at < text.byteCount {
      if text.byte(at: at) == quote { return at }
      at += text.byte(at: at) == .backslash ? 2 : 1
    }
    return text.byteCount
  }
}
