// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that the next line may print once more.
extension LogReader {
  /// Programs that print a message twice print the list of the application first.
  mutating func isRepetition(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement,
    _ sink: any EvidenceSink
  ) -> Bool {
    if let (waiting, held, _) = repeated {
      let isSame =
        (candidate.match != nil || waiting.isCut && !candidate.isCut)
        && candidate.origin.record == waiting.origin.record + 1
        && (waiting.isCut
          ? SameList.isSame(abridged: held.span.bytes, bytes)
          : SameList.isSame(held.span.bytes, bytes))
      if isSame {
        repeated = nil
        tally.use(waiting.origin.record)
      }
      endRepeated(sink)
    }
    // The console of a browser prints an object as it may be unfolded, `(3) [1, "realm1", {…}]`.
    guard candidate.match == nil, tally.hasRepeats || candidate.isCut else { return false }
    repeated = (candidate, bytes.copied(), judgement)
    return true
  }

  /// What waited for being printed once more is told now.
  mutating func endRepeated(_ sink: any EvidenceSink) {
    if let (waiting, held, judgement) = repeated.take() {
      settle(waiting, held.span.bytes, judgement, sink)
    }
    passContext(sink)
  }
}
