// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Prints valid JSON without white space between its tokens. Everything else is unchanged, except
/// that control characters are escaped.
public enum CompactJSON {
  public static func append(_ bytes: RawSpan, to text: inout TextBuffer) {
    var clean = 0
    // Fast path: most texts have no white space at all, not even in strings.
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
