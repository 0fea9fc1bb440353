// SPDX-License-Identifier: Apache-2.0
import TapBytes

extension TextBuffer {
  /// Breaks the text behind `start` into lines of at most `width` columns, at spaces; lines behind
  /// the first begin with `indent` spaces. A word that is too long for a line stays whole.
  mutating func wrap(from start: Int, to width: Int, indent: Int) {
    if columns(from: start) <= width { return }
    let indent = min(indent, width / 2)
    let line = bytes.dropping(start).copied()
    truncate(start)
    var lineStart = count
    // Where the first word of the line begins: before that there is nothing to break behind.
    var first = count
    var at = 0
    while at < line.count {
      // The spaces before a word belong to it, unless it begins a line.
      var word = at
      while word < line.count, line[word] == 0x20 { word += 1 }
      var end = word
      while end < line.count, line[end] != 0x20 { end += 1 }
      let before = count
      append(line.span.bytes.extracting(at..<end))
      if before > first && columns(from: lineStart) > width {
        truncate(before)
        append("\n")
        lineStart = count
        append(spaces: indent)
        first = count
        append(line.span.bytes.extracting(word..<end))
      }
      at = end
    }
  }
}
