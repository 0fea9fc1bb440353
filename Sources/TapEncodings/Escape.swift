// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What a backslash and the characters behind it stand for, in the strings of JSON, Python,
/// JavaScript, Swift, Rust, Perl and C.
public enum Escape {
  /// Appends what a string stands for whose content begins at `start`; answers the offset behind
  /// its end.
  ///
  /// - Parameters:
  ///   - quote: ends the string; 0 for the end of the line.
  ///   - isBytes: `\xff` is a byte, not a character.
  public static func unescape(
    _ bytes: RawSpan, _ start: Int, until quote: UInt8, isBytes: Bool, into content: inout Scratch
  ) -> Int? {
    var at = start
    var run = start
    let marks = UInt64(quote) &* 0x0101_0101_0100_0000 | 0x5C_0A5C
    while true {
      at = bytes.firstIndex(ofAny: marks, from: at)
      if at >= bytes.byteCount { break }
      let byte = bytes.byte(at: at)
      if byte == quote || byte == .lineFeed {
        // No string goes on in the next line.
        if byte == .lineFeed && quote != 0 && quote != UInt8(ascii: "`") { return nil }
        if byte == quote {
          content.append(bytes.extracting(run..<at))
          return at + 1
        }
      }
      guard byte == .backslash else {
        at += 1
        continue
      }
      content.append(bytes.extracting(run..<at))
      guard let end = read(bytes, at + 1, isBytes: isBytes, into: &content) else {
        return nil
      }
      (at, run) = (end, end)
    }
    content.append(bytes.extracting(run..<at))
    return quote == 0 ? at : nil
  }

  /// Appends what an escape stands for; `start` is behind the backslash. Answers the offset behind
  /// the escape, nil when it is cut off.
  private static func read(
    _ bytes: RawSpan, _ start: Int, isBytes: Bool, into content: inout Scratch
  ) -> Int? {
    guard start < bytes.byteCount else { return nil }
    let byte = bytes.byte(at: start)
    switch byte {
    case UInt8(ascii: "n"): content.append(.lineFeed)
    case UInt8(ascii: "r"): content.append(.carriageReturn)
    case UInt8(ascii: "t"): content.append(.tab)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "a"): content.append(0x07)
    case UInt8(ascii: "x"), UInt8(ascii: "0")...UInt8(ascii: "7"):
      if byte == UInt8(ascii: "x"), let (value, end) = braced(bytes, start + 1) {
        append(value, to: &content)
        return end
      }
      guard let (value, end) = octet(bytes, start) else {
        if byte == UInt8(ascii: "x") { return nil }
        content.append(byte == UInt8(ascii: "0") ? 0 : byte)
        break
      }
      if isBytes {
        content.append(value)
      } else if let end = octets(bytes, end, value, into: &content) {
        return end
      } else {
        append(Int(value), to: &content)
      }
      return end
    case UInt8(ascii: "u"):
      return unit(bytes, start + 1, into: &content)
    case UInt8(ascii: "U"):
      guard let value = bytes.hexNumber(at: start + 1, digits: 8) else { return nil }
      append(value, to: &content)
      return start + 9
    default: content.append(byte)
    }
    return start + 1
  }

  /// `xc3` or `303`, and the offset behind it: C and Perl escape bytes in octal.
  private static func octet(_ bytes: RawSpan, _ start: Int) -> (value: UInt8, end: Int)? {
    guard start + 3 <= bytes.byteCount else { return nil }
    if bytes.byte(at: start) == UInt8(ascii: "x") {
      return bytes.hexOctet(at: start + 1).map { ($0, start + 3) }
    }
    var value = 0
    for at in start..<start + 3 {
      let digit = bytes.byte(at: at) ^ UInt8(ascii: "0")
      guard digit < 8 else { return nil }
      value = value << 3 | Int(digit)
    }
    return value < 256 ? (UInt8(value), start + 3) : nil
  }

  /// `\xc3\xa9` or `\303\251`: a character whose bytes are escaped one by one, as Rust, Perl and C
  /// print strings. Answers nil where they make no character of UTF-8.
  private static func octets(
    _ bytes: RawSpan, _ start: Int, _ lead: UInt8, into content: inout Scratch
  ) -> Int? {
    guard lead >= 0xC2, lead < 0xF5 else { return nil }
    var character = Scratch()
    character.append(lead)
    var at = start
    for _ in 0..<(lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1) {
      guard at < bytes.byteCount, bytes.byte(at: at) == .backslash,
        let (value, end) = octet(bytes, at + 1)
      else { return nil }
      character.append(value)
      at = end
    }
    guard UTF8.firstInvalid(in: character.bytes) == nil else { return nil }
    content.append(character.bytes)
    return at
  }

  /// `\u00e9`, or two of them that are one character.
  private static func unit(_ bytes: RawSpan, _ start: Int, into content: inout Scratch) -> Int? {
    guard let high = bytes.hexNumber(at: start, digits: 4) else { return nil }
    if high & 0xFC00 == 0xD800, start + 10 <= bytes.byteCount,
      bytes.byte(at: start + 4) == .backslash, bytes.byte(at: start + 5) == UInt8(ascii: "u"),
      let low = bytes.hexNumber(at: start + 6, digits: 4), low & 0xFC00 == 0xDC00
    {
      append(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF, to: &content)
      return start + 10
    }
    append(high, to: &content)
    return start + 4
  }

  /// `\x{e9}`: a character, as Perl prints strings.
  private static func braced(_ bytes: RawSpan, _ open: Int) -> (value: Int, end: Int)? {
    guard open < bytes.byteCount, bytes.byte(at: open) == .openBrace else { return nil }
    let near = bytes.extracting(open + 1..<min(bytes.byteCount, open + 8))
    guard let count = near.firstIndex(of: .closeBrace), count > 0,
      let value = near.hexNumber(at: 0, digits: count)
    else { return nil }
    return (value, open + count + 2)
  }

  /// Half of a pair of surrogates, as `read` leaves it; nil where none stands.
  public static func half(_ content: RawSpan, _ at: Int) -> UInt16? {
    guard at + 2 < content.byteCount, content.byte(at: at) == 0xED,
      (0xA0...0xBF).contains(content.byte(at: at + 1)),
      (0x80...0xBF).contains(content.byte(at: at + 2))
    else { return nil }
    return 0xD000 | UInt16(content.byte(at: at + 1) & 0x3F) << 6
      | UInt16(content.byte(at: at + 2) & 0x3F)
  }

  /// Appends a character in UTF-8: half of a surrogate pair as if it were one, so that it is not
  /// lost, and what is no character as U+FFFD.
  private static func append(_ value: Int, to content: inout Scratch) {
    if value & ~0x7FF == 0xD800 {
      content.append(0xED)
      content.append(0x80 | UInt8(value >> 6 & 0x3F))
      return content.append(0x80 | UInt8(value & 0x3F))
    }
    let scalar = Unicode.Scalar(UInt32(value)) ?? "\u{FFFD}"
    for byte in String(Character(scalar)).utf8 { content.append(byte) }
  }
}
