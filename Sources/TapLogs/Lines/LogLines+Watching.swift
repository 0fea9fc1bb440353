// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that say something and have none of the leads by which lines are found. To search all for
/// it would cost too much: the beginning of a log is searched, and all of it once there was one.
extension LogLines {
  /// How many lines at the beginning are searched.
  private static let mostWatched: UInt64 = 1024

  /// A line that may describe in words what was sent; answers whether it does.
  @inline(__always)
  mutating func narrate(_ line: RawSpan, _ origin: Origin, _ reader: inout LogReader) -> Bool {
    guard reader.narrated.isAsked(number) else { return false }
    return reader.narrated.read(line, origin, &reader.taker)
  }

  /// The same of a line that need not be read otherwise.
  mutating func narrate(unread line: RawSpan, _ reader: inout LogReader) -> Bool {
    guard reader.narrated.isAsked(number) else { return false }
    if let text = SyslogEscapes.undone(line) { return narrate(plain: text.bytes, &reader) }
    if line.firstIndex(of: 0x1B) == nil { return narrate(plain: line, &reader) }
    let text = ANSI.stripped(line)
    return narrate(plain: text.bytes, &reader)
  }

  private mutating func narrate(plain line: RawSpan, _ reader: inout LogReader) -> Bool {
    if trailers.isLearning && number >= surveyed { trailers.learn(from: line) }
    return narrate(line.extracting(0..<trailers.end(line)), origin(), &reader)
  }

  /// A line of the source of a test.
  mutating func passOver(source line: RawSpan, _ reader: inout LogReader) {
    gatherer.giveUp(&reader)
    if place.choice.keepsContext { reportContext(line, &reader) }
    gatherer.keepLineAbove(line)
  }

  /// A line that has no message.
  mutating func watch(_ line: RawSpan, _ reader: inout LogReader) {
    if number >= Self.mostWatched && !hasRareAnchors && !hasHeadings {
      isWatching = false
      return
    }
    if number < Self.mostWatched { reader.checkByteless(line) }
    if hasHeadings { reader.note(heading: line) }
    if line.byteCount > limits.lineBytes || !LogRareNotations.isMarked(line) { return }
    if reader.readRare(line, origin()) { hasRareAnchors = true }
  }
}
