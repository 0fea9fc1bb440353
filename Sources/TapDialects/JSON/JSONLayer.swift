// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
public import TapTraffic

/// JSON of an application that follows no published protocol: objects, as text or as bytes. What
/// their members mean is inferred from their names, and from answers that repeat an id.
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
  /// A kind found no room among those that are kept.
  private var (lacksNames, hasToldNames) = (false, false)
  /// What the members were taken for was told.
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
    let isCut = delivery.kind.isPartial || delivery.kind == .abridged
    guard !isCut, scanner.scan(bytes) == bytes.byteCount, !scanner.isArray,
      scanner.elements[0].kind == .object
    else {
      rules.miss()
      return UnclaimedLayer.tell(bytes, delivery, carrier: carrier, listener)
    }
    let object = scanner.elements[0].range
    let roles = JSONRoles(scanner.members, bytes)
    var message = Message("json", name(of: roles, bytes), delivery.origin)
    message.traits = [.isText, .isSingle, .isInferred]
    message.traits.formUnion(scanner.traits)
    if roles.isFailure { message.traits.insert(.isFailure) }
    message.payload = object
    if let subject = roles.subject { message.subject = subject.value.content }
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

  /// The value of its kind in the application's own spelling.
  private mutating func name(of roles: JSONRoles, _ bytes: RawSpan) -> Symbol {
    guard let kind = roles.kind else { return "JSON" }
    let range = kind.value.kind == .string ? kind.value.content : kind.value.range
    return symbol(bytes[range], or: "JSON")
  }

  private mutating func symbol(_ text: RawSpan, or other: Symbol) -> Symbol {
    if let symbol = names.symbol(text) { return symbol }
    lacksNames = true
    return other
  }

  /// Declares the exchange it belongs to; answers the member that found its question, if one did.
  private mutating func declare(
    _ roles: JSONRoles, _ bytes: RawSpan, _ message: inout Message
  ) -> JSONRoles.Member? {
    let direction = message.origin.direction
    message.first = Link(.shows, "", 0, space: 0)
    for (member, isReply) in [(roles.reply, true), (roles.id, false)] {
      // What a server sends first under an id is news of a thing more often than a question: its
      // answer has to say that it is one.
      guard let member, isReply || direction != .toServer else { continue }
      let key = bytes[member.value.range].fingerprint
      let space = AskedSide.space(askedTo: direction.reversed)
      guard direction != .unknown, rules.isAsked(WideKey(UInt64(space), key)) else { continue }
      questions.noteAnswer()
      note(member, bytes)
      message.first = Link(.answers, "", key, space: space)
      return member
    }
    guard let id = roles.id ?? roles.reply else { return nil }
    note(id, bytes)
    let key = bytes[id.value.range].fingerprint
    let space = AskedSide.space(askedTo: direction)
    let isOpen = rules.isAsked(WideKey(UInt64(space), key))
    if questions.ask(key, from: direction, isOpen: isOpen) {
      message.first = Link(.opens, "", key, space: space)
    }
    return nil
  }

  private mutating func note(_ id: JSONRoles.Member, _ bytes: RawSpan) {
    let word = symbol(bytes[id.key], or: "id")
    notes.append(
      Note(.id, word, id.value.kind == .string ? id.value.content : id.value.range))
  }

  /// Says once what the members were taken for.
  private mutating func tellInference(
    _ roles: JSONRoles, _ answered: JSONRoles.Member, _ bytes: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    hasTold = true
    func word(_ member: JSONRoles.Member) -> String {
      String(decoding: bytes[member.key].copied(), as: Unicode.UTF8.self)
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
    // Where many ids have no answer, they are no questions.
    if !questions.areAnswered { rules.miss() }
    rules.finish(ending, delivery, listener)
  }
}
