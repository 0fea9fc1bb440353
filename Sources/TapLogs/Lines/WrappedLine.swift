// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A line that rich wrapped at the width of its console. The continuation is on the line below, in
/// the column of the message, and padded with spaces to the margin:
///
///     [17:08:20] DEBUG    Sending SUBSCRIBE (d0, m1) [(b'a/b', {QoS=1,          client.py:3269
///                         noLocal=False})]                                                    ␠
struct WrappedLine {
  /// The message in one line.
  private(set) var text = Scratch()
  let origin: Origin
  /// The number of lines that it takes.
  private(set) var height: UInt64 = 1
  /// The length of each line, and of the source location at the margin, in columns.
  private let width: Int
  private let place: Int
  /// The column of the message; nil until a second line shows it.
  private var column: Int?
  /// The offset of the last line's part in `text`.
  private var part = 0

  /// - Parameters:
  ///   - line: up to the source location at its end.
  ///   - place: the length of that, in columns.
  init(_ line: RawSpan, place: Int, width: Int, _ origin: Origin) {
    (self.place, self.width, self.origin) = (place, width, origin)
    text.append(line)
  }

  /// Appends a line if it is a continuation; returns whether it is.
  mutating func appendContinuation(_ line: RawSpan) -> Bool {
    guard let last = line.lastUnspaced, last + 1 < line.byteCount,
      line.byte(at: line.byteCount - 1) == .space, line.columns() == width
    else { return false }
    var start = 0
    while line.byte(at: start) == .space { start += 1 }
    if column == nil { part = start }
    guard column ?? start == start, start > 0, part < text.count,
      column != nil || text.bytes.byte(at: start) > 0x20 && text.bytes.byte(at: start - 1) == .space
    else { return false }
    let word = line.extracting(start..<(line.firstIndex(of: .space, from: start) ?? last + 1))
    guard let isCut = isCut(column: start, before: word.columns()) else { return false }
    if !isCut { text.append(.space) }
    (part, column) = (text.count, start)
    text.append(line.extracting(start..<last + 1))
    height += 1
    return true
  }

  /// Whether the last line was broken inside a word, because that is longer than a line (a word
  /// that just fits looks the same); false if it was broken at a space. Nil if the first word below
  /// would have fitted: then it is the next line of a message with several lines.
  ///
  /// - Parameter word: the length of the first word below, in columns.
  private func isCut(column: Int, before word: Int) -> Bool? {
    let room = width - column - 1 - place
    let above = text.bytes.dropping(part)
    let used = above.columns()
    if used == room && above.firstIndex(of: .space) == nil { return true }
    return used + 1 + word > room ? false : nil
  }
}
