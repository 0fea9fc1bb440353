// SPDX-License-Identifier: Apache-2.0
internal import CLanes

/// Writes text from the wire as an equivalent JSON string.
///
/// Unlike `TextBuffer.append(jsonString:)` its result is not safe to show: control characters that
/// JSON allows (DEL, C1, bidirectional ones) are unchanged, for a renderer to escape, and text that
/// is not UTF-8 is refused instead of replaced.
public enum JSONString {
  /// Appends the text in quotes. Returns nil, or the offset of the first byte that is not UTF-8,
  /// and then appends nothing.
  @discardableResult
  public static func append(_ bytes: RawSpan, to text: inout TextBuffer) -> Int? {
    appendPlain(bytes, to: &text) ? nil : appendOdd(bytes, to: &text)
  }

  /// Appends text in quotes if it is printable ASCII that needs no escape; otherwise appends
  /// nothing and returns false.
  @inlinable @inline(__always)
  public static func appendPlain(_ bytes: RawSpan, to text: inout TextBuffer) -> Bool {
    let length = bytes.byteCount
    text.reserve(length &+ 10)
    unsafe text.base[text.used] = 0x22
    let start = unsafe text.base + text.used + 1
    if length > 0 {
      unsafe bytes.withUnsafeBytes { unsafe TextBuffer.copy($0.baseAddress!, start, length) }
    }
    if length >= 16 {
      if !Self.isLongPlain(bytes) { return false }
    } else if unsafe !Self.isShortPlain(UnsafeRawPointer(start), length) {
      return false
    }
    unsafe start[length] = 0x22
    text.used &+= length &+ 2
    return true
  }

  @inlinable @inline(__always)
  static func isLongPlain(_ bytes: RawSpan) -> Bool {
    let last = bytes.byteCount &- 16
    var at = 0
    while at < last {
      if bytes.unplainLanes(unchecked: at) != 0 { return false }
      at &+= 16
    }
    // The rest; it may overlap the bytes before.
    return bytes.unplainLanes(unchecked: last) == 0
  }

  /// For fewer than sixteen bytes, with room for a word after them.
  @inlinable @inline(__always)
  static func isShortPlain(_ start: UnsafeRawPointer, _ length: Int) -> Bool {
    let first = unsafe start.loadUnaligned(as: UInt64.self).littleEndian
    if length >= 8 {
      let last = unsafe start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
      return isPlainWord(first) && isPlainWord(last.littleEndian)
    }
    // Pad with spaces.
    let there: UInt64 = (1 &<< UInt64(length &* 8)) &- 1
    return isPlainWord(first & there | 0x2020_2020_2020_2020 & ~there)
  }

  @inlinable @inline(__always)
  static func isPlainWord(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let found =
      ((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones)
      | ((word ^ ones &* 0x7F) &- ones)
    return (found | (word &- ones &* 0x20) | word) & 0x8080_8080_8080_8080 == 0
  }

  /// Text that needs escapes or is not ASCII.
  @inline(never)
  private static func appendOdd(_ bytes: RawSpan, to text: inout TextBuffer) -> Int? {
    if let invalid = UTF8.firstInvalid(in: bytes) { return invalid }
    text.append(byte: .quote)
    var at = 0
    while at < bytes.byteCount {
      let length = copyNext(bytes, from: at, to: &text)
      let odd = unsafe lanes_quotable(text.base + text.used) & (1 &<< UInt32(length) &- 1)
      let clean = odd == 0 ? length : odd.trailingZeroBitCount
      text.used &+= clean
      at &+= clean
      if odd == 0 { continue }
      appendEscape(of: bytes.byte(at: at), to: &text)
      at &+= 1
    }
    text.append(byte: .quote)
    return nil
  }

  /// Copies the next sixteen bytes, or as many as there are, after the end of the text, without
  /// extending it; there must be room for sixteen. Returns how many.
  @inline(__always)
  private static func copyNext(
    _ bytes: RawSpan, from start: Int, to text: inout TextBuffer
  ) -> Int {
    text.reserve(16)
    let length = min(16, bytes.byteCount &- start)
    unsafe bytes.withUnsafeBytes {
      unsafe lanes_copy(text.base + text.used, $0.baseAddress.unsafelyUnwrapped + start, length)
    }
    return length
  }

  /// Appends the content of a JSON string as text of a plain field, as long as it is printable
  /// ASCII with no escapes but `\"`, `\/`, `\\` and those that plain fields use too. Returns where
  /// it stopped.
  public static func unquotePlain(_ content: RawSpan, to text: inout TextBuffer) -> Int {
    var at = 0
    while at < content.byteCount {
      let length = copyNext(content, from: at, to: &text)
      let odd =
        unsafe (lanes_unprintable(text.base + text.used) | lanes_equal(text.base + text.used, 0x5C))
        & (1 &<< UInt32(length) &- 1)
      let clean = odd == 0 ? length : odd.trailingZeroBitCount
      text.used &+= clean
      at &+= clean
      if odd == 0 { continue }
      guard at &+ 1 < content.byteCount, content.byte(at: at) == .backslash else { return at }
      let letter = content.byte(at: at &+ 1)
      switch letter {
      case .quote, .slash, .backslash: text.append(byte: letter)
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        text.append(byte: .backslash)
        text.append(byte: letter)
      default: return at
      }
      at &+= 2
    }
    return at
  }

  /// RFC 8259 §7; uses the short escapes if they exist.
  private static func appendEscape(of byte: UInt8, to text: inout TextBuffer) {
    text.append(byte: .backslash)
    switch byte {
    case .quote, .backslash: text.append(byte: byte)
    case 0x08: text.append(byte: UInt8(ascii: "b"))
    case .tab: text.append(byte: UInt8(ascii: "t"))
    case .lineFeed: text.append(byte: UInt8(ascii: "n"))
    case 0x0C: text.append(byte: UInt8(ascii: "f"))
    case .carriageReturn: text.append(byte: UInt8(ascii: "r"))
    default:
      text.append("u00")
      text.append(hex: byte)
    }
  }
}

extension RawSpan {
  /// The offset after the JSON string that begins at `start`; the count when it does not end.
  public func endOfString(_ start: Int) -> Int {
    var from = start &+ 1
    while let quote = firstIndex(of: .quote, from: from) {
      // The quote is escaped if an odd number of backslashes precedes it.
      var first = quote
      while first > from, byte(at: first &- 1) == .backslash { first &-= 1 }
      if (quote &- first) & 1 == 0 { return quote &+ 1 }
      from = quote &+ 1
    }
    return byteCount
  }
}
