// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What is reported when no more lines come, or none for a while.
extension LogReader {
  /// A message was found, or may be on a line that waits.
  var hasMessages: Bool { taker.reporter.tally.hasMessages || !taker.layers.waiting.isEmpty }

  /// Where the first line that waits for others begins.
  var waiting: UInt64? {
    let first = [
      taker.layers.waiting.first?.origin.offset, taker.secondPrint.waiting?.candidate.origin.offset,
      taker.libraryPrints.waiting, taker.turns.waiting, taker.context.firstUndecided,
      narrated.waiting,
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
    taker.reporter.reportSide()
    let (score, tally) = (taker.judge.score, taker.reporter.tally)
    sink.recognised(
      tally.verdict(taker.factReader.clock.caveats, score, isForced: place.choice.isForced),
      place.origin(0))
    if place.choice.isPasted { return }
    sink.count(.line, Int(tally.lines))
    sink.count(.linePassedOver, Int(tally.passedOver))
  }
}
