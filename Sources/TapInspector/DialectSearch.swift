// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// A conversation whose first message shows no dialect, or only a possible one. Messages are
/// reported as they come, and each further one is examined until one shows more, at most
/// `Limits.recognisedMessages`.
struct DialectSearch: Layer {
  private let opening: Opening
  private let run: RunContext
  private var candidates: DialectCandidates?
  private var above: any Layer
  /// The dialect of `above`; nil where it is of none.
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
    // The detector has examined the first message already.
    if isFirst { return isFirst = false }
    let opening = opening
    let best = candidates?.best(bytes, delivery, in: opening, isFirst: false, listener)
    // An object after other messages may be the payload of a protocol that is not read here.
    guard let best, best.grade > max(grade, .general) else { return }
    if let dialect, Symbol(dialect.name).equals(Symbol(best.dialect.name)) {
      grade = best.grade
      if grade == .likely { candidates = nil }
      return
    }
    // End the layer it was taken for; nothing that it says now is reported.
    above.finish(.closed, delivery, NullListener())
    var rest = opening
    rest.isFromStart = false
    (above, dialect, grade) = (best.dialect.layer(rest, run), best.dialect, best.grade)
    listener.finding(
      .dialectLate, .note, delivery.origin,
      "from this message on it is read as \(best.dialect.name); those before it did not show that"
    )
    if grade == .likely { candidates = nil }
  }

  mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    above.hear(delivery, listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    above.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    above.finish(ending, delivery, listener)
  }

  var settlement: Settlement { candidates == nil ? .by(above) : .notYet }
}
