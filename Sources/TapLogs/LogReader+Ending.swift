// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What is told when no more lines come, or none for a while.
extension LogReader {
  /// A message was found, or may be on a line that waits.
  var hasMessages: Bool { tally.hasMessages || !layers.waiting.isEmpty }

  /// Where the first line that waits for others begins.
  var waiting: UInt64? {
    let first = [
      layers.waiting.first?.origin.offset, secondPrint.waiting?.candidate.origin.offset,
      libraryPrints.waiting, narration.waiting,
    ]
    return first.compactMap { $0 }.min()
  }

  /// Others do not come.
  mutating func settle() {
    decideLayers()
    endSecondPrint()
    endLibraryPrints()
    settleNarrated()
  }

  /// No more lines come.
  mutating func finish() {
    decideLayers()
    endSecondPrint()
    endLibraryPrints()
    teller.endOrder(&factReader.clock, &tally, sink)
    narrateKept()
    settleNarrated()
    tally.narrated = narratedTeller.counts
    (tally.untaken, tally.untakenJSON) = (judge.untaken, judge.untakenJSON)
    sink.recognised(
      tally.verdict(factReader.clock, isForced: place.choice.isForced), place.origin(0))
    if place.choice.isPasted { return }
    sink.count(.line, Int(tally.lines))
    sink.count(.linePassedOver, Int(tally.passedOver))
  }
}
