// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Judges one connection by the links that its messages declare: questions without an answer,
/// answers that nobody asked for, ids that are used again while open. Knows no dialect: each gives
/// a table of its spaces.
///
/// What is in its table was seen. What is not was never there only while `knowsAll`.
public struct ExchangeRules {
  /// The words and findings of one kind of exchange.
  public struct Rule: Sendable {
    /// Spaces of links that it is about: one for each side that may ask.
    public var spaces: ClosedRange<UInt8>
    /// What asks: `REQUEST`.
    public var question: StaticString
    public var unanswered: Finding.Code
    /// Of a question whose answers have begun and not ended when the connection does; nil where
    /// that is no finding.
    public var leftOpen: Finding.Code?
    /// Nil where an answer to nothing is no answer.
    public var unknown: Finding.Code?
    public var repeated: Finding.Code
    /// Of an answer to nothing.
    public var severity: Finding.Severity

    public init(
      spaces: ClosedRange<UInt8>, question: StaticString, unanswered: Finding.Code,
      unknown: Finding.Code?, repeated: Finding.Code, leftOpen: Finding.Code? = nil,
      severity: Finding.Severity = .error
    ) {
      (self.spaces, self.question, self.severity) = (spaces, question, severity)
      (self.unanswered, self.unknown, self.repeated) = (unanswered, unknown, repeated)
      self.leftOpen = leftOpen
    }
  }

  /// A finding that would be false if a question had been sent before: bytes that wait for a hole
  /// may be told late.
  private struct Pending {
    var finding: Finding
    var key: WideKey
    /// Who would have asked.
    var asker: Direction
  }

  /// Everything since the connection began was captured, could be read, and is remembered.
  public private(set) var knowsAll: Bool
  private var hasGaps = false
  /// Questions had to be forgotten, which is told once.
  private var hasForgotten = false
  /// A question without an answer.
  private struct Question: BitwiseCopyable {
    enum State: BitwiseCopyable {
      /// It must be answered.
      case awaited
      /// It may stay without an answer.
      case optional
      /// It has an answer, and may have more.
      case streaming
      /// Its asker wants none any more; one may be on its way.
      case canceled
    }

    var origin: Origin
    var state: State
    /// Its answer may have been missed.
    var mayBeOver = false
  }

  private var open = IDTable<Question>(minimumCapacity: 1)
  /// Something was asked since a message was missed last.
  private var hasSureQuestions = false
  private var pending = ContiguousArray<Pending>()
  /// Questions that this connection may have open; more is taken from what all share.
  private var room: Int
  private let rules: [Rule]
  private let limits: Limits

  public init(_ rules: [Rule], knowsAll: Bool, limits: Limits) {
    (self.rules, self.knowsAll, self.limits) = (rules, knowsAll, limits)
    room = limits.sessionEntries
  }

  /// A message that was told.
  ///
  /// - Parameter isAnswerExpected: whether what it asks must be answered.
  public mutating func look(
    _ message: Message, isAnswerExpected: Bool = true, _ listener: any Listener
  ) {
    // Pasted text does not say who speaks.
    if message.origin.direction == .unknown { return }
    if !pending.isEmpty { reconsider(message, listener) }
    for index in 0..<3 {
      let link = message.link(index)
      let key = WideKey(UInt64(link.space), link.key)
      switch link.role {
      case .opens where !message.traits.contains(.asksNothing):
        guard let rule = rule(link.space) else { continue }
        if !ask(key, message.origin, isAnswerExpected: isAnswerExpected, listener) {
          tell(
            rule.repeated, rule.severity, message,
            "another \(rule.question) with this id has no answer yet", listener)
        }
      case .answers:
        guard let rule = rule(link.space), open.removeValue(for: key) == nil else { continue }
        if let finding = unknown(rule, message) { suspect(finding, key, listener) }
      case .continues:
        guard let rule = rule(link.space), open[key] == nil else { continue }
        if let finding = unknown(rule, message) { suspect(finding, key, listener) }
      default: break
      }
    }
  }

  /// A message that could not be read, or was not captured, may have been anything.
  public mutating func miss() {
    (knowsAll, hasGaps) = (false, true)
    if !pending.isEmpty { pending.removeAll() }
    if hasSureQuestions { open.updateEach { $0.mayBeOver = true } }
    hasSureQuestions = false
  }

