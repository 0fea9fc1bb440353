// SPDX-License-Identifier: Apache-2.0

/// RFC 4648 §4, with padding.
public enum Base64 {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  public static func append(_ bytes: RawSpan, to text: inout TextBuffer) {
    for at in stride(from: 0, to: bytes.byteCount, by: 3) {
      let digits = digits(bytes, at)
      for place in 0..<4 {
        text.append(byte: UInt8(truncatingIfNeeded: digits >> (24 - place * 8)))
      }
    }
  }

  /// Appends bytes as the JSON that stands for them in every output, `{"base64":"…"}`.
  public static func appendObject(_ bytes: RawSpan, to text: inout TextBuffer) {
    text.append(#"{"base64":""#)
    append(bytes, to: &text)
    text.append("\"}")
  }

  /// The four digits of the three bytes at an offset, or of fewer at the end, the first in the
  /// highest bits.
  @inline(__always)
  private static func digits(_ bytes: RawSpan, _ at: Int) -> UInt32 {
    let letters = unsafe alphabet.utf8Start
    let left = bytes.byteCount &- at
    let first = UInt32(bytes.byte(at: at))
    let second = left > 1 ? UInt32(bytes.byte(at: at &+ 1)) : 0
    let third = left > 2 ? UInt32(bytes.byte(at: at &+ 2)) : 0
    let group = first << 16 | second << 8 | third
    var digits = UInt32(unsafe letters[Int(group >> 18)])
    digits = digits << 8 | UInt32(unsafe letters[Int(group >> 12 & 63)])
    digits = digits << 8 | (left > 1 ? UInt32(unsafe letters[Int(group >> 6 & 63)]) : 0x3D)
    return digits << 8 | (left > 2 ? UInt32(unsafe letters[Int(group & 63)]) : 0x3D)
  }

  /// Decodes a text, padded or not; skips line ends and blanks.
  ///
  /// - Returns: the offset of the first invalid character; nil when there is none.
  public static func decode(_ text: RawSpan, into octets: inout Scratch) -> Int? {
    var bits: UInt32 = 0
    var count = 0
    var hasEnded = false
    for at in 0..<text.byteCount {
      let value: UInt32
      switch text.byte(at: at) {
      case let byte where byte &- 0x41 < 26: value = UInt32(byte &- 0x41)
      case let byte where byte &- 0x61 < 26: value = UInt32(byte &- 0x61 &+ 26)
      case let byte where byte.isDigit: value = UInt32(byte &- 0x30 &+ 52)
      case UInt8(ascii: "+"): value = 62
      case .slash: value = 63
      case UInt8(ascii: "="):
        hasEnded = true
        continue
      case .lineFeed, .carriageReturn, .space: continue
      default: return at
      }
      if hasEnded { return at }
      bits = bits << 6 | value
      count &+= 1
      if count & 3 == 0 {
        octets.append(UInt8(truncatingIfNeeded: bits >> 16))
        octets.append(UInt8(truncatingIfNeeded: bits >> 8))
        octets.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    switch count & 3 {
    case 1: return text.byteCount
    case 2: octets.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      octets.append(UInt8(truncatingIfNeeded: bits >> 10))
      octets.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: break
    }
    return nil
  }

  /// Whether a text is the padded base64 of bytes.
  public static func isEncoded(_ bytes: RawSpan, as text: RawSpan) -> Bool {
    guard text.byteCount == (bytes.byteCount + 2) / 3 * 4 else { return false }
    return stride(from: 0, to: bytes.byteCount, by: 3).allSatisfy {
      text.uint32(at: $0 / 3 * 4) == digits(bytes, $0)
    }
  }

  /// The base64 text as an array, for short values such as the accept key of RFC 6455.
  public static func encoded(_ bytes: RawSpan) -> [UInt8] {
    var text = TextBuffer(capacity: bytes.byteCount * 2 + 4)
    append(bytes, to: &text)
    return text.bytes.copied()
  }
}
