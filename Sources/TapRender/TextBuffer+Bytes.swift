// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension TextBuffer {
  /// Appends a payload that is not shown as it stands in the message.
  ///
  /// Answers true when it is printable ASCII, of which each byte takes one column.
  @discardableResult
  mutating func append(rewritten part: RawSpan, _ traits: Message.Traits) -> Bool {
    if !traits.contains(.isBytes) { return append(unquoting: part) }
    append(bytesOf: part)
    return false
  }

  /// Appends the bytes that a JSON value stands for, `{"base64":"…"}` or a string: `<3 bytes
  /// 010203>`, of many the first; or the token that was put in their place. A number stands for
  /// bytes that a log does not have: `<3 bytes, not in this log>`.
  mutating func append(bytesOf value: RawSpan) {
    guard value.byteCount >= 13, value.starts(with: #"{"base64":""#) else {
      if let count = JSON.natural(value, ByteRange(0, value.byteCount)) {
        append("<")
        append(grouped: count)
        append(count == 1 ? " byte, not in this log>" : " bytes, not in this log>")
      } else if value.byteCount < 2 || value.byte(at: 0) != 0x22 {
        append(escaping: value)
      } else {
        let bytes = JSON.unescaped(value.extracting(1..<value.byteCount - 1))
        append(bytes: bytes.span.bytes, of: bytes.count)
      }
      return
    }
    let digits = value.extracting(11..<value.byteCount - 2)
    var bytes = Scratch()
    guard Base64.decode(digits.extracting(0..<min(digits.byteCount, 44)), into: &bytes) == nil
    else {
      append(escaping: digits)
      return
    }
    var size = digits.byteCount / 4 * 3
    for at in 1...2 where digits.byteCount > 2 {
      if digits.byte(at: digits.byteCount - at) == 0x3D { size -= 1 }
    }
    append(bytes: bytes.bytes, of: size)
  }

  mutating func append(bytes: RawSpan, of size: Int) {
    append("<")
    append(grouped: UInt64(size))
    append(size == 1 ? " byte " : " bytes ")
    for at in 0..<min(bytes.byteCount, 32) { append(hex: bytes.byte(at: at)) }
    append(size > 32 ? "…>" : ">")
  }
}

extension Message.Traits {
  /// The payload is not shown as it stands in the message.
  var isRewritten: Bool { !isDisjoint(with: [.isQuoted, .isBytes]) }
}
