// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// The exchanges of a conversation: which one a message belongs to, and in which role.
extension JSONProtocolLayer {
  /// The exchange of a message, by its id or its order.
  mutating func exchange(_ bytes: RawSpan, _ direction: Direction) -> JSONExchange {
    let id = reader.id(bytes)
    let scope = plan.scope.flatMap { reader.value($0, bytes) }?.identity(in: bytes)
    if let scope { scopes.insert(scope) }
    if let id, scope == nil, let (target, value) = plan.unscoped,
      let found = reader.value(target, bytes), bytes[found.text].equals(value)
    {
      return exchange(ofUnscoped: id, bytes, direction)
    }
    let ids = JSONExchange(id, scope: scope, salt: reader.kind.idSalt, bytes)
    // A message with an id of any type is not matched by its order.
    guard ids.isEmpty, reader.value(plan.ids, bytes) == nil,
      let key = order?.key(reader.kind.role, direction)
    else { return ids }
    return JSONExchange(unnamed: key)
  }

  /// The exchange of an answer that lacks the scope of its question. If several questions with this
  /// id are open, it may answer any of them, so none of them needs another answer.
  private mutating func exchange(
    ofUnscoped id: JSONElement, _ bytes: RawSpan, _ direction: Direction
  ) -> JSONExchange {
    let space = UInt64(AskedSide.space(askedTo: direction.reversed))
    var open: [JSONExchange] = []
    for scope in scopes.all {
      let ids = JSONExchange(id, scope: scope, salt: reader.kind.idSalt, bytes)
      if rules.isAsked(WideKey(space, ids.first)) { open.append(ids) }
    }
    if open.count == 1 && !scopes.isFull { return open[0] }
    for ids in open { rules.excuse(WideKey(space, ids.first)) }
    var ids = JSONExchange(id, salt: reader.kind.idSalt, bytes)
    ids.isAmbiguous = !open.isEmpty || scopes.isFull
    return ids
  }

  /// The role of the message, restricted to what its sender may do.
  mutating func role(
    _ ids: JSONExchange, _ bytes: RawSpan, _ direction: Direction
  ) -> JSONKind.Role {
    if ids.isEmpty || ids.isAmbiguous { return .notifies }
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
    case .answers where isSecondEnd(ids): return .notifies
    default: return role
    }
  }

  /// Whether the exchange has ended with a failure, behind which some servers end it once more.
  private mutating func isSecondEnd(_ ids: JSONExchange) -> Bool {
    failed.remove(ids.first)
      && !rules.isAsked(WideKey(UInt64(AskedSide.server), ids.first))
  }

  /// Where nothing says who has sent an answer, it goes the other way than its question.
  mutating func infer(_ ids: JSONExchange, _ message: inout Message) {
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

  mutating func declare(
    _ ids: JSONExchange, _ role: JSONKind.Role, _ bytes: RawSpan, _ message: inout Message
  ) {
    // A channel that is also the id is shown once, as the subject.
    for index in 0..<ids.count
    where ids.range(index).start != message.subject.start && !ids.range(index).isEmpty {
      notes.append(Note(.id, reader.kind.idWord, ids.range(index)))
    }
    let direction = message.origin.direction
    if feedsStream(ids, role, bytes, direction) {
      message.first = Link(
        role == .answers ? .answers : .mentions, "", ids.first, space: Self.streams(direction))
      return
    }
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
    if role == .cancels && reader.kind.role == .answers { message.traits.insert(.endsExchange) }
    message.first = Link(linkRole, "", ids.first, space: space)
    if ids.count > 1 { message.second = Link(linkRole, "", ids.key(1), space: space) }
    if ids.count > 2 { message.third = Link(linkRole, "", ids.key(2), space: space) }
  }

  /// The space of links of the streams that a side sends beside its questions.
  private static func streams(_ sender: Direction) -> UInt8 {
    AskedSide.space(askedTo: sender) + AskedSide.both.upperBound
  }

  /// A question may announce streams that its own side sends (the uploads of SignalR).
  mutating func beginStreams(_ bytes: RawSpan, _ message: inout Message) {
    let direction = message.origin.direction
    guard direction != .unknown,
      let list = plan.streams.flatMap({ reader.value($0, bytes) }), list.kind == .array
    else { return }
    let ids = JSONExchange(list, bytes)
    for index in 0..<ids.count { streams.insert(streamKey(ids.key(index), direction)) }
    let space = Self.streams(direction)
    if ids.count > 0 { message.second = Link(.opens, "", ids.first, space: space) }
    if ids.count > 1 { message.third = Link(.opens, "", ids.key(1), space: space) }
  }

  /// Whether the message is an item or the end of a stream that its own side has announced. The end
  /// has no result: what has one answers the other side.
  private mutating func feedsStream(
    _ ids: JSONExchange, _ role: JSONKind.Role, _ bytes: RawSpan, _ direction: Direction
  ) -> Bool {
    if streams.isEmpty { return false }
    return switch role {
    case .continues: streams.contains(streamKey(ids.first, direction))
    case .answers:
      reader.payload(bytes) == nil && streams.remove(streamKey(ids.first, direction))
    default: false
    }
  }

  private func streamKey(_ id: UInt64, _ sender: Direction) -> UInt64 {
    id ^ UInt64(Self.streams(sender))
  }

  mutating func judge(
    _ ids: JSONExchange, _ role: JSONKind.Role, _ message: Message, _ listener: any Listener
  ) {
    if let excusing = plan.table.excusing { excuse(ids, role, excusing) }
    if endsTwice && role == .answers && reader.kind.isFailure { failed.insert(ids.first) }
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

  /// A message of the kind `excusing` may be why a question has no answer, and mostly does not say
  /// which question.
  private mutating func excuse(
    _ ids: JSONExchange, _ role: JSONKind.Role, _ excusing: Symbol
  ) {
    switch role {
    case .asks: asked.insert(ids.first)
    case .answers: _ = asked.remove(ids.first)
    default:
      guard excusing.equals(reader.kind.value) else { return }
      let server = UInt64(AskedSide.server)
      for key in asked.all where ids.isEmpty || key == ids.first {
        rules.excuse(WideKey(server, key))
      }
    }
  }
}
