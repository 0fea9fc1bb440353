// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Fits text that was written into the columns of a terminal.
enum TextLayout {
  /// Cuts the text behind `start` to `width` columns, the last of them `…`; never in the middle of
  /// a character or of a colour.
  static func elide(_ text: inout TextBuffer, from start: Int, to width: Int) {
    // As many bytes as columns at most: nothing to cut.
    if text.count - start <= width { return }
    if text.bytes.dropping(start).isPlain {
      text.truncate(start + max(width - 1, 0))
      return text.append("…")
    }
    var columns = 0
    var at = start
    var cut = start
    var hasColour = false
    while true {
      let before = at
      guard let next = text.bytes.step(&at) else { return }
      // A combining character takes no column either.
      if next == 0, text.bytes.byte(at: before) == 0x1B { hasColour = true }
      columns += next
      if columns < width { cut = at }
      if columns > width {
        text.truncate(max(cut, start))
        text.append("…")
        if hasColour { text.append("\u{1B}[0m") }
        return
      }
      if before == at { return }
    }
  }

  /// Cuts to so many bytes, or to a few less: never in the middle of a character.
  static func truncate(_ text: inout TextBuffer, wholeCharacters size: Int) {
    var size = size
    while size > 0, size < text.count, text.bytes.byte(at: size) & 0xC0 == 0x80 { size -= 1 }
    text.truncate(size)
  }

  /// Breaks the text behind `start` into lines of at most `width` columns, at spaces; lines behind
  /// the first begin with `indent` spaces. A word that is too long for a line stays whole.
  static func wrap(
    _ text: inout TextBuffer, from start: Int, to width: Int, indent: Int
  ) {
    if text.bytes.columns(from: start) <= width { return }
    let indent = min(indent, width / 2)
    let line = text.bytes.dropping(start).copied()
    text.truncate(start)
    var lineStart = text.count
    // Where the first word of the line begins: before that there is nothing to break behind.
    var first = text.count
    var at = 0
    while at < line.count {
      // The spaces before a word belong to it, unless it begins a line.
      var word = at
      while word < line.count, line[word] == .space { word += 1 }
      var end = word
      while end < line.count, line[end] != .space { end += 1 }
      let before = text.count
      text.append(line.span.bytes.extracting(at..<end))
      if before > first && text.bytes.columns(from: lineStart) > width {
        text.truncate(before)
        text.append("\n")
        lineStart = text.count
        text.append(spaces: indent)
        first = text.count
        text.append(line.span.bytes.extracting(word..<end))
      }
      at = end
    }
  }

  static func removeTrailingSpaces(_ text: inout TextBuffer, from start: Int = 0) {
    var end = text.count
    while end > start, text.bytes.byte(at: end - 1) == .space { end -= 1 }
    text.truncate(end)
  }

  /// `0.003120000` becomes `0.00312`, `2.000000000` becomes `2.0`.
  static func removeTrailingZeros(_ text: inout TextBuffer) {
    var end = text.count
    while text.bytes.byte(at: end - 1) == UInt8(ascii: "0"), text.bytes.byte(at: end - 2) != .period
    { end -= 1 }
    text.truncate(end)
  }
}
