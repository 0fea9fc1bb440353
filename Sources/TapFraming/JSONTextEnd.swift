// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Finds the end of a JSON text by counting brackets, and continues where it stopped when more
/// bytes have come.
struct JSONTextEnd {
  enum End {
    /// The offset after the bracket that closes the first one.
    case bracket(Int)
    /// The offset after a line end within a string, where none is allowed (RFC 8259 §7): the text
    /// is broken.
    case lineEnd(Int)
  }

  private var brackets = BracketCount()
  /// How far the bytes were scanned.
  private(set) var scanned = 0
  /// The offset after the closing bracket, once it was found.
  private var closed: Int?
  /// The text has line ends in it.
  private(set) var hasLineEnd = false

  /// Nil when the end has not come yet.
  mutating func find(in bytes: RawSpan, from start: Int) -> End? {
    if let closed { return .bracket(closed) }
    var at = max(start, scanned)
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      at += 1
      if byte == .lineFeed { hasLineEnd = true }
      if brackets.take(byte) {
        (closed, scanned) = (at, at)
        return .bracket(at)
      }
      if byte == .lineFeed && brackets.isInString {
        scanned = at
        return .lineEnd(at)
      }
    }
    scanned = at
    return nil
  }

  mutating func removed(_ count: Int) {
    scanned = max(0, scanned - count)
    closed = closed.map { $0 - count }
  }
}
