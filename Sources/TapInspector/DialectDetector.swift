// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// Recognises the dialect of a conversation by its first message, unless the handshake named it. If
/// the first message does not show it, a later one may.
struct DialectDetector: DecidingLayer.Detector {
  private let opening: Opening
  private let run: RunContext
  private var candidates: DialectCandidates
  /// How many messages may be held in wait for one that shows more.
  private var patience = 4
  /// What the first message is taken for, if none behind it shows more.
  private var guess: (dialect: any Dialect, grade: Recognition.Grade)?

  init(_ opening: Opening, _ run: RunContext) {
    (self.opening, self.run) = (opening, run)
    candidates = DialectCandidates(limits: run.limits)
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    // A message with unknown bytes proves nothing.
    if delivery.kind.isPartial || delivery.kind == .withheld { return .wait }
    let best = candidates.best(bytes, delivery, in: opening, isFirst: true, listener)
    guard let best, best.grade > .general || !candidates.isUndecided else {
      guess = guess ?? best
      patience -= 1
      if candidates.isUndecided && patience > 0 { return .wait }
      return settle(since, listener)
    }
    return begin(best)
  }

  private func begin(
    _ best: (dialect: any Dialect, grade: Recognition.Grade)
  ) -> DecidingLayer.Decision {
    let layer = best.dialect.layer(opening, run)
    if best.grade == .likely { return .layer(layer, isReversed: false) }
    return .layer(
      DialectSearch(
        opening, run, candidates, meanwhile: layer, of: best.dialect, best.grade),
      isReversed: false)
  }

  mutating func settle(_ since: Delivery, _ listener: any Listener) -> DecidingLayer.Decision {
    if let said = Dialects.named(opening.provenance.dialect) {
      return .layer(said.layer(opening, run), isReversed: false)
    }
    if let guess { return begin(guess) }
    let unclaimed = UnclaimedLayer(opening)
    return .layer(
      DialectSearch(opening, run, candidates, meanwhile: unclaimed, .none), isReversed: false)
  }
}
