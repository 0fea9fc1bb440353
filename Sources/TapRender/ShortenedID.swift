// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Prints the ends of an id that is too long to be read.
enum ShortenedID {
  /// `8582…0924`: the ends of a long number.
  static func append(_ number: UInt64, to text: inout TextBuffer) {
    var head = number
    while head > 9999 { head /= 10 }
    text.append(decimal: head)
    text.append("…")
    text.append(decimal: number % 10_000, width: 4)
  }

  /// `5b3f…91ac`: the ends of a long id, which is escaped.
  static func append(_ id: RawSpan, to text: inout TextBuffer) {
    let isPlain = !(0..<id.byteCount).contains { !(0x21...0x7E).contains(id.byte(at: $0)) }
    if !isPlain {
      text.append(escaping: id)
      return
    }
    text.append(escaping: id.extracting(0..<4))
    text.append("…")
    text.append(escaping: id.dropping(id.byteCount - 4))
  }
}
