// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The lines above one that may be in the middle of a record, without what a collector of logs, a
/// pager or a mail has put before each of them.
struct RecordAbove {
  /// Octets before the text of the line itself.
  let margin: Int
  /// What stands above, and where its lines begin.
  private(set) var text = Scratch()
  private var starts: [Int] = []
  /// What stood before each of them, and octets from there to the line.
  private var margins: [(octets: [UInt8], distance: Int)] = []

  /// - Parameter above: whole lines.
  init(_ line: RawSpan, above: RawSpan) {
    let last = Self.lastLine(above, above.byteCount)
    margin = LineMargin.shared(line, with: above.extracting(last))
    if margin == 0 {
      text.append(above)
      return
    }
    var (lines, end): ([(start: Int, text: Int, end: Int)], Int) = ([], above.byteCount)
    while end > 0 {
      let range = Self.lastLine(above, end)
      let other = above.extracting(range)
      let count = LineMargin.shared(other, with: line)
      if count == 0 { break }
      lines.append((range.lowerBound, range.lowerBound + count, end))
      end = range.lowerBound
    }
    for line in lines.reversed() {
      starts.append(text.count)
      margins.append(
        (above.extracting(line.start..<line.text).copied(), above.byteCount - line.start))
      text.append(above.extracting(line.text..<line.end))
    }
  }

  /// What stood before the line of the text that begins there.
  func margin(at start: Int) -> [UInt8] {
    starts.firstIndex(of: start).map { margins[$0].octets } ?? []
  }

  /// How many octets were there from a line of the text on.
  func octets(from start: Int) -> Int {
    starts.firstIndex(of: start).map { margins[$0].distance } ?? text.count - start
  }

  /// The last line of a text before an offset, without its end.
  private static func lastLine(_ text: RawSpan, _ end: Int) -> Range<Int> {
    if end == 0 { return 0..<0 }
    var start = end - 1
    while start > 0, text.byte(at: start - 1) != 0x0A { start -= 1 }
    return start..<end - 1
  }
}
