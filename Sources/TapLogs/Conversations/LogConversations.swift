// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Finds the conversation of each message, and opens those that are new: one for each session of
/// each writer, as far as lines tell them apart. Messages that may be of either of two are kept in
/// one of their own, and joined with neither.
struct LogConversations {
  var table: LogConversationTable
  var handshakes: LogHandshakes

  init(_ limits: Limits, isPasted: Bool) {
    table = LogConversationTable(limits, isPasted: isPasted)
    handshakes = LogHandshakes(most: limits.connections)
  }

  /// How a message is delivered: its origin with its conversation and which way it went. Nil where
  /// it was printed before: by the other end, or when the request was sent that the record of its
  /// answer repeats.
  ///
  /// - Parameter candidate: not changed, as all of it would be copied for that.
  mutating func place(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ sink: any EvidenceSink
  ) -> Delivery? {
    var origin = candidate.origin
    let match = candidate.match ?? LogFormats.unmarked
    if table.isPasted {
      // Pasted lines are put into no conversation.
      let side = candidate.side == .unknown ? pastedSide(candidate, match) : candidate.side
      origin.direction = match.format.direction(match.direction, side)
      return Delivery(origin, candidate.kind)
    }
    var entry = LogEntry(candidate, match)
    if entry.recognition.opens != 0 && match.direction == .unsaid { entry.text = bytes.fingerprint }
    entry.isBesideAnswer = candidate.traits.contains(.besideAnswer)
    if entry.isBesideAnswer, let known = table.find(entry),
      table.all[known].exchanges.hasAsked(entry.opens)
    {
      return nil
    }
    let index =
      match.rule?.hasSession == true
      ? conversationOfSession(entry, candidate, sink) : conversationOfWriter(entry, candidate, sink)
    if match.format.traits.contains(.mayBeBothEnds),
      table.all[index].ends.isPrintedTwice(match.direction, bytes.fingerprint)
    {
      return nil
    }
    origin.flow = table.all[index].flow
    table.all[index].last = origin
    table.all[index].writer.learn(candidate.side)
    let isSecond = candidate.recognition.opensSession && table.all[index].session.phase == .open
    if isSecond && !candidate.recognition.isCounted
      || handshakes.hasSeveralOpen && handshakes.areSeveral(LogConversationName(candidate))
    {
      table.noteSeveralSessions(index, entry, sink)
    }
    table.all[index].advance(with: entry, &origin, sink)
    // Anything may be missing before it: one side is not logged, or sessions are mixed.
    if table.all[index].doubts.hasSeveralSessions || match.format.traits.contains(.oneSided) {
      sink.gap(nil, Delivery(origin))
    }
    table.all[index].note(entry)
    var delivery = Delivery(origin, candidate.kind)
    delivery.mayBeOfOthers = table.all[index].doubts.mayHaveOthers
    return delivery
  }

  /// The side that a single pasted line implies.
  private func pastedSide(_ candidate: LogCandidate, _ match: LogMatch) -> LogFormat.Side {
    if match.format.side != .unknown || candidate.recognition.direction == .unknown {
      return match.format.side
    }
    return (match.direction == .sent) == (candidate.recognition.direction == .toServer)
      ? .client : .server
  }

  // MARK: - Which conversation

  /// The conversation of lines that name their sessions. A session that has no id yet gets it with
  /// WELCOME.
  private mutating func conversationOfSession(
    _ entry: LogEntry, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) -> Int {
    if entry.name.session != 0, let known = table.names.find(entry.name) { return known }
    var (welcomed, unnamed) = (entry.name, entry.name)
    unnamed.session = 0
    if let late = table.over(awaiting: entry) { return late }
    if welcomed.session == 0 { welcomed.session = entry.recognition.session }
    var waiting = table.names.unnamed[unnamed] ?? []
    if waiting.isEmpty && !entry.recognition.opensSession {
      unnamed.writer = ""
      waiting = table.names.unnamed[unnamed] ?? []
    }
    if entry.recognition.opensSession || waiting.isEmpty {
      let new = open(entry, candidate, sink)
      if welcomed.session == 0 {
        table.names.unnamed[unnamed, default: []].append(new)
      } else {
        table.names.assign(welcomed, new)
      }
      return new
    }
    let oldest = table.oldest(of: waiting, for: entry, sink)
    if welcomed.session != 0 {
      table.names.unnamed[unnamed]!.removeAll { $0 == oldest }
      table.names.assign(welcomed, oldest)
    }
    return oldest
  }

  /// The conversation of a writer that names no sessions.
  private mutating func conversationOfWriter(
    _ entry: LogEntry, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) -> Int {
    guard let last = table.find(entry) else {
      table.endSharing(entry.name)
      return openNamed(entry.name, entry, candidate, sink)
    }
    switch LogPlacement(of: entry, behind: last, in: &table) {
    case .last: return last
    case .newSession:
      return table.otherHalf(entry) ?? openSession(behind: last, entry, candidate, sink)
    case .reusedRequest:
      table.reportReuse(last, entry, sink)
      return last
    case .sharedRequest:
      table.noteSharedRequest(last, entry, sink)
      return last
    case .unbegunSession:
      table.names.former[entry.name] = last
      let new = openNamed(entry.name, entry, candidate, sink)
      table.markMixed(last, and: new, entry, sink)
      return new
    case .overlap(let former, let choice):
      table.markMixed(former, and: last, entry, sink)
      switch choice {
      case .last: return last
      case .former: return former
      case .either: return conversationOfEither(entry, last, candidate, sink)
      }
    case .either: return conversationOfEither(entry, last, candidate, sink)
    }
  }

