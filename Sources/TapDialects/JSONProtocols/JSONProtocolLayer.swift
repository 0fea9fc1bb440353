// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// Reads a conversation by the table of its protocol.
struct JSONProtocolLayer: Layer {
  private static let rules = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "question",
      unanswered: .jsonUnanswered, unknown: .jsonAnswerUnknown, repeated: .jsonIDDuplicate)
  ]

  private let table: JSONProtocol
  private var scanner: JSONScanner
  private var notes = ContiguousArray<Note>()
  private var rules: ExchangeRules
  private let carrier: StaticString
  private let mostNames: Int

  init(_ table: JSONProtocol, _ opening: Opening, limits: Limits) {
    self.table = table
    scanner = JSONScanner(maximumDepth: limits.nesting)
    rules = ExchangeRules(
      Self.rules, knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    (carrier, mostNames) = (UnclaimedLayer.name(of: opening.carrier), limits.kindNames)
  }

  /// Where the first text of a message ends.
  static func end(of bytes: RawSpan, _ separator: UInt8?, from start: Int = 0) -> Int {
    separator.flatMap { bytes.firstIndex(of: $0, from: start) } ?? bytes.byteCount
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.kind == .withheld {
      rules.miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    if delivery.kind.isPartial || delivery.kind == .abridged {
      rules.miss()
      return UnclaimedLayer.tell(bytes, delivery, carrier: carrier, listener)
    }
    guard table.separator != nil else { return read(bytes, delivery, listener) }
    var start = 0
    while start < bytes.byteCount {
      let end = Self.end(of: bytes, table.separator, from: start)
      if end > start { read(bytes.extracting(start..<end), delivery, listener) }
      start = end + 1
    }
  }

  private mutating func read(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.scan(bytes) == bytes.byteCount, !scanner.elements.isEmpty || scanner.isArray,
      let found = JSONProtocolMessage(scanner, bytes, of: table)
    else {
      // Texts such as `ping` are what applications add; what has brackets is another matter.
      rules.miss()
      UnclaimedLayer.tell(bytes, delivery, carrier: carrier, listener)
      let isJSON = bytes.byteCount > 0 && (bytes.byte(at: 0) == 0x7B || bytes.byte(at: 0) == 0x5B)
      if isJSON { tellUnknown(bytes, delivery, listener) }
      return
    }
    notes.removeAll(keepingCapacity: true)
    let ids = found.ids(bytes, of: table)
    var message = Message(table.name, name(of: found, hasID: !ids.isEmpty, bytes), delivery.origin)
    message.traits = [.isText, .isSingle]
    message.traits.formUnion(scanner.traits)
    if !found.hasForm(bytes) { message.traits.insert(.isMalformed) }
    describe(found, bytes, &message)
    let role = role(of: found, ids, bytes, message.origin.direction)
    declare(ids, role, found, bytes, &message)
    listener.message(message, bytes, notes.span)
    if message.traits.contains(.isMalformed) {
      rules.miss()
      return remark(
        .jsonWrongForm, .error, delivery,
        "the elements of this list are not those of \(message.name)", listener)
    }
    judge(ids, role, found, bytes, message, listener)
    if message.traits.contains(.isFailure) {
      remark(
        .jsonRefused, .warning, delivery, "\(message.name) reports a failure", listener)
    }
  }

  private func name(
    of found: JSONProtocolMessage, hasID: Bool, _ bytes: RawSpan
  ) -> Symbol {
    if let own = found.ownName {
      let isName = JSONProtocolMessage.isName(bytes[own])
      return (isName ? Symbol.interned(bytes[own], most: mostNames) : nil) ?? found.kind.name
    }
    if !hasID, let name = found.kind.nameWithoutID { return name }
    return found.kind.name
  }

  /// What it is about, what it carries, whether it reports a failure, and its credentials.
  private mutating func describe(
    _ found: JSONProtocolMessage, _ bytes: RawSpan, _ message: inout Message
  ) {
    if let subject = found.subject(bytes, of: table) { message.subject = subject.content }
    let payload = found.value(found.kind.payload.map { [$0] } ?? table.payloads, bytes)
    message.payload = payload?.range ?? ByteRange()
    if found.isFailure(bytes) {
      message.traits.insert(.isFailure)
      if let reason = found.value(table.reasons, bytes), reason.kind == .string {
        message.reason = reason.content
      }
    }
    for path in table.secrets {
      if let secret = found.value(path, bytes), secret.kind == .string,
        !secret.isEmptyContent
      {
        notes.append(Note(.secret, "secret", secret.content))
      }
    }
  }

  /// What the message does, as far as its sender may do that.
  private func role(
    of found: JSONProtocolMessage, _ ids: [JSONElement], _ bytes: RawSpan, _ direction: Direction
  ) -> JSONKind.Role {
    guard let id = ids.first else { return .tells }
    if !table.answers.isEmpty, found.value(table.answers, bytes) != nil { return .answers }
    let mayAsk = table.askers == .both || direction != .toClient
    switch found.kind.role {
    case .calls: return direction == .toClient ? .answers : .asks
    case .echoes:
      let asked = AskedSide.space(askedTo: direction.reversed)
      let key = WideKey(UInt64(asked), key(id, found, bytes))
      // What a server sends under an id of its own is news more often than a question.
      return rules.isAsked(key) ? .answers : direction == .toClient ? .mayAsk : .asks
    case .asks, .mayAsk, .cancels: return mayAsk ? found.kind.role : .tells
    // Who has asked ends what it has asked for.
    case .answers where table.askers == .client && direction == .toServer: return .cancels
    default: return found.kind.role
    }
  }

  private mutating func declare(
    _ ids: [JSONElement], _ role: JSONKind.Role, _ found: JSONProtocolMessage, _ bytes: RawSpan,
    _ message: inout Message
  ) {
    let word = found.kind.idWord ?? table.idWord
    for id in ids {
      let range = id.kind == .string ? id.content : id.range
      // A channel that is the id is shown once, as what the message is about.
      if range.start != message.subject.start { notes.append(Note(.id, word, range)) }
    }
    let direction = message.origin.direction
    let isReply = role == .answers || role == .continues
    let asker = isReply ? direction.reversed : direction
    let space = AskedSide.space(askedTo: asker)
    let linkRole: Link.Role? =
      switch role {
      case .tells, .calls, .echoes: nil
      case .asks, .mayAsk: .opens
      case .answers: .answers
      case .continues: .continues
      case .cancels: .mentions
      }
    guard let linkRole, let first = ids.first else {
      // A key that nobody shows: what has a subject declares a link.
      message.first = Link(.shows, "", bytes[message.subject].fingerprint, space: 0)
      return
    }
    message.first = Link(linkRole, "", key(first, found, bytes), space: space)
    if ids.count > 1 {
      message.second = Link(linkRole, "", key(ids[1], found, bytes), space: space)
    }
    if ids.count > 2 { message.third = Link(linkRole, "", key(ids[2], found, bytes), space: space) }
  }

  private func key(
    _ id: JSONElement, _ found: JSONProtocolMessage, _ bytes: RawSpan
  ) -> UInt64 {
    let key = bytes[id.range].fingerprint
    guard let scope = table.scope.flatMap({ found.value($0, bytes) }) else { return key }
    return key &* 0x9E37_79B9_7F4A_7C15 ^ bytes[scope.range].fingerprint
  }

  private mutating func judge(
    _ ids: [JSONElement], _ role: JSONKind.Role, _ found: JSONProtocolMessage, _ bytes: RawSpan,
    _ message: Message, _ listener: any Listener
  ) {
    rules.look(message, isAnswerExpected: role == .asks, listener)
    let space = message.first.space
    switch role {
    case .answers:
      // Links hold three.
      for id in ids.dropFirst(3) { rules.settle(WideKey(UInt64(space), key(id, found, bytes))) }
    case .continues:
      for id in ids { rules.excuse(WideKey(UInt64(space), key(id, found, bytes))) }
    case .cancels:
      for id in ids { rules.cancel(WideKey(UInt64(space), key(id, found, bytes))) }
    default: break
    }
  }

  private func tellUnknown(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.problem != nil else {
      return remark(
        .jsonKindUnknown, .note, delivery, "\(table.title) has no such message", listener)
    }
    let place =
      scanner.problem == .incomplete
      ? "it ends inside of a value" : "byte \(scanner.offset) is not expected there"
    remark(.jsonBroken, .error, delivery, "this is no JSON: \(place)", listener)
  }

  private func remark(
    _ code: Finding.Code, _ severity: Finding.Severity, _ delivery: Delivery, _ text: String,
    _ listener: any Listener
  ) {
    listener.finding(
      Finding(code, severity, delivery.origin, text, isAboutLastMessage: true))
  }

  mutating func gap(_: Int?, _: Delivery, _: any Listener) { rules.miss() }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    rules.finish(ending, delivery, listener)
  }
}
