// SPDX-License-Identifier: Apache-2.0

/// RFC 4648 §4, with padding.
public enum Base64 {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  public static func append(_ bytes: RawSpan, to text: inout TextBuffer) {
    let letters = unsafe alphabet.utf8Start
    var at = 0
    while at < bytes.byteCount {
      let left = bytes.byteCount &- at
      let first = UInt32(bytes.byte(at: at))
      let second = left > 1 ? UInt32(bytes.byte(at: at &+ 1)) : 0
      let third = left > 2 ? UInt32(bytes.byte(at: at &+ 2)) : 0
      let group = first << 16 | second << 8 | third
      text.append(byte: unsafe letters[Int(group >> 18)])
      text.append(byte: unsafe letters[Int(group >> 12 & 63)])
      text.append(byte: left > 1 ? unsafe letters[Int(group >> 6 & 63)] : 0x3D)
      text.append(byte: left > 2 ? unsafe letters[Int(group & 63)] : 0x3D)
      at &+= 3
    }
  }

  /// The text as an array, for short values such as the accept key of RFC 6455.
  public static func encoded(_ bytes: RawSpan) -> [UInt8] {
    var text = TextBuffer(capacity: bytes.byteCount * 2 + 4)
    append(bytes, to: &text)
    return text.bytes.copied()
  }
}
