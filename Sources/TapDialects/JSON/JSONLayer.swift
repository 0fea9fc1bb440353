// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
public import TapTraffic

/// JSON of an application that follows no published protocol: objects, as text or as octets. What
/// their members are for is concluded from their names, and from answers that repeat an id.
public struct JSONLayer: Dialect {
  public static var name: StaticString { "json" }

  private enum Space {
    static let askedOfServer: UInt8 = 1
    static let askedOfClient: UInt8 = 2
  }

  private static let rules = [
    ExchangeRules.Rule(
      spaces: Space.askedOfServer...Space.askedOfClient, question: "question",
      unanswered: .jsonUnanswered, unknown: nil, repeated: .jsonIDDuplicate, severity: .note)
  ]

  /// Names of kinds that one process keeps; further ones are called `JSON`.
  private static let mostNames = 4096

  private var scanner: JSONScanner
  private var notes = ContiguousArray<Note>()
  private var rules: ExchangeRules
  private var exchanges: JSONExchanges
  private let carrier: StaticString
  /// What of the inference was told.
  private var hasTold = false

  public init(_ opening: Opening, limits: Limits) {
    scanner = JSONScanner(maximumDepth: limits.nesting)
    rules = ExchangeRules(
      Self.rules, knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    exchanges = JSONExchanges(most: limits.sessionEntries)
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
    let roles = JSONRoles(object, bytes)
    var message = Message(Self.name, Self.name(of: roles, bytes), delivery.origin)
    message.traits = [.isText, .isSingle, .isInferred]
    if scanner.isStrict {
      message.traits.insert(.isJSON)
      if !scanner.hasSpace { message.traits.insert(.isCompact) }
      if !scanner.hasUnplain { message.traits.insert(.isPlain) }
    }
    if roles.isFailure { message.traits.insert(.isFailure) }
    message.payload = object
    if let subject = roles.subject { message.subject = subject.value.content }
    notes.removeAll(keepingCapacity: true)
    let answered = declare(roles, bytes, &message)
    listener.message(message, bytes, notes.span)
    if let answered, !hasTold { tellInference(roles, answered, bytes, delivery, listener) }
    rules.look(message, listener)
  }

  /// The value of its kind in the application's own spelling.
  private static func name(of roles: JSONRoles, _ bytes: RawSpan) -> Symbol {
    guard let kind = roles.kind else { return "JSON" }
    let range = kind.value.kind == .string ? kind.value.content : kind.value.range
    return Symbol.interned(bytes[range], most: mostNames) ?? "JSON"
  }

  /// Declares the exchange it belongs to; answers the member that found its question, if one did.
  private mutating func declare(
    _ roles: JSONRoles, _ bytes: RawSpan, _ message: inout Message
  ) -> JSONRoles.Member? {
    let direction = message.origin.direction
    message.first = Link(.shows, "", bytes[message.subject].fingerprint, space: 0)
    for (member, isReply) in [(roles.reply, true), (roles.id, false)] {
      // What a server sends first under an id is news of a thing more often than a question: its
      // answer has to say that it is one.
      guard let member, isReply || direction != .toServer else { continue }
      let key = bytes[member.value.range].fingerprint
      guard exchanges.answer(key, from: direction) else { continue }
      note(member, bytes)
      message.first = Link(.answers, "", key, space: space(direction.reversed))
      return member
    }
    guard let id = roles.id ?? roles.reply else { return nil }
    note(id, bytes)
    let key = bytes[id.value.range].fingerprint
    if exchanges.ask(key, from: direction) {
      message.first = Link(.opens, "", key, space: space(direction))
    }
    return nil
  }

  private func space(_ asker: Direction) -> UInt8 {
    asker == .toClient ? Space.askedOfClient : Space.askedOfServer
  }

  private mutating func note(_ id: JSONRoles.Member, _ bytes: RawSpan) {
    let word = Symbol.interned(bytes[id.key], most: Self.mostNames) ?? "id"
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
        "no protocol says so, but its messages read as questions and answers: \(kind)id ="
          + " \(word(answered))", isAboutLastMessage: true))
  }

  public mutating func gap(_: Int?, _: Delivery, _: any Listener) { rules.miss() }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    // Where many ids have no answer, they are no questions.
    if !exchanges.areAnswered { rules.miss() }
    rules.finish(ending, delivery, listener)
  }
}

/// Which ids of one connection wait for an answer, as far as ids are questions at all: things have
/// ids, too.
struct JSONExchanges {
  /// By the direction of who asked: to the server, to the client.
  private var open: [Set<UInt64>] = [[], []]
  /// Ids that a side has used without being asked.
  private var used: [Set<UInt64>] = [[], []]
  private var (asked, answered) = (0, 0)
  private let most: Int

  init(most: Int) { self.most = most }

  /// At least 8 of 10 questions were answered.
  var areAnswered: Bool { asked > 0 && answered * 10 >= asked * 8 }

  private func side(_ direction: Direction) -> Int? {
    direction == .unknown ? nil : direction == .toServer ? 0 : 1
  }

  /// Whether a message with this id answers what the other side has asked.
  mutating func answer(_ key: UInt64, from direction: Direction) -> Bool {
    guard let side = side(direction), open[1 - side].remove(key) != nil else { return false }
    answered += 1
    return true
  }

  /// Whether a message with this id may be a question: the id is no name of a thing that the other
  /// side has spoken of before.
  mutating func ask(_ key: UInt64, from direction: Direction) -> Bool {
    guard let side = side(direction) else { return false }
    if used[side].count >= most { used[side].removeAll() }
    if open[side].count >= most { open[side].removeAll() }
    let isNew = used[side].insert(key).inserted
    if used[1 - side].contains(key) { return false }
    // Used again, once it was answered: a thing, or the next part of a stream.
    if !isNew && !open[side].contains(key) { return false }
    if open[side].insert(key).inserted { asked += 1 }
    return true
  }
}
