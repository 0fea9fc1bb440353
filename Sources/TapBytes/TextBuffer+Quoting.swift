// SPDX-License-Identifier: Apache-2.0

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
    let count = bytes.byteCount
    let ones: UInt64 = 0x0101_0101_0101_0101
    append(byte: 0x22)
    var clean = 0
    var at = 0
    while at < count {
      while at &+ 8 <= count {
        let word = bytes.word(unchecked: at)
        let (quote, slash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        let hit =
          ((quote &- ones) & ~quote | (slash &- ones) & ~slash
            | (word &- ones &* 0x20) & ~word) & (ones &* 0x80)
        if hit != 0 {
          at &+= hit.trailingZeroBitCount &>> 3
          break
        }
        at &+= 8
      }
      guard at < count else { break }
      let byte = bytes.byte(at: at)
      if byte < 0x20 || byte == 0x22 || byte == 0x5C {
        append(bytes.extracting(clean..<at))
        appendEscape(of: byte)
        clean = at &+ 1
      }
      at &+= 1
    }
    append(bytes.extracting(clean..<count))
    append(byte: 0x22)
    return nil
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
