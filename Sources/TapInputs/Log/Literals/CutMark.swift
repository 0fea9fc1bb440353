// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// How loggers say that they cut a line.
enum CutMark {
  private static let all: [StaticString] = [
    "...", "…", "[...]", "(...)", "<...>", "[truncated]", "(truncated)", "...(truncated)",
    "... (truncated)", "<truncated>", "...[truncated]", "... [truncated]",
  ]

  /// Where the list ends that the line cuts; nil when nothing says that it was cut. Of a marked
  /// line its end is enough.
  static func end(_ line: RawSpan, _ start: Int, isMarked: Bool) -> Int? {
    var end = line.byteCount
    while end > start, ListStart.isSpace(line.byte(at: end - 1)) { end -= 1 }
    // A quote may stand behind the mark: that of the string that was cut.
    for back in [0, 1, 2] where end - back > start {
      let text = line.extracting(start..<end - back)
      let cut =
        all.map { mark -> Int in
          let count = mark.utf8CodeUnitCount
          guard text.byteCount > count, text.dropping(text.byteCount - count).equals(mark) else {
            return 0
          }
          return count
        }.max() ?? 0
      if cut > 0 { return end - back - cut }
    }
    return isMarked ? end : nil
  }
}