  /// The connection, or the evidence, ends.
  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if ending == .half { return }
    for one in pending { listener.finding(one.finding) }
    pending.removeAll()
    defer { forget() }
    if hasGaps { return }
    var left: [(key: WideKey, question: Question)] = []
    let isEnd = ending == .endOfEvidence
    open.forEach {
      let isLeft = $1.state == .awaited || $1.state == .streaming && !isEnd
      if isLeft { left.append(($0, $1)) }
    }
    // Of several in one packet, the first in its stream.
    left.sort {
      let (first, second) = ($0.question.origin, $1.question.origin)
      if first.isBefore(second) || second.isBefore(first) { return first.isBefore(second) }
      return first.offset < second.offset
    }
    for (key, question) in left {
      let space = UInt8(truncatingIfNeeded: key.high)
      guard let rule = rule(space) else { continue }
      var finding: Finding
      if question.state == .streaming {
        guard let code = rule.leftOpen else { continue }
        finding = Finding(code, .note, delivery.origin, "\(rule.question)")
        finding.remainder = " was still open when the connection ended"
      } else {
        finding = Finding(
          rule.unanswered, isEnd ? .note : .warning, delivery.origin, "\(rule.question)")
        finding.remainder = isEnd ? " had no answer when the capture ended" : " was never answered"
      }
      finding.about = Link(.opens, "", key.low, space: space)
      listener.finding(finding)
    }
  }

  private func rule(_ space: UInt8) -> Rule? { rules.first { $0.spaces.contains(space) } }

  private func unknown(_ rule: Rule, _ message: Message) -> Finding? {
    rule.unknown.map {
      Finding(
        $0, rule.severity, message.origin,
        "\(message.name), but no \(rule.question) with this id waits for an answer")
    }
  }

  /// Whether something was asked for under this key, and not answered. It is `mutating` so that a
  /// caller that is changing itself lends this value and does not copy it.
  public mutating func isAsked(_ key: WideKey) -> Bool { open[key] != nil }

  /// Something is asked for under a key; answers whether it was not there yet.
  public mutating func ask(
    _ key: WideKey, _ origin: Origin, isAnswerExpected: Bool = true, _ listener: any Listener
  ) -> Bool {
    // Answered before it was told.
    if let place = pending.firstIndex(where: { $0.key == key }) {
      pending.remove(at: place)
      return true
    }
    if open.count >= room {
      if limits.watchedEntries.take(room) {
        room *= 2
      } else {
        forget()
        // What was forgotten must not be called unknown.
        if !hasForgotten { listener.count(.sessionUnwatched, 1) }
        hasForgotten = true
        (knowsAll, hasGaps) = (false, true)
      }
    }
    let question = Question(origin: origin, state: isAnswerExpected ? .awaited : .optional)
    hasSureQuestions = true
    let (slot, isNew) = open.insert(question, for: key)
    if isNew { return true }
    let before = open[slot: slot]
    if before.state == .canceled || before.mayBeOver {
      open[slot: slot] = question
      return true
    }
    return false
  }

  /// What was asked under this key has been answered.
  public mutating func settle(_ key: WideKey) { _ = open.removeValue(for: key) }

  /// What was asked under this key has an answer, and may have more.
  public mutating func answerInPart(_ key: WideKey) {
    guard let slot = open.slot(of: key), open[slot: slot].state != .canceled else { return }
    open[slot: slot].state = .streaming
  }

  /// Who asked under this key wants no answer any more.
  public mutating func cancel(_ key: WideKey) {
    if let slot = open.slot(of: key) { open[slot: slot].state = .canceled }
  }

  private mutating func forget() {
    open = IDTable(minimumCapacity: 1)
    limits.watchedEntries.give(room - limits.sessionEntries)
    room = limits.sessionEntries
  }

  private func tell(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: Message, _ text: String,
    _ listener: any Listener
  ) {
    listener.finding(
      Finding(code, severity, message.origin, text, isAboutLastMessage: true))
  }

  /// Tells a finding about a message unless the other side turns out to have asked before, which
  /// would explain it.
  public mutating func suspect(
    _ finding: Finding, _ key: WideKey, _ listener: any Listener
  ) {
    if !knowsAll { return }
    if pending.count >= limits.findingsPerCode {
      listener.finding(pending.removeFirst().finding)
    }
    pending.append(
      Pending(finding: finding, key: key, asker: finding.origin.direction.reversed))
  }

  /// Something of this key was there after all: a finding that waits for it is not told.
  public mutating func explain(_ key: WideKey) {
    if !pending.isEmpty { pending.removeAll { $0.key == key } }
  }

  /// Who would have asked goes on: what that does not explain now, it never will.
  private mutating func reconsider(_ message: Message, _ listener: any Listener) {
    func isOver(_ one: Pending) -> Bool {
      one.asker == message.origin.direction && !message.origin.isBefore(one.finding.origin)
    }
    for one in pending where isOver(one) { listener.finding(one.finding) }
    pending.removeAll(where: isOver)
  }
}
