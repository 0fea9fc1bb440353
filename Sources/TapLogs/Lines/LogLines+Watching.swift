// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that say something and have none of the leads by which lines are found. To search all for
/// it would cost too much: the beginning of a log is searched, and all of it once there was one.
extension LogLines {
  /// How many lines at the beginning are searched.
  private static let mostWatched: UInt64 = 1024

  /// A line that may tell in words what was sent; answers whether it does.
  @inline(__always)
  mutating func narrate(
    _ line: RawSpan, at start: Int, _ reader: inout LogReader
  ) -> Bool {
    guard reader.narrated.isAsked(number) else { return false }
    return narrate(rareAnchors: line, at: start, &reader)
  }

  @inline(never)
  private mutating func narrate(
    rareAnchors line: RawSpan, at start: Int, _ reader: inout LogReader
  ) -> Bool {
    if line.firstIndex(of: 0x1B) == nil {
      return reader.narrated.read(line, origin(at: start), &reader.taker)
    }
    let text = ANSI.stripped(line)
    return reader.narrated.read(text.bytes, origin(at: start), &reader.taker)
  }

  /// A line that has told no message.
  mutating func watch(
    _ line: RawSpan, at start: Int, _ reader: inout LogReader
  ) {
    if number >= Self.mostWatched && !hasRareAnchors && !hasHeadings {
      isWatching = false
      return
    }
    if number < Self.mostWatched { reader.checkByteless(line) }
    if hasHeadings { reader.note(heading: line) }
    if line.byteCount > limits.lineBytes || !LogRareNotations.isMarked(line) { return }
    if reader.readRare(line, origin(at: start)) { hasRareAnchors = true }
  }
}
