// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
public import TapTraffic

/// JSON of an application without a published protocol: objects, as text or binary. The meaning of
/// members is inferred from their names, and from answers that repeat an id.
public struct JSONLayer: Layer {
  private static let rules = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "question",
      unanswered: .jsonUnanswered, unknown: nil, repeated: .jsonIDDuplicate, severity: .note)
  ]

  private var scanner: JSONScanner
  private var notes = WorkingList<Note>()
  private var rules: ExchangeRules
  private var questions: JSONQuestions
  private let carrier: StaticString
  private var names: JSONNames
  /// The inferred meaning of members was reported.
  private var hasReported = false
  private let limits: Limits
  /// A bit for each direction in which objects were seen since its last gap.
  private var spoken: UInt8 = 0
  /// It was read from a log: the program that wrote it may have cut messages.
  private let isPrinted: Bool
  private let isStream: Bool
  private let isFromStart: Bool

  public init(_ opening: Opening, limits: Limits) {
    scanner = JSONScanner(maximumDepth: limits.nesting)
    rules = ExchangeRules(
      Self.rules, knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    questions = JSONQuestions(limits: limits)
    names = JSONNames(limits: limits)
    carrier = UnclaimedLayer.name(of: opening.carrier)
    self.limits = limits
    isPrinted = opening.provenance.isLogged
    isStream = opening.carrier == .stream
    isFromStart = opening.isFromStart
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.kind == .withheld {
      rules.miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    let isCut = delivery.kind.isCut(bytes)
    let end = isCut ? nil : scanner.scan(bytes)
    guard end == bytes.byteCount, !scanner.isArray, scanner.elements[0].kind == .object else {
      if isCut || !scanner.isNoMessage(bytes, delivery.kind, isPrinted: isPrinted) { rules.miss() }
      UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
      if !isCut && end != bytes.byteCount { reportBroken(bytes, delivery, listener) }
      return
    }
    spoken |= 1 << delivery.origin.direction.rawValue
    var (message, roles) = names.message(scanner, bytes, delivery)
    notes.removeAll()
    let answered = declare(roles, bytes, &message)
    let object = JSONRPCMessage(scanner.members, bytes)
    JSONSecrets.append(to: &notes, object, bytes, most: limits.maskedValues)
    rules.adjustLinks(of: &message)
    listener.message(message, bytes, notes.span)
    if let answered, !hasReported { reportInference(roles, answered, bytes, delivery, listener) }
    // Of a conversation that was joined midway, the first ids may be those of answers.
    rules.look(message, isAnswerExpected: isFromStart || questions.hasAnswers, listener)
    names.reportLackOfRoom(delivery, listener)
  }

  /// Reports a text that should be JSON: a line of a stream whose other lines are, or a text that
  /// begins with a brace. Others, such as `ping`, are additions of the application.
  private func reportBroken(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let isMeant = isStream || bytes.starts(with: "{")
    let isSpoken = spoken & 1 << delivery.origin.direction.rawValue != 0
    guard isSpoken, isMeant, !isPrinted, scanner.problem != .tooDeep else { return }
    let fault = scanner.problem == nil ? "more stands behind its first text" : scanner.fault
    listener.remark(.jsonBroken, .error, delivery.origin, "this is no JSON: \(fault)")
  }

  /// Declares the exchange that the message belongs to. Returns the index of the member that
  /// identified its question, if it is an answer.
  private mutating func declare(
    _ roles: JSONRoles, _ bytes: RawSpan, _ message: inout Message
  ) -> Int? {
    let direction = message.origin.direction
    message.first = .unkeyed
    if let reply = roles.reply, answers(reply, name: roles.replyName, bytes, &message) {
      return reply
    }
    // Not for messages of the client: what a server sends under an id is more often news of a thing
    // than a question, so the client's answer must say that it is one.
    let mayAnswer = direction != .toServer && !roles.isCounted
    let isOwn = questions.isByReference && questions.asks(under: roles.idName)
    if mayAnswer, !isOwn, let id = roles.id, answers(id, name: roles.idName, bytes, &message) {
      return id
    }
    guard let id = roles.id ?? roles.reply else { return nil }
    if roles.isCounted && (direction != .toServer || !questions.mayBeCounted) { return nil }
    note(id, bytes)
    if roles.isAnswerOnly { return nil }
    // mpv answers requests without an id with the id 0.
    if roles.hasOutcome && direction != .toServer { return nil }
    let key = key(of: id, bytes)
    let space = AskedSide.space(askedTo: direction)
    let question = WideKey(UInt64(space), key)
    let isOpen = rules.isAsked(question)
    if isPrinted && isOpen { questions.share(question) }
    let kind = roles.kind.map { self.key(of: $0, bytes) } ?? 0
    let name = roles.id == nil ? roles.replyName : roles.idName
    if questions.ask(question, from: direction, name: name, kind: kind, isOpen: isOpen) {
      message.first = Link(.opens, "", key, space: space)
      if !questions.isDue(kind, from: direction) { message.traits.insert(.mayAsk) }
    }
    return nil
  }

  /// Whether a member contains the id of an open question.
  private mutating func answers(
    _ member: Int, name: UInt16, _ bytes: RawSpan, _ message: inout Message
  ) -> Bool {
    let direction = message.origin.direction
    let key = key(of: member, bytes)
    let space = AskedSide.space(askedTo: direction.reversed)
    let question = WideKey(UInt64(space), key)
    guard direction != .unknown, rules.isAsked(question) else { return false }
    questions.noteAnswer(to: question, from: direction, name: name)
    note(member, bytes)
    let waiting = questions.takeShared(question)
    message.first = Link(waiting == nil ? .answers : .shows, "", key, space: space)
    if waiting == 1 { rules.settle(question) }
    return true
  }

  private mutating func key(of member: Int, _ bytes: RawSpan) -> UInt64 {
    scanner.members[member].value.identity(in: bytes)
  }

  private mutating func note(_ id: Int, _ bytes: RawSpan) {
    let member = scanner.members[id]
    notes.append(Note(.id, names.symbol(bytes[member.key], or: "id"), member.value.text))
  }

  /// Reports once the inferred meaning of the members.
  private mutating func reportInference(
    _ roles: JSONRoles, _ answered: Int, _ bytes: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    hasReported = true
    func word(_ member: Int) -> String {
      String(decoding: bytes[scanner.members[member].key].copied(), as: Unicode.UTF8.self)
    }
    let kind = roles.kind.map { "kind = \(word($0)), " } ?? ""
    listener.remark(
      .jsonInferred, .note, delivery.origin,
      "read as questions and answers, inferred from the names of members: \(kind)id ="
        + " \(word(answered))")
  }

  public mutating func gap(_: Int?, _ delivery: Delivery, _: any Listener) {
    rules.miss(delivery.origin.direction)
    spoken &= ~(1 << delivery.origin.direction.rawValue)
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    // When many ids of a side have no answer, they are not questions.
    for direction in [Direction.toServer, .toClient]
    where !questions.areAnswered(from: direction) {
      rules.forget(space: AskedSide.space(askedTo: direction))
    }
    rules.finish(ending, delivery, listener)
  }
}
