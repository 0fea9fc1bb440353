// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Finds the conversation of each message: one for each session of each writer, as far as lines
/// tell them apart. `+Choice` says which it is, `+Doubts` what is done where that is not sure,
/// `+Streams` the same of bytes and of frames.
struct LogConversations {
  var table: LogConversationTable
  var handshakes: LogHandshakes

  init(_ limits: Limits, isPasted: Bool) {
    table = LogConversationTable(limits, isPasted: isPasted)
    handshakes = LogHandshakes(most: limits.connections)
  }

  /// The conversation of a message and which way it went: its origin with both. Nil where the other
  /// end has printed it.
  ///
  /// - Parameter candidate: not changed, as all of it would be copied for that.
  mutating func place(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ sink: any EvidenceSink
  ) -> Origin? {
    var origin = candidate.origin
    let match = candidate.match ?? LogFormats.unmarked
    if table.isPasted {
      // Pasted lines are put into no conversation.
      let side = candidate.side == .unknown ? pastedSide(candidate, match) : candidate.side
      origin.direction = match.format.direction(match.direction, side)
      return origin
    }
    let index = conversation(of: candidate, match, sink)
    if match.format.traits.contains(.mayBeBothEnds),
      table.all[index].ends.isPrintedTwice(match.direction, bytes.fingerprint)
    {
      return nil
    }
    origin.flow = table.all[index].flow
    table.all[index].last = origin
    let isSecond = candidate.recognition.begins && table.all[index].session.phase == .open
    if isSecond && !candidate.recognition.isCounted
      || handshakes.hasSeveralOpen && handshakes.areSeveral(LogConversationName(candidate))
    {
      noteSeveralSessions(index, candidate, sink)
    }
    Self.advance(&table.all[index], with: candidate, match, &origin, sink)
    // Anything may be missing before it: one side is not logged, or sessions are mixed.
    if table.all[index].doubts.hasSeveralSessions || match.format.traits.contains(.oneSided) {
      sink.gap(nil, Delivery(origin))
    }
    table.all[index].note(candidate.recognition, match.direction)
    return origin
  }

  // Static, so that all conversations need not be copied to lend one of them.
  private static func advance(
    _ conversation: inout LogConversation, with candidate: LogCandidate, _ match: LogMatch,
    _ origin: inout Origin, _ sink: any EvidenceSink
  ) {
    if match.direction == .unsaid {
      // As long as the sender is not known, nothing may be reported as missing.
      if !conversation.doubts.isMixed { sink.gap(nil, Delivery(origin)) }
      conversation.doubts.isMixed = true
      if candidate.recognition.direction == .toClient { conversation.session.isAnswered = true }
      return
    }
    conversation.writer.learn(candidate.recognition, match.direction)
    origin.direction =
      conversation.ends.areBoth
      ? candidate.recognition.direction
      : direction(candidate, origin, match, &conversation.writer, sink)
    if conversation.exchanges.skips(candidate.recognition) { sink.gap(nil, Delivery(origin)) }
    if candidate.recognition.begins {
      // A second session begins in this conversation while one is open: neither is complete.
      if conversation.session.phase == .open { sink.gap(nil, Delivery(origin)) }
      conversation.session.begin()
    } else if conversation.session.isUnanswered && origin.direction == .toServer
      && !conversation.doubts.isMixed
    {
      // The client goes on without an answer, so answers are not logged.
      sink.gap(nil, Delivery(origin))
      conversation.doubts.isMixed = true
    } else if candidate.recognition.ends {
      conversation.session.end()
    }
    if origin.direction == .toClient { conversation.session.isAnswered = true }
  }

  /// The direction of a message. If only one side sends its type, that outweighs the words of the
  /// line, which may mean anything.
  private static func direction(
    _ candidate: LogCandidate, _ origin: Origin, _ match: LogMatch,
    _ writer: inout LogConversationWriter, _ sink: any EvidenceSink
  ) -> Direction {
    let said = match.format.direction(match.direction, writer.side)
    let certain = candidate.recognition.direction
    let isRelative = match.direction == .sent || match.direction == .received
    // Words that name the sides may speak of a connection; marks of programs do not.
    guard isRelative || match.ruleIndex == nil, !candidate.recognition.isMalformed else {
      return said
    }
    // Either side ends a session, and nothing has shown yet which of them writes.
    if candidate.recognition.ends && writer.side == .unknown && isRelative { return .unknown }
    if certain == .unknown && writer.isContradicted && !isRelative { return said.reversed }
    if certain == .unknown || certain == said { return said }
    if candidate.recognition.isUsualDirection && said != .unknown { return said }
    if said != .unknown && !writer.isContradicted {
      writer.isContradicted = true
      sink.finding(
        .logDirection, .warning, origin,
        "lines of this conversation contradict each other on who sends: where only one side sends"
          + " such messages, that is believed")
    }
    return certain
  }

  /// The side that a single pasted line implies.
  private func pastedSide(_ candidate: LogCandidate, _ match: LogMatch) -> LogFormat.Side {
    if match.format.side != .unknown || candidate.recognition.direction == .unknown {
      return match.format.side
    }
    return (match.direction == .sent) == (candidate.recognition.direction == .toServer)
      ? .client : .server
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

  // MARK: - Opening

  /// Opens a conversation of messages.
  mutating func open(
    _ candidate: LogCandidate, _ match: LogMatch, mixing: Opening.Mixing = .none,
    _ sink: any EvidenceSink
  ) -> Int {
    let format = match.format
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: candidate.recognition.begins)
    opening.provenance.isWrittenWhole =
      !format.traits.contains(.partial) && candidate.recognition.begins
    opening.provenance.mixing = mixing
    opening.provenance.hasOctets = candidate.kind == .binary || candidate.kind == .withheld
    opening.provenance.dialect = match.rule?.dialect ?? candidate.recognition.malformedDialect
    opening.subprotocol = handshakes.subprotocol(LogConversationName(candidate)) ?? []
    opening.provenance.writer = Array((match.rule == nil ? "log" : "log of \(format.title)").utf8)
    if !candidate.source.isEmpty {
      opening.provenance.writer += Array(", \(candidate.source)".utf8)
    }
    if !candidate.writer.isEmpty && match.rule?.namesSecrets != true {
      opening.provenance.writer += Array(", \(candidate.writer)".utf8)
    }
    if let client = Endpoint(candidate.writer),
      let server = Endpoint(
        String(decoding: candidate.peer.prefix { $0 != .slash }, as: Unicode.UTF8.self))
    {
      (opening.client, opening.server) = (client, server)
      opening.url = Array("ws://".utf8) + candidate.peer
      opening.provenance.writer = Array("log of \(format.title)".utf8)
    }
    return open(opening, candidate, format, sink)
  }

  mutating func open(
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
}

extension LogRule {
  /// Whether what its lines name the writer by is a secret.
  var namesSecrets: Bool {
    if case .secret = writer { return true }
    return false
  }

  /// Whether its lines name the session.
  var hasSession: Bool {
    if case .nowhere = session { return false }
    return true
  }
}
