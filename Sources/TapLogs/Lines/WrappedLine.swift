// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A line that rich has broken at the width of its console. What goes on stands below it in the
/// column of the message, filled up with blanks to the margin:
///
///     [17:08:20] DEBUG    Sending SUBSCRIBE (d0, m1) [(b'a/b', {QoS=1,          client.py:3269
///                         noLocal=False})]                                                    ␠
struct WrappedLine {
  /// The message in one line.
  private(set) var text = Scratch()
  let origin: Origin
  /// Lines that it stands on.
  private(set) var height: UInt64 = 1
  /// Characters of each line, and of the place at the margin.
  private let width: Int
  private let place: Int
  /// Where the message begins on each line, once a second one says so.
  private var column: Int?
  /// Where its part begins that the last line has.
  private var part = 0

  /// - Parameters:
  ///   - line: up to the place at its end.
  ///   - place: characters of that.
  init(_ line: RawSpan, place: Int, width: Int, _ origin: Origin) {
    (self.place, self.width, self.origin) = (place, width, origin)
    text.append(line)
  }

  /// Appends a line if it goes on there; answers whether it does.
  mutating func goOn(_ line: RawSpan) -> Bool {
    guard let last = line.lastUnspaced, last + 1 < line.byteCount,
      line.byte(at: line.byteCount - 1) == .space, Self.characters(line) == width
    else { return false }
    var start = 0
    while line.byte(at: start) == .space { start += 1 }
    if column == nil { part = start }
    guard column ?? start == start, start > 0, part < text.count,
      column != nil || text.bytes.byte(at: start) > 0x20 && text.bytes.byte(at: start - 1) == .space
    else { return false }
    let word = line.extracting(start..<(line.firstIndex(of: .space, from: start) ?? last + 1))
    guard let isCut = isCut(column: start, before: Self.characters(word)) else { return false }
    if !isCut { text.append(.space) }
    (part, column) = (text.count, start)
    text.append(line.extracting(start..<last + 1))
    height += 1
    return true
  }

  /// Whether the last line was cut where it was full, as a word was too long for any line (one that
  /// just fits looks the same); false where it was broken at a blank. Nil where what stands below
  /// had room on it: that is the next line of a message of several.
  ///
  /// - Parameter word: characters of the first word below.
  private func isCut(column: Int, before word: Int) -> Bool? {
    let room = width - column - 1 - place
    let above = text.bytes.dropping(part)
    let used = Self.characters(above)
    if used == room && above.firstIndex(of: .space) == nil { return true }
    return used + 1 + word > room ? false : nil
  }

  /// Characters of UTF-8.
  static func characters(_ line: RawSpan) -> Int {
    var count = 0
    for at in 0..<line.byteCount where line.byte(at: at) & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
