// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that the next line may print once more.
extension LogReader {
  /// Programs that print a message twice print the list of the application first.
  mutating func isRepetition(
    _ sight: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement,
    _ sink: any EvidenceSink
  ) -> Bool {
    if let (waiting, held, _) = repeated {
      let isSame =
        (sight.match != nil || waiting.isCut && !sight.isCut)
        && sight.origin.record == waiting.origin.record + 1
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
    guard sight.match == nil, tally.hasRepeats || sight.isCut else { return false }
    repeated = (sight, bytes.copied(), judgement)
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
