// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The place in a program's source that logged a line: `protocol.py:755`.
enum SourceLocation {
  /// The limits of a line number in digits, and of a file name in bytes.
  private static let mostDigits = 6
  private static let longest = 64

  /// Where the location begins that ends at `end`; nil for none.
  static func start(_ text: RawSpan, endingAt end: Int) -> Int? {
    var at = end
    while at > 0, end - at < mostDigits, text.byte(at: at - 1).isDigit { at -= 1 }
    let suffix = at - 4
    guard at < end, suffix > 0, text.dropping(suffix).starts(with: ".py:") else { return nil }
    at = suffix
    while at > 0, suffix - at < longest, isOfName(text.byte(at: at - 1)) { at -= 1 }
    return at < suffix ? at : nil
  }

  /// Whether a text is a location and nothing else, apart from a colon at its end.
  static func isAll(of text: RawSpan) -> Bool {
    let last = text.byteCount - 1
    let end = last > 0 && text.byte(at: last) == .colon ? last : text.byteCount
    return start(text, endingAt: end) == 0
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isWord || byte == .hyphen || byte == .period
  }
}