  /// Another session of the same writer begins.
  private mutating func openSession(
    behind last: Int, _ entry: LogEntry, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) -> Int {
    let name = entry.name
    if let former = table.names.former.removeValue(forKey: name) { table.close(former, sink) }
    let mayContinue = table.all[last].session.phase != .ended
    if mayContinue { table.names.former[name] = last } else { table.close(last, sink) }
    let new = openNamed(name, entry, candidate, sink)
    if mayContinue { table.noteOverlap(of: last, and: new, entry, sink) }
    return new
  }

  /// The conversation that is kept apart for messages which either session may wait for, or
  /// neither. If one side writes both, it writes this one.
  private mutating func conversationOfEither(
    _ entry: LogEntry, _ last: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) -> Int {
    var unsure = entry.name
    unsure.isUnsure = true
    if let known = table.names[unsure] { return known }
    let former = table.names.former[entry.name]
    let side = table.all[former ?? last].writer.side
    let new = openNamed(unsure, entry, candidate, mixing: .all, sink)
    if side == table.all[last].writer.side { table.all[new].writer.learn(side) }
    table.markMixed(new, entry, sink)
    return new
  }

  private mutating func openNamed(
    _ name: LogConversationName, _ entry: LogEntry, _ candidate: LogCandidate,
    mixing: Opening.Mixing = .none, _ sink: any EvidenceSink
  ) -> Int {
    let new = open(entry, candidate, mixing: mixing, sink)
    table.names.assign(name, new)
    return new
  }

  private mutating func open(
    _ entry: LogEntry, _ candidate: LogCandidate, mixing: Opening.Mixing = .none,
    _ sink: any EvidenceSink
  ) -> Int {
    var opening = Opening(messagesOf: candidate, entry.match)
    opening.provenance.mixing = mixing
    opening.subprotocol = handshakes.subprotocol(LogConversationName(candidate)) ?? []
    return open(opening, candidate, entry.match.format, sink)
  }

  private mutating func open(
    _ opening: Opening, _ candidate: LogCandidate, _ format: LogFormat, _ sink: any EvidenceSink
  ) -> Int {
    let named =
      candidate.side == .unknown
      ? handshakes.side(LogConversationName(candidate)) : candidate.side
    let side = format.side == .unknown ? named : format.side
    return table.open(
      opening, at: candidate.origin,
      by: LogConversationWriter(side, isSure: !format.traits.contains(.generic)),
      sink)
  }

  // MARK: - Connections

  /// Whether the bytes of a conversation go into a stream.
  func isStream(_ candidate: LogCandidate) -> Bool {
    table.names[LogConversationName(ofStream: candidate)] != nil
  }

  /// Whether a message of this conversation has come.
  func isKnown(_ candidate: LogCandidate) -> Bool {
    table.names[LogConversationName(candidate)] != nil
  }

  /// An origin with its conversation, if that has begun; nil if not.
  func find(_ candidate: LogCandidate) -> Origin? {
    let name = LogConversationName(candidate)
    guard let match = candidate.match,
      let index = table.names[name] ?? table.names.unnamed[name]?.last
        ?? table.onlyOneWithName(name)
    else { return nil }
    var origin = table.origin(candidate.origin, in: index)
    let known = table.all[index].writer.side
    let side = known == .unknown ? candidate.side : known
    origin.direction = match.format.direction(match.direction, side)
    return origin
  }

  /// The origin of some bytes, with their stream, their direction and their place in it; nil where
  /// the line follows no rule.
  ///
  /// - Parameter missing: bytes behind them that are not printed.
  mutating func placeStream(
    _ candidate: LogCandidate, _ octets: RawSpan, missing: Int, _ sink: any EvidenceSink
  ) -> Origin? {
    guard let match = candidate.match else { return nil }
    let name = LogConversationName(ofStream: candidate)
    let isRequest = octets.starts(with: "GET ")
    if isRequest, let before = table.names.remove(name) { table.close(before, sink) }
    let index = table.names[name] ?? openStream(name, candidate, match, isWhole: isRequest, sink)
    var origin = table.origin(candidate.origin, in: index)
    origin.direction = match.format.direction(match.direction, table.all[index].writer.side)
    let count = UInt64(octets.byteCount + missing)
    origin.offset = table.all[index].addOctets(count, origin.direction)
    table.all[index].last = origin
    return origin
  }

  private mutating func openStream(
    _ name: LogConversationName, _ candidate: LogCandidate, _ match: LogMatch, isWhole: Bool,
    _ sink: any EvidenceSink
  ) -> Int {
    let opening = Opening(streamOf: candidate, match, isWhole: isWhole)
    let new = open(opening, candidate, match.format, sink)
    if match.rule?.isDump == true, match.format.side == .unknown {
      // In every protocol that is read, the client speaks first.
      table.all[new].writer = LogConversationWriter(match.direction.isSending ? .client : .server)
    }
    table.names.assign(name, new)
    return new
  }

  /// A request for WebSocket: where no connection is open, what comes next is of a new one.
  mutating func noteRequest(_ candidate: LogCandidate, _ sink: any EvidenceSink) {
    guard let match = candidate.match else { return }
    let name = LogConversationName(candidate)
    let isFirst = handshakes.request(name, match)
    guard isFirst, table.names.former[name] == nil, let before = table.names.remove(name)
    else { return }
    table.close(before, sink)
  }

  /// The connection of a message is closed: what comes next is of another.
  mutating func end(_ candidate: LogCandidate) {
    handshakes.end(candidate)
    guard let index = table.names[LogConversationName(candidate)] else { return }
    table.all[index].session.end()
  }
}
