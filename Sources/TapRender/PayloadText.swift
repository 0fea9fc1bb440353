// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Prints payloads that are not shown as they stand in the message: text without its quotes, bytes
/// as hexadecimal.
enum PayloadText {
  /// Appends a payload that is not shown as it stands in the message.
  ///
  /// Answers true when it is printable ASCII: each byte takes one column.
  @discardableResult
  static func append(
    rewritten part: RawSpan, _ traits: Message.Traits, to text: inout TextBuffer
  ) -> Bool {
    if !traits.contains(.isBytes) { return UnquotedText.append(part, to: &text) }
    append(bytesOf: part, to: &text)
    return false
  }

  /// Appends the bytes that a JSON value stands for, `{"base64":"…"}` or a string: `<3 bytes
  /// 010203>`, of many the first; or the token that was put in their place. A number stands for
  /// bytes that a log does not have: `<3 bytes, not in this log>`.
  static func append(bytesOf value: RawSpan, to text: inout TextBuffer) {
    guard value.byteCount >= 13, value.starts(with: #"{"base64":""#) else {
      if let count = JSON.natural(value, ByteRange(0, value.byteCount)) {
        text.append("<")
        text.append(grouped: count)
        text.append(count == 1 ? " byte, not in this log>" : " bytes, not in this log>")
      } else if value.byteCount < 2 || value.byte(at: 0) != .quote {
        text.append(escaping: value)
      } else {
        let bytes = JSON.unescaped(value.extracting(1..<value.byteCount - 1))
        append(bytes.span.bytes, of: bytes.count, to: &text)
      }
      return
    }
    let digits = value.extracting(11..<value.byteCount - 2)
    var bytes = Scratch()
    guard Base64.decode(digits.extracting(0..<min(digits.byteCount, 44)), into: &bytes) == nil
    else {
      text.append(escaping: digits)
      return
    }
    var size = digits.byteCount / 4 * 3
    for at in 1...2 where digits.byteCount > 2 {
      if digits.byte(at: digits.byteCount - at) == UInt8(ascii: "=") { size -= 1 }
    }
    append(bytes.bytes, of: size, to: &text)
  }

  static func append(_ bytes: RawSpan, of size: Int, to text: inout TextBuffer) {
    text.append("<")
    text.append(grouped: UInt64(size))
    text.append(size == 1 ? " byte " : " bytes ")
    for at in 0..<min(bytes.byteCount, 32) { text.append(hex: bytes.byte(at: at)) }
    text.append(size > 32 ? "…>" : ">")
  }
}

extension Message.Traits {
  /// The payload is not shown as it stands in the message.
  var isRewritten: Bool { !isDisjoint(with: [.isQuoted, .isBytes]) }
}
