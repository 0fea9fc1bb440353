// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether a text ends inside of a string of a list that may be a message: what stands there was
/// sent, and is nothing that a terminal or a logger has added. The text grows between the
/// questions.
struct OpenString {
  /// Bytes before the end in which a list may still begin that was looked for before.
  private static let near = 64

  /// Behind what was looked at.
  private var at = 0
  private var depth = 0
  /// The quote that ends the string; 0 outside.
  private var quote: UInt8 = 0

  mutating func isOpen(_ text: RawSpan) -> Bool {
    while true {
      if depth == 0 {
        guard let start = ListStart.next(text, from: at) else {
          at = max(at, text.byteCount - Self.near)
          return false
        }
        (at, depth) = (start + 1, 1)
      }
      advance(text)
      if at >= text.byteCount { return quote != 0 }
    }
  }

  /// To the end of the text, or of the list.
  private mutating func advance(_ text: RawSpan) {
    while at < text.byteCount, depth > 0 {
      let byte = text.byte(at: at)
      at += 1
      if quote != 0 {
        if byte == 0x5C { at += 1 } else if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27, 0x60: quote = byte
      case 0x5B, 0x7B: depth += 1
      case 0x5D, 0x7D: depth -= 1
      default: break
      }
    }
  }
}
