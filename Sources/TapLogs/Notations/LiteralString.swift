// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// Strings as programs print them, with the escapes of JSON, Python, JavaScript, Swift and Rust.
enum LiteralString {
  /// Whether a string begins there: a quote, behind one of Python's letters or without.
  static func begins(_ bytes: RawSpan, _ at: Int) -> Bool {
    guard at < bytes.byteCount else { return false }
    let byte = bytes.byte(at: at)
    if byte == .quote || byte == .apostrophe || byte == UInt8(ascii: "`") { return true }
    guard at + 1 < bytes.byteCount else { return false }
    let isLetter =
      byte | 0x20 == UInt8(ascii: "b") || byte | 0x20 == UInt8(ascii: "u")
      || byte | 0x20 == UInt8(ascii: "r")
    return isLetter && (bytes.byte(at: at + 1) == .quote || bytes.byte(at: at + 1) == .apostrophe)
  }

  /// Appends the string as one of JSON; bytes of Python become WAMP's own form of binary values:
  /// U+0000 and base64. Answers the offset behind it.
  static func read(_ bytes: RawSpan, _ start: Int, into json: inout Scratch) -> Int? {
    var at = start
    let letter = bytes.byte(at: at)
    let hasLetter = letter != .quote && letter != .apostrophe && letter != UInt8(ascii: "`")
    if hasLetter { at += 1 }
    let quote = bytes.byte(at: at)
    let isBytes = hasLetter && letter | 0x20 == UInt8(ascii: "b")
    if !isBytes, let end = plainEnd(bytes, at + 1), bytes.byte(at: end) == quote {
      json.append(.quote)
      json.append(bytes.extracting(at + 1..<end))
      json.append(.quote)
      return end + 1
    }
    var content = Scratch()
    guard var end = Escape.unescape(bytes, at + 1, until: quote, isBytes: isBytes, into: &content)
    else {
      return nil
    }
    json.append(.quote)
    if isBytes {
      while let more = continueString(bytes, behind: end, into: &content) { end = more }
      json.append("\\u0000")
      json.append(Base64.encoded(content.bytes).span.bytes)
    } else {
      append(escaping: content.bytes, to: &json)
    }
    json.append(.quote)
    return end
  }

  /// Bytes that were broken into lines go on behind `b'…'` with another one; answers the offset
  /// behind that.
  private static func continueString(
    _ bytes: RawSpan, behind end: Int, into content: inout Scratch
  ) -> Int? {
    let next = bytes.behindSpace(end)
    guard next > end, begins(bytes, next), bytes.byte(at: next) | 0x20 == UInt8(ascii: "b") else {
      return nil
    }
    let known = content.count
    let quote = bytes.byte(at: next + 1)
    let after = Escape.unescape(bytes, next + 2, until: quote, isBytes: true, into: &content)
    if after == nil { content.truncate(known) }
    return after
  }

  /// The end of a run without quotes, backslashes and controls, which is the same in all languages;
  /// nil where nothing ends it.
  private static func plainEnd(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte < 0x20 || byte == .quote || byte == .apostrophe || byte == .backslash
        || byte == UInt8(ascii: "`")
      {
        return at
      }
      at += 1
    }
    return nil
  }

  /// A string of JSON with this content.
  static func quoted(_ content: RawSpan) -> [UInt8] {
    var json = Scratch()
    json.append(.quote)
    append(escaping: content, to: &json)
    json.append(.quote)
    return json.bytes.copied()
  }

  /// Appends content as that of a JSON string, with its escapes.
  private static func append(escaping content: RawSpan, to json: inout Scratch) {
    var (run, at) = (0, 0)
    while at < content.byteCount {
      let byte = content.byte(at: at)
      if byte == 0xED, let half = Escape.half(content, at) {
        json.append(content.extracting(run..<at))
        append(unit: half, to: &json)
        at += 3
        run = at
        continue
      }
      at += 1
      guard byte < 0x20 || byte == .quote || byte == .backslash else { continue }
      json.append(content.extracting(run..<at - 1))
      run = at
      switch byte {
      case .quote: json.append("\\\"")
      case .backslash: json.append("\\\\")
      case .lineFeed: json.append("\\n")
      case .carriageReturn: json.append("\\r")
      case .tab: json.append("\\t")
      default: append(unit: UInt16(byte), to: &json)
      }
    }
    json.append(content.dropping(run))
  }

  /// `\ud83d`
  private static func append(unit: UInt16, to json: inout Scratch) {
    json.append("\\u")
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(unit >> shift & 15)
      json.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
