// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// The first message of a conversation tells its dialect, unless the handshake has. What it does
/// not tell, one of those behind it may.
struct DialectJudge: Undecided.Judge {
  private let opening: Opening
  private let run: RunContext
  private var candidates: DialectCandidates

  init(_ opening: Opening, _ run: RunContext) {
    (self.opening, self.run) = (opening, run)
    candidates = DialectCandidates(limits: run.limits)
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    // What has holes may look like anything, or like nothing.
    if delivery.kind.isPartial || delivery.kind == .withheld { return .wait }
    guard let best = candidates.best(bytes, delivery, in: opening, isFirst: true, listener) else {
      return settle(delivery, listener)
    }
    let layer = best.dialect.layer(opening, run)
    if best.grade == .likely { return .layer(layer, isReversed: false) }
    return .layer(
      Recognising(opening, run, candidates, meanwhile: layer, best.grade), isReversed: false)
  }

  mutating func settle(_ delivery: Delivery, _ listener: any Listener) -> Undecided.Decision {
    if let said = Dialects.named(opening.provenance.dialect) {
      return .layer(said.layer(opening, run), isReversed: false)
    }
    let unclaimed = UnclaimedLayer(carrier: opening.carrier)
    return .layer(
      Recognising(opening, run, candidates, meanwhile: unclaimed, .none), isReversed: false)
  }
}

extension Finding.Code {
  /// Two dialects recognise a message equally well.
  static let dialectAmbiguous: Self = "dialect.ambiguous"
  /// What is spoken was recognised after other messages.
  static let dialectLate: Self = "dialect.recognised-late"
}

/// Asks all dialects whether a message is theirs.
struct DialectCandidates {
  private var recognisers: [any Recogniser]

  init(limits: Limits) {
    recognisers = Dialects.all.map { $0.recogniser(limits: limits) }
  }

  /// The dialect that recognises a message best; nil where none does, or two do equally well on
  /// weak evidence. Says which others may be spoken.
  mutating func best(
    _ bytes: RawSpan, _ delivery: Delivery, in opening: Opening, isFirst: Bool,
    _ listener: any Listener
  ) -> (dialect: any Dialect, grade: Recognition.Grade)? {
    var found: [(dialect: any Dialect, grade: Recognition.Grade)] = []
    for (place, dialect) in Dialects.all.enumerated() {
      let grade = recognisers[place].recognise(
        bytes, delivery.kind, in: .conversation(opening, isFirst: isFirst)
      ).grade
      if grade != .none { found.append((dialect, grade)) }
    }
    guard let grade = found.map(\.grade).max(),
      let best = found.firstIndex(where: { $0.grade == grade })
    else { return nil }
    let winner = found.remove(at: best)
    let others = found.filter { $0.grade > .general }
    if others.isEmpty { return winner }
    let isOpen = grade == .possible
    let names = others.map { "\($0.dialect.name)" }.joined(separator: ", ")
    listener.finding(
      Finding(
        .dialectAmbiguous, .note, delivery.origin,
        isOpen
          ? "by this message it could be \(winner.dialect.name) or \(names): it is not read as any"
          : "read as \(winner.dialect.name); by this message it could be \(names) as well"))
    return isOpen ? nil : winner
  }
}

/// A conversation whose first message is of no dialect, or may be of any: it is told as it comes,
/// and each further message is looked at until one tells more, or until `Limits.recognised`.
private struct Recognising: Layer {
  private let opening: Opening
  private let run: RunContext
  private var candidates: DialectCandidates?
  private var above: any Layer
  private var grade: Recognition.Grade
  private var left: (messages: Int, octets: Int)

  init(
    _ opening: Opening, _ run: RunContext, _ candidates: DialectCandidates,
    meanwhile above: any Layer, _ grade: Recognition.Grade
  ) {
    (self.opening, self.run, self.candidates) = (opening, run, candidates)
    (self.above, self.grade) = (above, grade)
    left = (run.limits.recognisedMessages, run.limits.recognisedBytes)
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if candidates != nil { look(bytes, delivery, listener) }
    above.receive(bytes, delivery, listener)
  }

  private mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    left = (left.messages - 1, left.octets - bytes.byteCount)
    guard left.messages >= 0 && left.octets >= 0 else { return candidates = nil }
    if delivery.kind.isPartial || delivery.kind == .withheld { return }
    let opening = opening
    let best = candidates?.best(bytes, delivery, in: opening, isFirst: false, listener)
    guard let best, best.grade > grade else { return }
    // What it was taken for has nothing more to say.
    above.finish(.closed, delivery, NullListener())
    var rest = opening
    rest.isFromStart = false
    (above, grade) = (best.dialect.layer(rest, run), best.grade)
    listener.finding(
      Finding(
        .dialectLate, .note, delivery.origin,
        "this message tells that \(best.dialect.name) is spoken: those before it were not read so"))
    if grade == .likely { candidates = nil }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    above.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    above.finish(ending, delivery, listener)
  }

  var settlement: Settlement { candidates == nil ? .by(above) : .notYet }
}
