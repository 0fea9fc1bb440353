// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// How loggers say that they cut a line: by dots, or by words in brackets: `...[300 more bytes]`,
/// `<truncated 300 bytes>`; before a text, tshark says `[truncated]`, newer ones `[…]`. Such words
/// are nothing that was sent.
enum CutMark {
  /// Bytes of the words.
  private static let longest = 48
  private static let truncated: [StaticString] = ["[truncated]", "[…]"]
  /// Parts of words that say so.
  private static let words: [StaticString] = [
    "trunc", "more", "byte", "char", "omit", "elided", "cut", "snip", "len", "...", "…",
  ]

  /// Where the list ends that the line cuts; nil when nothing says that it was cut. Of a marked
  /// line its end is enough.
  static func end(_ line: RawSpan, _ start: Int, isMarked: Bool) -> Int? {
    let end = line.beforeSpace(line.byteCount, from: start)
    let mayEnd = isMarked || isSaid(line, before: start)
    if end == start { return mayEnd ? end : nil }
    let cut = dots(line, from: start, to: group(line, from: start, to: end) ?? end)
    return cut < end || mayEnd ? cut : nil
  }

  /// Whether it is said right before the list: `Text [truncated]: `.
  private static func isSaid(_ line: RawSpan, before start: Int) -> Bool {
    var end = line.beforeSpace(start)
    if end > 0, line.byte(at: end - 1) == .colon { end -= 1 }
    return truncated.contains {
      let first = end - $0.utf8CodeUnitCount
      return first >= 0 && line.dropping(first).starts(with: $0)
    }
  }

  /// Where `[…]`, `(…)` or `<…>` with dots or such words inside begins that ends there.
  private static func group(_ line: RawSpan, from start: Int, to end: Int) -> Int? {
    let open: UInt8
    switch line.byte(at: end - 1) {
    case .closeBracket: open = .openBracket
    case UInt8(ascii: ")"): open = UInt8(ascii: "(")
    case UInt8(ascii: ">"): open = UInt8(ascii: "<")
    default: return nil
    }
    var at = end - 1
    while at > start, end - at < longest {
      at -= 1
      let byte = line.byte(at: at)
      if byte == open { return isMark(line.extracting(at + 1..<end - 1)) ? at : nil }
      if byte == .quote || byte == .apostrophe || byte == .openBrace || byte == .closeBrace {
        return nil
      }
    }
    return nil
  }

  /// Whether a text has dots or words of cutting.
  private static func isMark(_ text: RawSpan) -> Bool {
    words.contains { text.contains($0) }
  }

  /// Without the dots that end there; blanks before them may be of the message.
  private static func dots(_ line: RawSpan, from start: Int, to end: Int) -> Int {
    let last = line.beforeSpace(end, from: start)
    if last - 3 >= start {
      let dots = line.extracting(last - 3..<last)
      if dots.equals("...") || dots.equals("…") { return last - 3 }
    }
    return end
  }
}
