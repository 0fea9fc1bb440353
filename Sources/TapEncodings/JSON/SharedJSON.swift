// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// JSON that every parser accepts. RFC 8259 allows more than most parsers support (§8.2, §9): lone
/// surrogates, numbers beyond a double, any nesting. One such value, and they reject the whole
/// text.
public enum SharedJSON {
  /// Appends valid JSON like `CompactJSON`, but with U+FFFD for a lone surrogate, and `null` for a
  /// number beyond a double and for values nested too deeply.
  ///
  /// - Parameter nesting: how deep values may nest.
  /// - Returns: whether nothing was replaced.
  public static func append(
    _ bytes: RawSpan, nesting: Int, to text: inout TextBuffer
  ) -> Bool {
    var isAsSent = true
    var depth = 0
    var clean = 0
    var at = 0
    while at < bytes.byteCount {
      switch bytes.byte(at: at) {
      case .quote:
        if !append(string: bytes, &at, &clean, to: &text) { isAsSent = false }
      case .openBracket where depth < nesting, .openBrace where depth < nesting:
        depth &+= 1
        at &+= 1
      case .closeBracket, .closeBrace:
        depth &-= 1
        at &+= 1
      case .space, .tab, .lineFeed, .carriageReturn:
        text.append(escapingJSON: bytes.extracting(clean..<at))
        at &+= 1
        clean = at
      case .hyphen, 0x30...0x39, .openBracket, .openBrace:
        let start = at
        JSON.skipValue(bytes, &at)
        let first = bytes.byte(at: start)
        if first < 0x5B && !JSON.isBeyondDouble(bytes.extracting(start..<at)) { continue }
        text.append(escapingJSON: bytes.extracting(clean..<start))
        text.append("null")
        clean = at
        isAsSent = false
      default: at &+= 1
      }
    }
    text.append(escapingJSON: bytes.extracting(clean..<at))
    return isAsSent
  }

  /// Handles a string; everything before `clean` is appended already. False when it has a lone
  /// surrogate.
  private static func append(
    string bytes: RawSpan, _ at: inout Int, _ clean: inout Int, to text: inout TextBuffer
  ) -> Bool {
    var isAsSent = true
    at &+= 1
    while at < bytes.byteCount, bytes.byte(at: at) != .quote {
      guard bytes.byte(at: at) == .backslash else {
        at &+= 1
        continue
      }
      guard let unit = Self.unit(bytes, at), unit & 0xF800 == 0xD800 else {
        at &+= 2
        continue
      }
      if unit & 0x400 == 0, let low = Self.unit(bytes, at &+ 6), low & 0xFC00 == 0xDC00 {
        at &+= 12
        continue
      }
      text.append(escapingJSON: bytes.extracting(clean..<at))
      text.append(#"\ufffd"#)
      at &+= 6
      clean = at
      isAsSent = false
    }
    at = min(at &+ 1, bytes.byteCount)
    return isAsSent
  }

  /// The UTF-16 unit of a `\u` escape at an offset; nil when there is no such escape.
  private static func unit(_ bytes: RawSpan, _ at: Int) -> UInt32? {
    guard at &+ 6 <= bytes.byteCount, bytes.byte(at: at) == .backslash,
      bytes.byte(at: at &+ 1) == UInt8(ascii: "u")
    else { return nil }
    return JSON.hex(bytes, at &+ 2)
  }
}
