// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that belong together, until a list ends.
struct LogGathering {
  var text = Scratch()
  var before: Scratch
  var end: ListEnd
  var origin: Origin
  /// Where the lines behind the first begin.
  var breaks: [Int] = []
  /// Octets of them that are not in the text.
  var removed: [Int] = []
  /// It has a bracket at its end, and more than that: nothing but a list that begins there can be
  /// what it waits for.
  var endsWithBracket: Bool {
    let text = text.bytes
    let last = (0..<text.byteCount).last { !ListStart.isSpace(text.byte(at: $0)) }
    return last.map { $0 > prefix && text.byte(at: $0) == 0x5B } ?? false
  }
  /// Octets above the line that is the first to have a list, of its record.
  var above = 0
  /// The record that the list is in, when that has several lines.
  var record: PrintedRecord?
  /// Nothing but the end of the record is waited for.
  var isListOver = false
  /// What a collector of logs puts before each line.
  var prefix = 0
  /// The line is in parts, of which the next follows.
  var isInParts = false
  /// Lines below are octets, as long as they are indented.
  var isBlock = false
  /// Words of a known program stand on its first line.
  var hasAnchor = false
  /// Lines of others that came in between.
  var foreign = 0
  /// Lines with times of their own that came in between, and the last of them.
  var interruptions = 0
  var interruption = Scratch()

  /// Whether the record goes on behind the lines that have come.
  mutating func isRecordOpen() -> Bool {
    guard var open = record else { return false }
    open.advance(text.bytes)
    record = open
    return open.isOpen
  }
}
