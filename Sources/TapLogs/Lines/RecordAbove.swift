// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The lines above one that may be in the middle of a record, without what a collector of logs, a
/// pager or a mail has put before each of them.
struct RecordAbove {
  /// Bytes before the text of the line itself.
  let margin: Int
  /// What stands above.
  private(set) var text = Scratch()
  /// The same with the margins, and where each line begins there, its text, and the next line.
  private var whole = Scratch()
  private var lines: ContiguousArray<(start: Int, text: Int, end: Int)> = []

  /// - Parameters:
  ///   - shared: the margin that the line has as the one above has it.
  ///   - above: whole lines.
  init(_ line: RawSpan, shared: Int, above: RawSpan) {
    margin = shared
    if margin == 0 {
      text.append(above)
      return
    }
    whole.append(above)
    lines.reserveCapacity(64)
    var end = above.byteCount
    while end > 0 {
      let range = Self.lastLine(above, end)
      let other = above.extracting(range)
      let isAlike = Self.isAlike(other, line, margin)
      let count = isAlike ? margin : LineMargin.shared(other, with: line)
      if count == 0 || count > other.byteCount { break }
      lines.append((range.lowerBound, range.lowerBound + count, end))
      end = range.lowerBound
    }
    for line in lines.reversed() { text.append(above.extracting(line.text..<line.end)) }
  }

  /// What stood before the line of the text that begins there.
  func margin(at start: Int) -> [UInt8] {
    line(at: start).map { whole.bytes.extracting($0.start..<$0.text).copied() } ?? []
  }

  /// How many bytes were there from a line of the text on.
  func octets(from start: Int) -> Int {
    line(at: start).map { whole.count - $0.start } ?? text.count - start
  }

  /// The line that begins there in the text.
  private func line(at start: Int) -> (start: Int, text: Int, end: Int)? {
    var at = text.count
    return lines.first {
      at -= $0.end - $0.text
      return at == start
    }
  }

  /// Whether two lines begin with the same bytes, but for their digits.
  private static func isAlike(_ line: RawSpan, _ other: RawSpan, _ count: Int) -> Bool {
    line.byteCount >= count && other.byteCount >= count
      && (0..<count).allSatisfy {
        let (one, two) = (line.byte(at: $0), other.byte(at: $0))
        return one == two || one.isDigit && two.isDigit
      }
  }

  /// The last line of a text before an offset, without its end.
  static func lastLine(_ text: RawSpan, _ end: Int) -> Range<Int> {
    if end == 0 { return 0..<0 }
    let start = text.before(end - 1) { $0 != .lineFeed }
    return start..<end - 1
  }
}
