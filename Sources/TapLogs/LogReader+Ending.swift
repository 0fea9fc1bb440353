// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What is reported when no more lines come, or none for a while.
extension LogReader {
  /// A message was found, or may be on a line that waits.
  var hasMessages: Bool { taker.tally.hasMessages || !taker.layers.waiting.isEmpty }

  /// Where the first line that waits for others begins.
  var waiting: UInt64? {
    let first = [
      taker.layers.waiting.first?.origin.offset, taker.secondPrint.waiting?.candidate.origin.offset,
      taker.libraryPrints.waiting, narrated.waiting,
    ]
    return first.compactMap { $0 }.min()
  }

  /// No other lines come for now: decides what waits for them.
  mutating func settle() {
    decideLayers()
    taker.endPrints()
    narrated.settle(&taker)
  }

  /// No more lines come.
  mutating func finish() {
    decideLayers()
    taker.endPrints()
    taker.endOrder()
    narrated.readKept(&taker)
    narrated.settle(&taker)
    (taker.tally.narrated, taker.tally.narratedAbridged) = (narrated.counts, narrated.abridged)
    let score = taker.judge.score
    (taker.tally.untaken, taker.tally.untakenJSON) = (score.untaken, score.untakenJSON)
    sink.recognised(
      taker.tally.verdict(taker.factReader.clock, isForced: place.choice.isForced), place.origin(0))
    if place.choice.isPasted { return }
    sink.count(.line, Int(taker.tally.lines))
    sink.count(.linePassedOver, Int(taker.tally.passedOver))
  }
}
