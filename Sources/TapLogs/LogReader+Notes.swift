// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Notes what lines say that are read for no message.
extension LogReader {
  /// Notes whether a line at the beginning is of a program that logs no bytes of its messages.
  mutating func checkByteless(_ line: RawSpan) {
    if mayBeByteless { taker.reporter.tally.byteless = BytelessLog.find(line) }
  }

  /// The same for a line and the one below it, where the bytes could stand.
  mutating func checkByteless(_ line: RawSpan, above next: RawSpan) {
    if mayBeByteless { taker.reporter.tally.byteless = BytelessLog.find(line, above: next) }
  }

  private var mayBeByteless: Bool { !hasMessages && taker.reporter.tally.byteless == nil }

  /// A line that may name the file of those below.
  mutating func note(heading line: RawSpan, _ origin: Origin) {
    taker.factReader.sources.note(heading: line)
    _ = reportCut(line, origin)
  }

  /// Reports a message of which tshark prints too little to be read; answers whether there is one.
  mutating func reportCut(_ line: RawSpan, _ origin: Origin) -> Bool {
    guard DissectedLine.isCut(line), line.firstIndex(of: .lineFeed) == nil else { return false }
    var finding = Finding(
      .logUnread, .warning, origin,
      "the text of a message is cut here, and cannot be read: give the capture itself")
    finding.lostMessages = 1
    sink.finding(finding)
    return true
  }

  /// A list behind these words is no message.
  mutating func note(strange shape: UInt64) { taker.judge.score.note(strange: shape) }

  /// Forgets the messages of this line so far: what comes next was written over it.
  mutating func forgetCopies() { taker.judge.forgetCopies() }

  /// A line that is skipped, as it is too long.
  func reportOverlong(_ origin: Origin) {
    sink.finding(
      .logLineTooLong, .warning, origin,
      "line \(origin.record), at \(place.byte(origin.offset)), is longer than"
        + " \(limits.lineBytes) bytes; it is skipped")
  }
}
