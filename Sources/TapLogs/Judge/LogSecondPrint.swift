// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A message that the next line may print once more: one without a direction, as programs that
/// print a message twice print the list of the application first; and one of a program whose lines
/// two handlers print.
struct LogSecondPrint {
  typealias Message = (candidate: LogCandidate, bytes: [UInt8], judgement: LogJudge.Judgement)

  private(set) var waiting: Message?

  /// Whether a message is the one that waits, printed once more. If the waiting one has a
  /// direction, the same text on the next line is another message: of another client, or an answer.
  func isSame(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    guard let (first, held, _) = waiting, first.match == nil,
      candidate.match != nil || first.isCut && !candidate.isCut,
      candidate.origin.record == first.origin.record + 1
    else { return false }
    return first.isCut
      ? SameList.isSame(abridged: held.span.bytes, bytes)
      : SameList.isSame(held.span.bytes, bytes)
  }

  /// Whether a message on a line has the bytes of the one that waits.
  func isSame(_ content: FoundMessage.Content, _ line: RawSpan) -> Bool {
    guard let waiting else { return false }
    switch content {
    case .line(let range): return line.extracting(range).equals(waiting.bytes.span.bytes)
    case .made(let text): return text.bytes.equals(waiting.bytes.span.bytes)
    }
  }

  /// Whether the line of a message is the one above it once more, in another form.
  func isSameLine(_ candidate: LogCandidate, _ bytes: RawSpan, _ line: LogLine) -> Bool {
    guard let (first, held, _) = waiting, let match = candidate.match,
      match.format.traits.contains(.ownHandler), match.ruleIndex == first.match?.ruleIndex,
      candidate.origin.record == first.origin.record + 1, bytes.equals(held.span.bytes)
    else { return false }
    if line.repeatsAbove { return true }
    // The handler of the library prints nothing before the mark. The other one may have escaped or
    // wrapped what is behind it.
    return match.rule.map { line.above.starts(with: $0.mark) } == true && !line.beginsLikeAbove
  }

  mutating func wait(_ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement) {
    waiting = (candidate, bytes.copied(), judgement)
  }

  mutating func take() -> Message? { waiting.take() }
}
