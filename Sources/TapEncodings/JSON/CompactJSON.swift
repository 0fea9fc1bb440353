// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Prints well-formed JSON without the white space between its tokens; all else stays as it was
/// sent, but that controls are written as escapes.
public enum CompactJSON {
  public static func append(_ bytes: RawSpan, to text: inout TextBuffer) {
    var clean = 0
    // Most texts have no white space at all, not even in strings.
    var at = bytes.firstIndex(ofAny: spaces, from: 0) == bytes.byteCount ? bytes.byteCount : 0
    while at < bytes.byteCount {
      at = bytes.firstIndex(ofAny: spacesAndQuote, from: at)
      if at >= bytes.byteCount { break }
      if bytes.byte(at: at) == .quote {
        at = bytes.endOfString(at)
      } else {
        text.append(escapingJSON: bytes.extracting(clean..<at))
        at &+= 1
        clean = at
      }
    }
    text.append(escapingJSON: bytes.extracting(clean..<at))
  }

  /// White space of JSON (RFC 8259 §2), and the same with the quote.
  private static let spaces: UInt64 = 0x2009_0A0D_2009_0A0D
  private static let spacesAndQuote: UInt64 = 0x2009_0A0D_2222_2222
}

extension RawSpan {
  /// Behind the string of JSON that begins at `start`; the count where it does not end.
  public func endOfString(_ start: Int) -> Int {
    var from = start &+ 1
    while let quote = firstIndex(of: .quote, from: from) {
      // Of the backslashes before it, each second one is escaped itself.
      var first = quote
      while first > from, byte(at: first &- 1) == .backslash { first &-= 1 }
      if (quote &- first) & 1 == 0 { return quote &+ 1 }
      from = quote &+ 1
    }
    return byteCount
  }
}
