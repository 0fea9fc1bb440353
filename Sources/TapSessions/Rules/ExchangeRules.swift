// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Judges one connection by the links of its messages: requests without an answer, answers without
/// a request, ids that are reused while open. It knows no dialect: each provides a table of rules.
///
/// A request in the table was seen. One that is not in it was never sent, but only while
/// `knowsAll`.
public struct ExchangeRules {
  /// The words and findings of one kind of exchange.
  public struct Rule: Sendable {
    /// The spaces of links that it covers: one for each side that may ask.
    public var spaces: ClosedRange<UInt8>
    /// The name of a request: `REQUEST`.
    public var question: StaticString
    public var unanswered: Finding.Code
    /// For a request whose answers have begun but not ended when the connection closes; nil where
    /// that is no finding.
    public var leftOpen: Finding.Code?
    /// For an answer without a request; nil where that is allowed.
    public var unknown: Finding.Code?
    public var repeated: Finding.Code
    /// Of `unknown` and `repeated`.
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

  /// Everything since the connection began was captured, could be read, and is remembered.
  public private(set) var knowsAll: Bool
  private var hasGaps = false
  /// Requests had to be forgotten, which is counted once.
  private var hasForgotten = false
  /// A request without a final answer.
  private struct Question: BitwiseCopyable {
    enum State: BitwiseCopyable {
      /// It must be answered.
      case awaited
      /// It may remain unanswered.
      case optional
      /// It has an answer, and more may follow.
      case streaming
      /// The asker has cancelled it; an answer may still be under way.
      case canceled
    }

    var origin: Origin
    var state: State
    /// How many losses there were when it was asked.
    var losses: SideLosses
  }

  private var open = IDTable<Question>(minimumCapacity: 1)
  private var losses = SideLosses()
  private var reuse = IDReuse()
  /// Those about answers, by the key of the request that would explain them.
  private var pending: PendingFindings<WideKey>
  /// How many requests may be open; doubled from what all connections share.
  private var room: Int
  private let rules: [Rule]
  private let limits: Limits
  /// Messages come by several connections: one may be lost although later ones came.
  private let isSpanning: Bool

  public init(_ rules: [Rule], knowsAll: Bool, isSpanning: Bool = false, limits: Limits) {
    (self.rules, self.knowsAll, self.limits) = (rules, knowsAll, limits)
    self.isSpanning = isSpanning
    room = limits.sessionEntries
    pending = PendingFindings(most: limits.findingsPerCode)
  }

  /// Examines a message that was reported.
  ///
  /// - Parameter isAnswerExpected: whether the message's request must be answered.
  public mutating func look(
    _ message: Message, isAnswerExpected: Bool = true, _ listener: any Listener
  ) {
    // Pasted text does not say who sent it.
    if message.origin.direction == .unknown { return }
    if !pending.isEmpty && !isSpanning { reconsider(message, listener) }
    for index in 0..<3 {
      let link = message.link(index)
      let key = WideKey(UInt64(link.space), link.key)
      switch link.role {
      case .opens where !message.traits.contains(.asksNothing):
        guard let rule = rule(link.space) else { continue }
        if !ask(key, message.origin, isAnswerExpected: isAnswerExpected, listener) {
          listener.remark(
            rule.repeated, rule.severity, message.origin,
            "another \(rule.question) with this id has no answer yet")
        }
      case .answers:
        guard let rule = rule(link.space), !end(key) else { continue }
        if let finding = unknown(rule, message) { suspect(finding, key, listener) }
      case .continues:
        guard let rule = rule(link.space), open[key] == nil else { continue }
        if let finding = unknown(rule, message) { suspect(finding, key, listener) }
      default: break
      }
    }
  }

  /// Looks at a message before it is reported: behind a loss, what its ids mean may have changed.
  ///
  /// A request whose id is open already begins an exchange of its own, as the answer to the one
  /// before may be lost. Where ids are seen to be used again, an answer is not joined with a
  /// request if bytes of the asking side were lost in between: it may answer a request among these.
  /// `mutating` for the same reason as `isAsked`.
  public mutating func adjustLinks(of message: inout Message) {
    if !hasGaps { return }
    message.first = adjusted(message.first, &message)
    message.second = adjusted(message.second, &message)
    message.third = adjusted(message.third, &message)
  }

  private func adjusted(_ link: Link, _ message: inout Message) -> Link {
    guard link.role == .opens || link.role == .answers || link.role == .continues,
      let question = open[WideKey(UInt64(link.space), link.key)], question.losses != losses
    else { return link }
    if link.role == .opens {
      message.traits.insert(.beginsAnew)
      return link
    }
    let asker = question.origin.direction
    if !reuse.isSeen || question.losses[asker] == losses[asker] { return link }
    var shown = link
    shown.role = .shows
    return shown
  }

