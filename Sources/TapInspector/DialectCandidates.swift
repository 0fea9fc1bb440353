// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// Asks all dialects whether they recognise a message.
struct DialectCandidates {
  private var recognisers: [any Recogniser]
  private let scan: SharedScan
  private var hasReportedOthers = false
  /// The last message may belong to a dialect that only other messages can show.
  private(set) var isUndecided = false

  init(limits: Limits) {
    scan = SharedScan(limits: limits)
    recognisers = Dialects.recognisers(limits: limits, scan)
  }

  /// The dialect that recognises a message best; nil if none does, or if two do equally well on
  /// weak evidence. Reports once which other dialects it could be.
  mutating func best(
    _ bytes: RawSpan, _ delivery: Delivery, in opening: Opening, isFirst: Bool,
    _ listener: any Listener
  ) -> (dialect: any Dialect, grade: Recognition.Grade)? {
    var found: [(dialect: any Dialect, grade: Recognition.Grade)] = []
    isUndecided = false
    scan.begin()
    let context = Recognition.Context.conversation(opening, isFirst: isFirst)
    for place in recognisers.indices {
      let recognition = recognisers[place].recognise(bytes, delivery.kind, in: context)
      if recognition.isUndecided { isUndecided = true }
      let grade = recognition.grade
      if grade != .none { found.append((Dialects.all[place], grade)) }
    }
    guard let grade = found.map(\.grade).max(),
      let best = found.firstIndex(where: { $0.grade == grade })
    else { return nil }
    let winner = found.remove(at: best)
    let others = found.filter { $0.grade > .general }
    if others.isEmpty { return winner }
    let isOpen = grade == .possible
    if hasReportedOthers { return isOpen ? nil : winner }
    hasReportedOthers = true
    let names = others.map { "\($0.dialect.name)" }.joined(separator: ", ")
    listener.finding(
      .dialectAmbiguous, .note, delivery.origin,
      isOpen
        ? "by its form it could be \(winner.dialect.name) or \(names): it is shown as it is"
        : "read as \(winner.dialect.name); by its form it could be \(names) as well")
    return isOpen ? nil : winner
  }
}
