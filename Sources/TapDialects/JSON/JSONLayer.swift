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
  private var names: RecentSymbols
  private var members = JSONRoles.KnownNames()
  /// The limit of kept kinds was reached, and whether that was reported.
  private var (lacksNames, hasToldNames) = (false, false)
  /// The inferred meaning of members was reported.
  private var hasTold = false

  public init(_ opening: Opening, limits: Limits) {
    scanner = JSONScanner(maximumDepth: limits.nesting)
    rules = ExchangeRules(
      Self.rules, knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    questions = JSONQuestions(limits: limits)
    names = RecentSymbols(most: limits.kindNames)
    carrier = UnclaimedLayer.name(of: opening.carrier)
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.kind == .withheld {
      rules.miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    guard !delivery.kind.isCut(bytes), scanner.scan(bytes) == bytes.byteCount, !scanner.isArray,
      scanner.elements[0].kind == .object
    else {
      rules.miss()
      return UnclaimedLayer.tell(bytes, delivery, carrier: carrier, listener)
    }
    let object = scanner.elements[0].range
    let roles = JSONRoles(scanner.members, bytes, &members)
    var message = Message("json", name(of: roles, bytes), delivery.origin)
    message.traits = [.isText, .isSingle, .isInferred]
    message.traits.formUnion(scanner.traits)
    if delivery.kind.hidesText { message.traits.insert(.hidesText) }
    if roles.isFailure { message.traits.insert(.isFailure) }
    message.payload = object
    if let subject = roles.subject { message.subject = scanner.members[subject].value.content }
    notes.removeAll()
    let answered = declare(roles, bytes, &message)
    listener.message(message, bytes, notes.span)
    if let answered, !hasTold { tellInference(roles, answered, bytes, delivery, listener) }
    rules.look(message, listener)
    if lacksNames && !hasToldNames { tellNames(delivery, listener) }
  }

  private mutating func tellNames(_ delivery: Delivery, _ listener: any Listener) {
    hasToldNames = true
    listener.finding(
      Finding(
        .jsonTooManyKinds, .note, delivery.origin,
        "there are more kinds of messages than are kept: further ones are called JSON",
        isAboutLastMessage: true))
  }

  /// The value of its kind, as the application spells it.
  private mutating func name(of roles: JSONRoles, _ bytes: RawSpan) -> Symbol {
    guard let kind = roles.kind else { return "JSON" }
    return symbol(bytes[Self.text(scanner.members[kind].value)], or: "JSON")
  }

  private mutating func symbol(_ text: RawSpan, or other: Symbol) -> Symbol {
    if let symbol = names.symbol(text) { return symbol }
    lacksNames = true
    return other
  }

  /// Declares the exchange that the message belongs to. Returns the index of the member that
  /// identified its question, if it is an answer.
  private mutating func declare(
    _ roles: JSONRoles, _ bytes: RawSpan, _ message: inout Message
  ) -> Int? {
    let direction = message.origin.direction
    message.first = Link(.shows, "", 0, space: 0)
    if let reply = roles.reply, answers(reply, bytes, &message) { return reply }
    // Not for messages of the client: what a server sends under an id is more often news of a thing
    // than a question, so the client's answer must say that it is one.
    if direction != .toServer, let id = roles.id, answers(id, bytes, &message) { return id }
    guard let id = roles.id ?? roles.reply else { return nil }
    note(id, bytes)
    // mpv answers requests without an id with the id 0.
    if roles.hasOutcome && direction != .toServer { return nil }
    let key = key(of: id, bytes)
    let space = AskedSide.space(askedTo: direction)
    let isOpen = rules.isAsked(WideKey(UInt64(space), key))
    if questions.ask(key, from: direction, isOpen: isOpen) {
      message.first = Link(.opens, "", key, space: space)
    }
    return nil
  }

  /// Whether a member contains the id of an open question.
  private mutating func answers(
    _ member: Int, _ bytes: RawSpan, _ message: inout Message
  ) -> Bool {
    let direction = message.origin.direction
    let key = key(of: member, bytes)
    let space = AskedSide.space(askedTo: direction.reversed)
    guard direction != .unknown, rules.isAsked(WideKey(UInt64(space), key)) else { return false }
    questions.noteAnswer()
    note(member, bytes)
    message.first = Link(.answers, "", key, space: space)
    return true
  }

  private mutating func key(of member: Int, _ bytes: RawSpan) -> UInt64 {
    bytes[scanner.members[member].value.range].fingerprint
  }

  private mutating func note(_ id: Int, _ bytes: RawSpan) {
    let member = scanner.members[id]
    notes.append(Note(.id, symbol(bytes[member.key], or: "id"), Self.text(member.value)))
  }

  /// A text without its quotes.
  private static func text(_ value: JSONElement) -> ByteRange {
    value.kind == .string ? value.content : value.range
  }

  /// Reports once the inferred meaning of the members.
  private mutating func tellInference(
    _ roles: JSONRoles, _ answered: Int, _ bytes: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    hasTold = true
    func word(_ member: Int) -> String {
      String(decoding: bytes[scanner.members[member].key].copied(), as: Unicode.UTF8.self)
    }
    let kind = roles.kind.map { "kind = \(word($0)), " } ?? ""
    listener.finding(
      Finding(
        .jsonInferred, .note, delivery.origin,
        "read as questions and answers, inferred from the names of members: \(kind)id ="
          + " \(word(answered))", isAboutLastMessage: true))
  }

  public mutating func gap(_: Int?, _: Delivery, _: any Listener) { rules.miss() }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    // When many ids have no answer, they are not questions.
    if !questions.areAnswered { rules.miss() }
    rules.finish(ending, delivery, listener)
  }
}
