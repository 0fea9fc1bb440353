// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What lines say that are read for no message.
extension LogReader {
  /// A line of the beginning, which may show that such lines hold no messages.
  mutating func checkByteless(_ line: RawSpan) {
    if !hasMessages && taker.tally.byteless == nil { taker.tally.byteless = BytelessLog.find(line) }
  }

  /// A line that should stand above what it names, and the next.
  mutating func checkByteless(_ line: RawSpan, above next: RawSpan) {
    if !hasMessages && taker.tally.byteless == nil {
      taker.tally.byteless = BytelessLog.find(line, above: next)
    }
  }

  /// A line that may name the file of those below.
  mutating func note(heading line: RawSpan) { taker.factReader.sources.note(heading: line) }

  /// A list behind these words is no message.
  mutating func note(strange shape: UInt64) { taker.judge.note(strange: shape) }

  /// What stands on the line so far is not what comes next.
  mutating func forgetCopies() { taker.judge.copies = LogRecordCopies() }

  /// A line that is skipped, as it is too long.
  func tellOverlong(_ origin: Origin) {
    sink.finding(
      Finding(
        .logLineTooLong, .warning, origin,
        "line \(origin.record), at \(place.byte(origin.offset)), is longer than"
          + " \(limits.lineBytes) bytes; it is skipped"))
  }
}
