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
      unanswered: .jsonUnanswered, unknown: .jsonAnswerUnknown, repeated: .jsonIDDuplicate,
      leftOpen: .jsonLeftOpen)
  ]

  /// When answers come in parts, an answer without a request may be another part.
  private static let rulesOfParts = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "question",
      unanswered: .jsonUnanswered, unknown: nil, repeated: .jsonIDDuplicate)
  ]

  private let plan: JSONProtocolPlan
  private var reader: JSONProtocolReader
  private var scanner: JSONScanner
  /// The text of a binary message.
  private var text = Scratch()
  private var notes = WorkingList<Note>()
  private var rules: ExchangeRules
  private var names: RecentSymbols
  private let carrier: StaticString
  private let name: StaticString
  private let separator: UInt8?
  private let isAskedByBoth: Bool
  /// Of an application's own messages, how many credentials are masked one by one; nil of others.
  private let mostMasked: Int?
  /// Open questions of which nothing said who sent them.
  private var unsaid: Set<UInt64> = []
  private static let mostUnsaid = 1024
  /// For messages without an id; nil when the order has no meaning, or was lost.
  private var order: QuestionOrder?
  private let orderBegins: Symbol?
  /// The kind that the server must send first; nil once it came or may have been missed, and once
  /// its absence was reported.
  private var awaited: Symbol?

  init(_ plan: JSONProtocolPlan, separator: UInt8?, _ opening: Opening, limits: Limits) {
    (self.plan, reader) = (plan, JSONProtocolReader(plan))
    (name, self.separator) = (plan.table.name, separator)
    isAskedByBoth = plan.table.askers == .both
    mostMasked = name.equals("json") ? limits.maskedValues : nil
    // A log may contain several connections.
    orderBegins = opening.provenance.isLogged ? nil : plan.table.orderBegins
    awaited = opening.isFromStart ? plan.table.kinds.lazy.compactMap(\.after).first : nil
    scanner = JSONScanner(maximumDepth: limits.nesting)
    let isInParts = plan.table.isAnsweredInParts
    rules = ExchangeRules(
      isInParts ? Self.rulesOfParts : Self.rules,
      knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    carrier = UnclaimedLayer.name(of: opening.carrier)
    names = RecentSymbols(most: limits.kindNames)
  }

  /// The end of the first text in a message.
  static func end(of bytes: RawSpan, _ separator: UInt8?, from start: Int = 0) -> Int {
    separator.flatMap { bytes.firstIndex(of: $0, from: start) } ?? bytes.byteCount
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.kind == .withheld {
      miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    if delivery.kind.isCut(bytes) {
      miss()
      return UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
    }
    if delivery.kind == .binary, let unpacking = plan.table.unpacking {
      return unpack(bytes, unpacking, delivery, listener)
    }
    guard separator != nil else { return read(bytes, delivery, listener) }
    var start = 0
    while start < bytes.byteCount {
      let end = Self.end(of: bytes, separator, from: start)
      if end > start { read(bytes.extracting(start..<end), delivery, listener) }
      start = end + 1
    }
  }

  private mutating func unpack(
    _ bytes: RawSpan, _ unpacking: JSONProtocol.Unpacking, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var made = Scratch()
    swap(&made, &text)
    made.removeAll()
    if unpacking.append(bytes, &scanner, &made) {
      listener.sent(bytes, trailing: 0, as: unpacking.name)
      read(made.bytes, delivery, listener)
    } else {
      read(bytes, delivery, listener)
    }
    swap(&made, &text)
  }

  private mutating func read(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.scan(bytes) == bytes.byteCount, !scanner.elements.isEmpty || scanner.isArray,
      reader.read(scanner, bytes)
    else {
      // Applications add texts such as `ping`; only text with brackets should be JSON.
      miss()
      UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
      let isJSON =
        bytes.byteCount > 0
        && (bytes.byte(at: 0) == .openBrace || bytes.byte(at: 0) == .openBracket)
      if isJSON && delivery.kind != .abridged { reportUnknown(bytes, delivery, listener) }
      return
    }
    notes.removeAll()
    let scope = plan.scope.flatMap { reader.value($0, bytes) }
    if let orderBegins, orderBegins.equals(reader.kind.value) { order = QuestionOrder() }
    var ids = Exchange(reader.id(bytes), scope: scope, bytes)
    // A message with an id of any type is not matched by its order.
    if ids.isEmpty, reader.value(plan.ids, bytes) == nil,
      let key = order?.key(reader.kind.role, delivery.origin.direction)
    {
      ids = Exchange(unnamed: key)
    }
    var message = Message(name, kindName(hasID: !ids.isEmpty, bytes), delivery.origin)
    message.traits = scanner.traits(of: delivery.kind)
    if !reader.hasForm(scanner) { message.traits.insert(.isMalformed) }
    describe(bytes, &message)
    if delivery.origin.direction == .unknown { infer(ids, &message) }
    let role = role(ids, bytes, message.origin.direction)
    declare(ids, role, &message)
    rules.adjustLinks(of: &message)
    listener.message(message, bytes, notes.span)
    if message.traits.contains(.isMalformed) {
      miss()
      return listener.remark(
        .jsonWrongForm, .error, delivery.origin,
        "the elements of this list are not those of \(message.name)")
    }
    judge(ids, role, message, listener)
    if let awaited { judgeOrder(awaited, message, listener) }
    if message.traits.contains(.isFailure) {
      listener.remark(
        .jsonRefused, .warning, delivery.origin, "\(message.name) reports a failure",
        isSaid: true)
    }
  }

  private mutating func kindName(hasID: Bool, _ bytes: RawSpan) -> Symbol {
    let kind = reader.kind
    if let own = reader.ownName {
      let isName = Symbol.isName(bytes[own])
      return (isName ? names.symbol(bytes[own]) : nil) ?? kind.name
    }
    if !hasID, let name = kind.nameWithoutID { return name }
    return kind.name
  }

  /// Sets the subject, the payload, whether it reports a failure, and its credentials.
  private mutating func describe(_ bytes: RawSpan, _ message: inout Message) {
    if let subject = reader.subject(bytes) { message.subject = subject.content }
    message.payload = reader.payload(bytes)?.range ?? ByteRange()
    if reader.isFailure(bytes) {
      message.traits.insert(.isFailure)
      if let reason = reader.value(plan.reasons, bytes), reason.kind == .string {
        message.reason = reason.content
      }
    }
    noteSecrets(plan.secrets, bytes)
    if let mostMasked {
      let object = JSONRPCMessage(scanner.members, bytes)
      JSONSecrets.append(to: &notes, object, bytes, most: mostMasked)
    } else {
      CallSecrets.append(to: &notes, bytes[message.subject], message.payload, bytes)
    }
    if plan.table.secretsAbout.subjects.contains(where: { bytes[message.subject].equals($0) }) {
      noteSecrets(plan.secretsAbout, bytes)
    }
  }

  private mutating func noteSecrets(_ targets: JSONProtocolPlan.Targets, _ bytes: RawSpan) {
    for index in targets.indices {
      if let secret = reader.value(targets[index], bytes), secret.kind == .string,
        !secret.isEmptyContent
      {
        notes.append(Note(.secret, "secret", secret.content))
      }
    }
  }

  /// The role of the message, restricted to what its sender may do.
  private mutating func role(
    _ ids: Exchange, _ bytes: RawSpan, _ direction: Direction
  ) -> JSONKind.Role {
    if ids.isEmpty { return .notifies }
    if !plan.answers.isEmpty, reader.value(plan.answers, bytes) != nil {
      return reader.kind.role == .continues ? .continues : .answers
    }
    let mayAsk = isAskedByBoth || direction != .toClient
    let role = reader.kind.role
    switch role {
    case .calls: return direction == .toClient ? .answers : .asks
    case .echoes:
      let asked = AskedSide.space(askedTo: direction.reversed)
      // A server's message with an id of its own is more often news than a question.
      let isAnswer = rules.isAsked(WideKey(UInt64(asked), ids.first))
      return isAnswer ? .answers : direction == .toClient ? .mayAsk : .asks
    case .asks, .mayAsk, .cancels: return mayAsk ? role : .notifies
    // From the asking side, this ends the exchange.
    case .answers where !isAskedByBoth && direction == .toServer: return .cancels
    default: return role
    }
  }

  /// Where nothing says who has sent an answer, it goes the other way than its question.
  private mutating func infer(_ ids: Exchange, _ message: inout Message) {
    guard isAskedByBoth, !ids.isEmpty else { return }
    if reader.kind.role == .asks, unsaid.count < Self.mostUnsaid { unsaid.insert(ids.first) }
    guard reader.kind.role == .answers else { return }
    let isOfUnsaid = unsaid.count == Self.mostUnsaid || unsaid.remove(ids.first) != nil
    func isAsked(_ side: UInt8) -> Bool { rules.isAsked(WideKey(UInt64(side), ids.first)) }
    switch (isAsked(AskedSide.server), isAsked(AskedSide.client)) {
    case (false, true): message.origin.direction = .toServer
    case (true, false): if !isOfUnsaid { message.origin.direction = .toClient }
    default: break
    }
  }

  private mutating func declare(
    _ ids: Exchange, _ role: JSONKind.Role, _ message: inout Message
  ) {
    // A channel that is also the id is shown once, as the subject.
    for index in 0..<ids.count
    where ids.range(index).start != message.subject.start && !ids.range(index).isEmpty {
      notes.append(Note(.id, reader.kind.idWord, ids.range(index)))
    }
    let direction = message.origin.direction
    let isReply = role == .answers || role == .continues
    let asker = isReply ? direction.reversed : direction
    let space = AskedSide.space(askedTo: asker)
    let linkRole: Link.Role? =
      switch role {
      case .notifies, .calls, .echoes: nil
      case .asks, .mayAsk: .opens
      case .answers: .answers
      case .continues: .continues
      case .cancels: .mentions
      }
    guard let linkRole, !ids.isEmpty else {
      message.first = .unkeyed
      return
    }
    message.first = Link(linkRole, "", ids.first, space: space)
    if ids.count > 1 { message.second = Link(linkRole, "", ids.key(1), space: space) }
    if ids.count > 2 { message.third = Link(linkRole, "", ids.key(2), space: space) }
  }

  private mutating func judge(
    _ ids: Exchange, _ role: JSONKind.Role, _ message: Message, _ listener: any Listener
  ) {
    rules.look(message, isAnswerExpected: role == .asks, listener)
    // It may be about other exchanges than those that are known.
    if message.first.role == .shows { return }
    let space = UInt64(message.first.space)
    switch role {
    case .answers where ids.count > 3:
      // A message has only three links.
      for index in 3..<ids.count { rules.settle(WideKey(space, ids.key(index))) }
    case .continues where plan.table.isAnsweredInParts:
      for index in 0..<ids.count { rules.settle(WideKey(space, ids.key(index))) }
    case .continues:
      for index in 0..<ids.count { rules.answerInPart(WideKey(space, ids.key(index))) }
    case .cancels:
      for index in 0..<ids.count { rules.cancel(WideKey(space, ids.key(index))) }
    default: break
    }
  }

  /// The client sent a message before the server sent the required first one.
  private mutating func judgeOrder(
    _ first: Symbol, _ message: Message, _ listener: any Listener
  ) {
    let isEarly = message.origin.direction == .toServer && reader.kind.isToWait
    if isEarly || first.equals(reader.kind.value) { awaited = nil }
    if !isEarly || !rules.knowsAll { return }
    listener.remark(
      .jsonBeforeReady, .error, message.origin,
      "\(message.name) before the server has sent \(first)")
  }

  private mutating func reportUnknown(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.problem != nil else {
      let isAlone = scanner.scan(bytes) == bytes.byteCount
      let text =
        isAlone ? "\(plan.table.title) has no such message" : "more stands behind its first text"
      return listener.remark(.jsonKindUnknown, .note, delivery.origin, text)
    }
    listener.remark(.jsonBroken, .error, delivery.origin, "this is no JSON: \(scanner.fault)")
  }

  func meaning(ofClose code: UInt16) -> CloseMeaning? {
    plan.table.closeCodes.first { $0.codes.contains(code) }?.meaning
  }

  mutating func gap(_: Int?, _ delivery: Delivery, _: any Listener) {
    miss(delivery.origin.direction)
  }

  /// A message that could not be read, or was not captured, may have been anything.
  private mutating func miss(_ direction: Direction = .unknown) {
    rules.miss(direction)
    order = nil
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    rules.finish(ending, delivery, listener)
  }
}

/// The exchange ids in a message, and their keys.
private struct Exchange {
  let count: Int
  /// The key of the first.
  let first: UInt64
  private let only: ByteRange
  /// For a list of several ids.
  private let all: [(range: ByteRange, key: UInt64)]

  /// - Parameters:
  ///   - id: one id, or a list of them.
  ///   - scope: the value within which ids are unique.
  init(_ id: JSONElement?, scope: JSONElement?, _ bytes: RawSpan) {
    func key(_ id: JSONElement) -> UInt64 {
      let key = id.identity(in: bytes)
      guard let scope else { return key }
      return key &* 0x9E37_79B9_7F4A_7C15 ^ scope.identity(in: bytes)
    }
    guard let id else {
      (count, first, only, all) = (0, 0, ByteRange(), [])
      return
    }
    if id.kind == .array {
      all = JSONProtocolReader.ids(in: id, bytes).map { ($0.text, key($0)) }
      (count, first, only) = (all.count, all.first?.key ?? 0, all.first?.range ?? ByteRange())
    } else {
      (count, first, only, all) = (1, key(id), id.text, [])
    }
  }

  /// An exchange without an id, identified by its order.
  init(unnamed key: UInt64) { (count, first, only, all) = (1, key, ByteRange(), []) }

  var isEmpty: Bool { count == 0 }

  /// The id's range in the message, without quotes.
  func range(_ index: Int) -> ByteRange { index == 0 ? only : all[index].range }
  func key(_ index: Int) -> UInt64 { index == 0 ? first : all[index].key }
}
