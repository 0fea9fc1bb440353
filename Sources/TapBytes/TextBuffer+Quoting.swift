// SPDX-License-Identifier: Apache-2.0
internal import CLanes

/// Text from the wire as a JSON string that stands for exactly that text.
///
/// Unlike `append(jsonString:)` it is no output for people: controls that JSON allows (DEL, C1,
/// bidirectional ones) stay as they are, for a renderer to escape, and what is no UTF-8 is refused
/// instead of replaced.
extension TextBuffer {
  /// Appends the text in quotes. Answers nil, or the offset of the first byte that is no UTF-8,
  /// and then appends nothing.
  @discardableResult
  public mutating func append(quoting bytes: RawSpan) -> Int? {
    append(quotingPlain: bytes) ? nil : quoteOdd(bytes)
  }

  /// Appends text in quotes of which every byte is printable ASCII that stands for itself. False,
  /// with nothing appended, when it is any other.
  @inlinable @inline(__always)
  public mutating func append(quotingPlain bytes: RawSpan) -> Bool {
    let length = bytes.byteCount
    reserve(length &+ 10)
    unsafe base[used] = 0x22
    let start = unsafe base + used + 1
    if length > 0 {
      unsafe bytes.withUnsafeBytes { unsafe Self.copy($0.baseAddress!, start, length) }
    }
    if length >= 16 {
      if !Self.isLongPlain(bytes) { return false }
    } else if unsafe !Self.isShortPlain(UnsafeRawPointer(start), length) {
      return false
    }
    unsafe start[length] = 0x22
    used &+= length &+ 2
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
    // What is left, together with some bytes that were looked at.
    return bytes.unplainLanes(unchecked: last) == 0
  }

  /// Of fewer than sixteen bytes, behind which there is room for a word.
  @inlinable @inline(__always)
  static func isShortPlain(_ start: UnsafeRawPointer, _ length: Int) -> Bool {
    let first = unsafe start.loadUnaligned(as: UInt64.self).littleEndian
    if length >= 8 {
      let last = unsafe start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
      return isPlainWord(first) && isPlainWord(last.littleEndian)
    }
    // Spaces stand for what is not there.
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

  /// Text with something in it that has to be escaped, or is not ASCII.
  @inline(never)
  private mutating func quoteOdd(_ bytes: RawSpan) -> Int? {
    if let invalid = UTF8.firstInvalid(in: bytes) { return invalid }
    append(byte: 0x22)
    var at = 0
    while at < bytes.byteCount {
      let length = copyNext(bytes, from: at)
      let odd = unsafe lanes_quotable(base + used) & (1 &<< UInt32(length) &- 1)
      let clean = odd == 0 ? length : odd.trailingZeroBitCount
      used &+= clean
      at &+= clean
      if odd == 0 { continue }
      appendEscape(of: bytes.byte(at: at))
      at &+= 1
    }
    append(byte: 0x22)
    return nil
  }

  /// Writes the next sixteen bytes, or as many as there are, behind the end, where sixteen can be
  /// read. Answers how many; they do not belong to the text yet.
  @inline(__always)
  private mutating func copyNext(_ bytes: RawSpan, from start: Int) -> Int {
    reserve(16)
    let length = min(16, bytes.byteCount &- start)
    unsafe bytes.withUnsafeBytes {
      unsafe lanes_copy(base + used, $0.baseAddress.unsafelyUnwrapped + start, length)
    }
    return length
  }

  /// Appends what the content of a JSON string stands for, as text of a plain field, as far as it
  /// is printable ASCII and has no escapes but `\"`, `\/`, `\\` and those that a plain field has,
  /// too. Answers where it stopped.
  public mutating func append(unquotingPlain content: RawSpan) -> Int {
    var at = 0
    while at < content.byteCount {
      let length = copyNext(content, from: at)
      let odd =
        unsafe (lanes_unprintable(base + used) | lanes_equal(base + used, 0x5C))
        & (1 &<< UInt32(length) &- 1)
      let clean = odd == 0 ? length : odd.trailingZeroBitCount
      used &+= clean
      at &+= clean
      if odd == 0 { continue }
      guard at &+ 1 < content.byteCount, content.byte(at: at) == 0x5C else { return at }
      let letter = content.byte(at: at &+ 1)
      switch letter {
      case 0x22, 0x2F, 0x5C: append(byte: letter)
      case 0x6E, 0x72, 0x74:
        append(byte: 0x5C)
        append(byte: letter)
      default: return at
      }
      at &+= 2
    }
    return at
  }

  /// RFC 8259 §7: the short escapes where there are such.
  private mutating func appendEscape(of byte: UInt8) {
    append(byte: 0x5C)
    switch byte {
    case 0x22, 0x5C: append(byte: byte)
    case 0x08: append(byte: 0x62)
    case 0x09: append(byte: 0x74)
    case 0x0A: append(byte: 0x6E)
    case 0x0C: append(byte: 0x66)
    case 0x0D: append(byte: 0x72)
    default:
      append("u00")
      append(hex: byte)
    }
  }
}
