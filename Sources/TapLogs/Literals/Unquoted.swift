// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Messages inside of strings, which a line has with their quotes and escapes.
enum Unquoted {
  /// The quote before a list, if it opens a string: `"[33,1]"`, `b'[33,1]'`, `\"[33,1]\"`; blanks
  /// may stand between, as in bytes of a frame.
  static func opening(_ line: RawSpan, _ start: Int) -> (quote: UInt8, isBytes: Bool)? {
    guard start > 0 else { return nil }
    return before(line, start) ?? inside(line, start)
  }

  /// `"received [32,1,{\"match\":…`: words stand between, but the first quote in the list is
  /// escaped.
  private static func inside(_ line: RawSpan, _ start: Int) -> (quote: UInt8, isBytes: Bool)? {
    let near = line.extracting(start..<min(line.byteCount, start + 256))
    let at = near.firstIndex(ofAny: quotes, from: 0)
    guard at < near.byteCount, near.byte(at: at - 1) == 0x5C else { return nil }
    return (near.byte(at: at), false)
  }

  /// Both kinds of quotes.
  private static let quotes: UInt64 = 0x2227_2227_2227_2227

  private static func before(_ line: RawSpan, _ start: Int) -> (quote: UInt8, isBytes: Bool)? {
    let near = line.extracting(max(0, start - 68)..<start)
    if near.firstIndex(ofAny: quotes, from: 0) == near.byteCount { return nil }
    var at = start - 1
    // READ 16 "\x81\x0e[33,1,5862354]": bytes of a frame come first.
    var quote = line.byte(at: at)
    while at > 3, quote != 0x22 && quote != 0x27, start - at < 64 {
      at -= 1
      quote = line.byte(at: at)
    }
    guard quote == 0x22 || quote == 0x27 else { return nil }
    if at < start - 1 {
      guard line.byte(at: at + 1) == 0x5C else { return nil }
    }
    let isBytes = at > 0 && line.byte(at: at - 1) | 0x20 == 0x62 || at < start - 1
    return (quote, isBytes)
  }

  /// Appends the content of the string from the list on; answers the offset behind its end. A quote
  /// that is escaped itself ends the string as well: then the string is inside of another.
  static func read(
    _ line: RawSpan, _ start: Int, _ quote: UInt8, isBytes: Bool, into text: inout Scratch
  ) -> Int? {
    if let end = LiteralString.unescape(line, start, until: quote, isBytes: isBytes, into: &text) {
      return end
    }
    text.removeAll()
    return LiteralString.unescape(line, start, until: 0, isBytes: isBytes, into: &text)
  }
}
