// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where in the source of a program a line was logged: `protocol.py:755`.
enum SourcePlace {
  /// Digits of a line's number, and bytes of a file's name.
  private static let mostDigits = 6
  private static let longest = 64

  /// Where the one begins that ends there; nil for none.
  static func start(_ text: RawSpan, endingAt end: Int) -> Int? {
    var at = end
    while at > 0, end - at < mostDigits, text.byte(at: at - 1).isDigit { at -= 1 }
    let suffix = at - 4
    guard at < end, suffix > 0, text.dropping(suffix).starts(with: ".py:") else { return nil }
    at = suffix
    while at > 0, suffix - at < longest, isOfName(text.byte(at: at - 1)) { at -= 1 }
    return at < suffix ? at : nil
  }

  /// Whether a text is one, and nothing else but the colon that ends it.
  static func isAll(of text: RawSpan) -> Bool {
    let last = text.byteCount - 1
    let end = last > 0 && text.byte(at: last) == .colon ? last : text.byteCount
    return start(text, endingAt: end) == 0
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isWord || byte == .hyphen || byte == .period
  }
}
