// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// How loggers say that they cut a line: by dots, and by words or a number in brackets or behind
/// the dots: `... [truncated 300 bytes]`, `…+300`.
enum CutMark {
  /// Bytes of the words.
  private static let longest = 48
  /// What words of theirs contain.
  private static let words: [StaticString] = [
    "trunc", "more", "byte", "char", "omit", "elided", "cut", "snip", "len",
  ]

  /// Where the list ends that the line cuts; nil when nothing says that it was cut. Of a marked
  /// line its end is enough.
  static func end(_ line: RawSpan, _ start: Int, isMarked: Bool) -> Int? {
    let end = trimmed(line, start, line.byteCount)
    // A quote and a brace may stand behind the mark: those of the string that was cut.
    for back in [0, 1, 2] where end - back > start {
      let cut = mark(line, start, end - back)
      if cut < end - back { return cut }
    }
    return isMarked ? end : nil
  }

  /// Where the mark begins that ends at `end`; `end` when there is none.
  private static func mark(_ line: RawSpan, _ start: Int, _ end: Int) -> Int {
    if let group = group(line, start, end) { return dots(line, start, group) }
    let before = dots(line, start, end)
    if before < end { return before }
    // `... 300 more bytes`, `…+300`
    var at = end
    while at > start, end - at < longest, isWord(line.byte(at: at - 1)) { at -= 1 }
    let plain = dots(line, start, at)
    guard plain < at, isMark(line.extracting(at..<end), needsWord: false) else { return end }
    return plain
  }

  /// `[…]`, `(…)` or `<…>` with dots or such words inside.
  private static func group(_ line: RawSpan, _ start: Int, _ end: Int) -> Int? {
    let open: UInt8
    switch line.byte(at: end - 1) {
    case 0x5D: open = 0x5B
    case 0x29: open = 0x28
    case 0x3E: open = 0x3C
    default: return nil
    }
    var at = end - 1
    while at > start, end - at < longest {
      at -= 1
      let byte = line.byte(at: at)
      if byte == open {
        let inside = line.extracting(at + 1..<end - 1)
        return isMark(inside, needsWord: true) ? at : nil
      }
      if byte == 0x22 || byte == 0x27 || byte == 0x7B || byte == 0x7D { return nil }
    }
    return nil
  }

  /// Whether some text is what stands in a mark: dots, words of cutting, and numbers.
  private static func isMark(_ text: RawSpan, needsWord: Bool) -> Bool {
    if text.equals("...") || text.equals("…") { return true }
    var hasDigit = false
    for at in 0..<text.byteCount {
      let rest = text.dropping(at)
      if text.byte(at: at) &- 0x30 < 10 { hasDigit = true }
      if words.contains(where: { rest.starts(with: $0) }) { return true }
    }
    return hasDigit && !needsWord
  }

  /// Without the dots that end there; blanks before them may be of the message.
  private static func dots(_ line: RawSpan, _ start: Int, _ end: Int) -> Int {
    let last = trimmed(line, start, end)
    if last - 3 >= start {
      let dots = line.extracting(last - 3..<last)
      if dots.equals("...") || dots.equals("…") { return last - 3 }
    }
    return end
  }

  private static func trimmed(_ line: RawSpan, _ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, isJSONSpace(line.byte(at: end - 1)) { end -= 1 }
    return end
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x20 || byte == 0x2B
  }
}
