// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// Asks all dialects whether a message is theirs.
struct DialectCandidates {
  private var recognisers: [any Recogniser]
  private var hasToldOthers = false
  /// The last message may be one of a dialect that shows itself only in others.
  private(set) var isUndecided = false

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
    isUndecided = false
    for (place, dialect) in Dialects.all.enumerated() {
      let recognition = recognisers[place].recognise(
        bytes, delivery.kind, in: .conversation(opening, isFirst: isFirst))
      if recognition.isUndecided { isUndecided = true }
      let grade = recognition.grade
      if grade != .none { found.append((dialect, grade)) }
    }
    guard let grade = found.map(\.grade).max(),
      let best = found.firstIndex(where: { $0.grade == grade })
    else { return nil }
    let winner = found.remove(at: best)
    let others = found.filter { $0.grade > .general }
    if others.isEmpty { return winner }
    let isOpen = grade == .possible
    if hasToldOthers { return isOpen ? nil : winner }
    hasToldOthers = true
    let names = others.map { "\($0.dialect.name)" }.joined(separator: ", ")
    listener.finding(
      Finding(
        .dialectAmbiguous, .note, delivery.origin,
        isOpen
          ? "by its form it could be \(winner.dialect.name) or \(names): it is shown as it is"
          : "read as \(winner.dialect.name); by its form it could be \(names) as well"))
    return isOpen ? nil : winner
  }
}

/// A conversation whose first message is of no dialect, or may be of any: it is told as it comes,
/// and each further message is looked at until one tells more, or `Limits.recognisedMessages` were.
struct DialectSearch: Layer {
  private let opening: Opening
  private let run: RunContext
  private var candidates: DialectCandidates?
  private var above: any Layer
  /// Of `above`; nil where that knows none.
  private var dialect: (any Dialect)?
  private var grade: Recognition.Grade
  private var left: (messages: Int, octets: Int)
  private var isFirst = true

  init(
    _ opening: Opening, _ run: RunContext, _ candidates: DialectCandidates,
    meanwhile above: any Layer, of dialect: (any Dialect)? = nil, _ grade: Recognition.Grade
  ) {
    (self.opening, self.run, self.candidates) = (opening, run, candidates)
    (self.above, self.dialect, self.grade) = (above, dialect, grade)
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
    // The first was looked at before there was this layer.
    if isFirst { return isFirst = false }
    let opening = opening
    let best = candidates?.best(bytes, delivery, in: opening, isFirst: false, listener)
    // An object behind other messages may be the payload of a protocol that is not read here.
    guard let best, best.grade > max(grade, .general) else { return }
    if let dialect, Symbol(dialect.name).equals(Symbol(best.dialect.name)) {
      grade = best.grade
      if grade == .likely { candidates = nil }
      return
    }
    // What it was taken for has nothing more to say.
    above.finish(.closed, delivery, NullListener())
    var rest = opening
    rest.isFromStart = false
    (above, dialect, grade) = (best.dialect.layer(rest, run), best.dialect, best.grade)
    listener.finding(
      Finding(
        .dialectLate, .note, delivery.origin,
        "from this message on it is read as \(best.dialect.name); those before it did not show that"
      ))
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