  /// A message was not captured or could not be read: it may have been anything.
  ///
  /// - Parameter direction: whose message; unknown for either side's.
  public mutating func miss(_ direction: Direction = .unknown) {
    (knowsAll, hasGaps) = (false, true)
    if !pending.isEmpty { pending.forget() }
    losses.add(direction)
  }

  /// The connection, or the evidence, ends.
  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if ending == .half { return }
    pending.report(listener)
    defer { forget() }
    if hasGaps { return }
    var left: [(key: WideKey, question: Question)] = []
    let isEnd = ending == .endOfEvidence
    open.forEach {
      let isLeft = $1.state == .awaited || $1.state == .streaming && !isEnd
      if isLeft { left.append(($0, $1)) }
    }
    // Of several in one packet, the first in the stream comes first.
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

  /// Whether a request with this key is open. `mutating`, so that a caller that is itself being
  /// changed lends this value instead of copying it.
  public mutating func isAsked(_ key: WideKey) -> Bool { open[key] != nil }

  /// Notes a request; false if one with the same key is open already.
  public mutating func ask(
    _ key: WideKey, _ origin: Origin, isAnswerExpected: Bool = true, _ listener: any Listener
  ) -> Bool {
    // Its answer was reported before the request.
    if !pending.isEmpty && pending.explain(first: { $0 == key }) { return true }
    if open.count >= room {
      if limits.watchedEntries.take(room) {
        room *= 2
      } else {
        forget()
        // An answer to a forgotten request must not be reported as unknown.
        if !hasForgotten { listener.count(.sessionUnwatched, 1) }
        hasForgotten = true
        (knowsAll, hasGaps) = (false, true)
      }
    }
    let question = Question(
      origin: origin, state: isAnswerExpected ? .awaited : .optional, losses: losses)
    reuse.ask(key)
    let (slot, isNew) = open.insert(question, for: key)
    if isNew { return true }
    let before = open[slot: slot]
    if before.losses != losses { reuse.askAgain() }
    if before.state == .canceled || before.losses != losses {
      open[slot: slot] = question
      return true
    }
    return false
  }

  /// The request with this key has been answered.
  public mutating func settle(_ key: WideKey) { _ = end(key) }

  /// - Returns: whether it was open.
  private mutating func end(_ key: WideKey) -> Bool {
    if open.removeValue(for: key) == nil { return false }
    reuse.answer(key)
    return true
  }

  /// The request with this key has an answer, and more may follow.
  public mutating func answerInPart(_ key: WideKey) {
    guard let slot = open.slot(of: key), open[slot: slot].state != .canceled else { return }
    open[slot: slot].state = .streaming
  }

  /// The request with this key may have failed by what does not name it: it may remain unanswered.
  public mutating func excuse(_ key: WideKey) {
    if let slot = open.slot(of: key) { open[slot: slot].state = .optional }
  }

  /// The side that asked cancels the request with this key.
  public mutating func cancel(_ key: WideKey) {
    if let slot = open.slot(of: key) { open[slot: slot].state = .canceled }
  }

  /// The requests of a space were none: nobody has to answer them.
  public mutating func forget(space: UInt8) {
    _ = open.removeAll { key, _ in UInt8(truncatingIfNeeded: key.high) == space }
  }

  private mutating func forget() {
    open = IDTable(minimumCapacity: 1)
    limits.watchedEntries.give(room - limits.sessionEntries)
    room = limits.sessionEntries
  }

  /// Holds back a finding about an answer until it is certain that the other side had not sent the
  /// request before.
  public mutating func suspect(
    _ finding: Finding, _ key: WideKey, _ listener: any Listener
  ) {
    if knowsAll { pending.add(finding, unless: key, listener) }
  }

  /// The request with this key was there after all: drops the finding that waits for it.
  public mutating func explain(_ key: WideKey) {
    while !pending.isEmpty && pending.explain(first: { $0 == key }) {}
  }

  /// Messages of the asking side go on. If they are later than an answer that still lacks its
  /// request, the request was never sent.
  private mutating func reconsider(_ message: Message, _ listener: any Listener) {
    let origin = message.origin
    pending.reconsider(listener) { finding, _ in
      let isOver =
        finding.origin.direction.reversed == origin.direction && !origin.isBefore(finding.origin)
      return isOver ? .confirmed : .open
    }
  }
}
