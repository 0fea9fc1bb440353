// SPDX-License-Identifier: Apache-2.0

/// Makes bytes from the wire safe to show on a terminal: printable UTF-8 is unchanged, invisible
/// characters are escaped. Everything from traffic must pass here, through one of the `TextBuffer`
/// methods below.
enum EscapedText {
  static func append(_ bytes: RawSpan, inJSON: Bool, to text: inout TextBuffer) {
    let count = bytes.byteCount
    var clean = 0
    var at = 0
    // The previous character, if it is not ASCII and was not escaped.
    var last: UInt32 = 0
    while at < count {
      if at &+ 8 <= count, RawSpan.isPlain(bytes.word(unchecked: at)) {
        last = 0
        repeat { at &+= 8 } while at &+ 8 <= count && RawSpan.isPlain(bytes.word(unchecked: at))
        // The last eight bytes; they may overlap those before.
        if at &+ 8 > count, RawSpan.isPlain(bytes.word(unchecked: count &- 8)) { break }
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
      text.append(bytes.extracting(clean..<at))
      if let scalar {
        if inJSON {
          appendJSON(unseen: scalar.value, to: &text)
        } else {
          append(unseen: scalar.value, to: &text)
        }
        at &+= scalar.length
      } else {
        if inJSON {
          text.append("\u{FFFD}")
        } else {
          text.append("\\x")
          text.append(hex: byte)
        }
        at &+= 1
      }
      clean = at
    }
    text.append(bytes.extracting(clean..<count))
  }

  private static func append(unseen scalar: UInt32, to text: inout TextBuffer) {
    switch scalar {
    case 0x0A: text.append("\\n")
    case 0x0D: text.append("\\r")
    case 0x09: text.append("\\t")
    case 0..<0x100:
      text.append("\\x")
      text.append(hex: UInt8(truncatingIfNeeded: scalar))
    default:
      text.append("\\u{")
      if scalar > 0xFFFF { text.append(hex: UInt8(truncatingIfNeeded: scalar >> 16)) }
      text.append(hex: UInt8(truncatingIfNeeded: scalar >> 8))
      text.append(hex: UInt8(truncatingIfNeeded: scalar))
      text.append("}")
    }
  }

  /// Appends one escape, or the two of a surrogate pair (RFC 8259 §7).
  private static func appendJSON(unseen scalar: UInt32, to text: inout TextBuffer) {
    if scalar > 0xFFFF {
      appendJSON(unseen: 0xD800 &+ (scalar &- 0x10000) >> 10, to: &text)
      return appendJSON(unseen: 0xDC00 &+ (scalar & 0x3FF), to: &text)
    }
    text.append("\\u")
    text.append(hex: UInt8(truncatingIfNeeded: scalar >> 8))
    text.append(hex: UInt8(truncatingIfNeeded: scalar))
  }
}

extension TextBuffer {
  /// Appends text of a plain field (a URI, a header, a reason). Invisible characters become `\n`,
  /// `\x1b` or `\u{202e}`, unless they are part of an emoji; bytes that are not UTF-8 become
  /// `\xff`.
  ///
  /// - Returns: whether it was printable ASCII, where each byte takes one column.
  @discardableResult
  public mutating func append(escaping bytes: RawSpan) -> Bool {
    if bytes.isPlain {
      append(bytes)
      return true
    }
    EscapedText.append(bytes, inJSON: false, to: &self)
    return false
  }

  /// Appends JSON text, valid or not. Invisible characters become `\u001b`, which means the same
  /// inside a string; bytes that are not UTF-8 become U+FFFD, so only text known to be UTF-8 may be
  /// called JSON.
  public mutating func append(escapingJSON bytes: RawSpan) {
    EscapedText.append(bytes, inJSON: true, to: &self)
  }

  /// Appends the content of a JSON string: like `escapingJSON`, with quotes and backslashes
  /// escaped.
  public mutating func append(jsonStringContent bytes: RawSpan) {
    // Quote and backslash.
    let marks: UInt64 = 0x225C_225C_225C_225C
    var clean = 0
    var at = bytes.firstIndex(ofAny: marks, from: 0)
    while at < bytes.byteCount {
      append(escapingJSON: bytes.extracting(clean..<at))
      append(byte: .backslash)
      append(byte: bytes.byte(at: at))
      clean = at &+ 1
      at = bytes.firstIndex(ofAny: marks, from: clean)
    }
    append(escapingJSON: clean == 0 ? bytes : bytes.dropping(clean))
  }

  /// A quoted JSON string of any bytes.
  public mutating func append(jsonString bytes: RawSpan) {
    append(byte: .quote)
    append(jsonStringContent: bytes)
    append(byte: .quote)
  }

  public mutating func append(jsonString text: String) {
    let utf8 = ContiguousArray(text.utf8)
    append(jsonString: unsafe utf8.span.bytes)
  }

  public mutating func append(escaping text: String) {
    let utf8 = ContiguousArray(text.utf8)
    append(escaping: unsafe utf8.span.bytes)
  }
}
