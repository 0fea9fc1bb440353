// SPDX-License-Identifier: Apache-2.0

/// How bytes from the wire become text that a terminal only shows.
///
/// Everything that came from traffic passes one of these two. Both keep printable UTF-8 as it is.
extension TextBuffer {
  /// Appends text of a plain field (a URI, a header, a reason). What is not seen becomes `\n`,
  /// `\x1b` or `\u{202e}`, unless it belongs to an emoji; bytes that are no UTF-8 become `\xff`.
  ///
  /// Answers whether it was printable ASCII, of which each byte takes one column.
  @discardableResult
  public mutating func append(escaping bytes: RawSpan) -> Bool {
    if Self.isPlain(bytes) {
      append(bytes)
      return true
    }
    escape(bytes, inJSON: false)
    return false
  }

  /// Appends JSON text, valid or not. The same become `\u001b`, which inside a string means the
  /// same; bytes that are no UTF-8 become U+FFFD, so only text known to be UTF-8 may be called
  /// JSON.
  public mutating func append(escapingJSON bytes: RawSpan) {
    escape(bytes, inJSON: true)
  }

  /// Appends the content of a JSON string: as `escapingJSON`, with quotes and backslashes escaped.
  public mutating func append(jsonStringContent bytes: RawSpan) {
    // Quote and backslash.
    let marks: UInt64 = 0x225C_225C_225C_225C
    var clean = 0
    var at = bytes.firstIndex(ofAny: marks, from: 0)
    while at < bytes.byteCount {
      escape(bytes.extracting(clean..<at), inJSON: true)
      append(byte: 0x5C)
      append(byte: bytes.byte(at: at))
      clean = at &+ 1
      at = bytes.firstIndex(ofAny: marks, from: clean)
    }
    escape(clean == 0 ? bytes : bytes.dropping(clean), inJSON: true)
  }

  /// A quoted JSON string of any bytes.
  public mutating func append(jsonString bytes: RawSpan) {
    append(byte: 0x22)
    append(jsonStringContent: bytes)
    append(byte: 0x22)
  }

  public mutating func append(jsonString text: String) {
    let utf8 = ContiguousArray(text.utf8)
    append(jsonString: unsafe utf8.span.bytes)
  }

  public mutating func append(escaping text: String) {
    let utf8 = ContiguousArray(text.utf8)
    append(escaping: unsafe utf8.span.bytes)
  }

  private mutating func escape(_ bytes: RawSpan, inJSON: Bool) {
    let count = bytes.byteCount
    var clean = 0
    var at = 0
    // The character in front, where it is no ASCII and was not escaped.
    var last: UInt32 = 0
    while at < count {
      if at &+ 8 <= count, Self.isPlain(bytes.word(unchecked: at)) {
        last = 0
        repeat { at &+= 8 } while at &+ 8 <= count && Self.isPlain(bytes.word(unchecked: at))
        // The last eight, some of them once more.
        if at &+ 8 > count, Self.isPlain(bytes.word(unchecked: count &- 8)) { break }
      }
      guard at < count else { break }
      let byte = bytes.byte(at: at)
      if byte >= 0x20 && byte < 0x7F {
        at &+= 1
        last = 0
        continue
      }
      let scalar = UTF8.scalar(in: bytes, at: at)
      if let scalar,
        !UTF8.isUnseen(scalar.value)
          || last != 0 && UTF8.isPartOfEmoji(scalar, at: at, behind: last, bytes)
      {
        at &+= scalar.length
        last = scalar.value
        continue
      }
      last = 0
      append(bytes.extracting(clean..<at))
      if let scalar {
        if inJSON { appendJSON(unseen: scalar.value) } else { append(unseen: scalar.value) }
        at &+= scalar.length
      } else {
        if inJSON {
          append("\u{FFFD}")
        } else {
          append("\\x")
          append(hex: byte)
        }
        at &+= 1
      }
      clean = at
    }
    append(bytes.extracting(clean..<count))
  }

  /// Whether all eight bytes are printable ASCII.
  @inlinable @inline(__always) static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    // Below 0x20 borrows, 0x7F carries into the top bit; from 0x80 on it is set already. What a
    // borrow or a carry does to other bytes cannot hide the byte it came from.
    return ((word &- ones &* 0x20) | (word &+ ones) | word) & tops == 0
  }

  /// Whether all of it is printable ASCII.
  public var isPlain: Bool { Self.isPlain(bytes) }

  /// Whether all bytes are printable ASCII.
  @inline(__always) fileprivate static func isPlain(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    var at = 0
    if count >= 16 {
      while at &+ 16 < count {
        if bytes.unprintableLanes(unchecked: at) != 0 { return false }
        at &+= 16
      }
      // The last sixteen, some of them once more.
      return bytes.unprintableLanes(unchecked: count &- 16) == 0
    }
    if count >= 8 {
      return isPlain(bytes.word(unchecked: 0)) && isPlain(bytes.word(unchecked: count &- 8))
    }
    while at < count {
      let byte = bytes.byte(at: at)
      if byte < 0x20 || byte >= 0x7F { return false }
      at &+= 1
    }
    return true
  }

  private mutating func append(unseen scalar: UInt32) {
    switch scalar {
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    case 0..<0x100:
      append("\\x")
      append(hex: UInt8(truncatingIfNeeded: scalar))
    default:
      append("\\u{")
      if scalar > 0xFFFF { append(hex: UInt8(truncatingIfNeeded: scalar >> 16)) }
      append(hex: UInt8(truncatingIfNeeded: scalar >> 8))
      append(hex: UInt8(truncatingIfNeeded: scalar))
      append("}")
    }
  }

  /// As one escape, or as the two of a surrogate pair (RFC 8259 §7).
  private mutating func appendJSON(unseen scalar: UInt32) {
    if scalar > 0xFFFF {
      appendJSON(unseen: 0xD800 &+ (scalar &- 0x10000) >> 10)
      return appendJSON(unseen: 0xDC00 &+ (scalar & 0x3FF))
    }
    append("\\u")
    append(hex: UInt8(truncatingIfNeeded: scalar >> 8))
    append(hex: UInt8(truncatingIfNeeded: scalar))
  }
}

extension RawSpan {
  /// Whether all of it is printable ASCII, of which each byte takes one column.
  public var isPlain: Bool { TextBuffer.isPlain(self) }
}
