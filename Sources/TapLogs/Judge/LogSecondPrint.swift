// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A message without a direction that the next line may print once more: programs that print a
/// message twice print the list of the application first.
struct LogSecondPrint {
  typealias Message = (candidate: LogCandidate, bytes: [UInt8], judgement: LogJudge.Judgement)

  private(set) var waiting: Message?

  /// Whether a message is the one that waits, printed once more.
  func isSame(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    guard let (first, held, _) = waiting,
      candidate.match != nil || first.isCut && !candidate.isCut,
      candidate.origin.record == first.origin.record + 1
    else { return false }
    return first.isCut
      ? SameList.isSame(abridged: held.span.bytes, bytes)
      : SameList.isSame(held.span.bytes, bytes)
  }

  mutating func wait(_ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement) {
    waiting = (candidate, bytes.copied(), judgement)
  }

  mutating func take() -> Message? { waiting.take() }
}
