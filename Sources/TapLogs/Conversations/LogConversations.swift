// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The conversations of a log: one for each session of each writer, as far as lines tell them
/// apart. Sessions that have no id yet get it when they are welcomed.
struct LogConversations {
  /// All there are, and places that are free.
  var conversations: ContiguousArray<LogConversation> = []
  /// Places of those that were closed.
  var free: [Int] = []
  /// Where each is.
  var names: [LogConversation.Name: Int] = [:]
  /// Of each format, the one that was asked for last.
  var latest: ContiguousArray<(name: LogConversation.Name, conversation: Int)?> = ContiguousArray(
    repeating: nil, count: LogFormats.all.count)
  /// Those before the last of the same name, which may still be going on.
  var former: [LogConversation.Name: Int] = [:]
  /// Those whose session has no id yet, the oldest first.
  var unnamed: [LogConversation.Name: [Int]] = [:]
  /// What handshakes have settled; see `LogSubprotocol`.
  var subprotocols: [LogConversation.Name: LogSubprotocol] = [:]
  /// What requests for WebSocket and the ends of connections have told; see `LogHandshakes`.
  var handshakes: [LogConversation.Name: LogHandshakes] = [:]
  /// Several connections of the same name were open at once.
  var hasSeveralOpen = false
  private var flows: UInt32 = 0
  let limits: Limits
  /// Lines that were pasted are of no conversation.
  private let isPasted: Bool

  init(_ limits: Limits, isPasted: Bool) { (self.limits, self.isPasted) = (limits, isPasted) }

  /// The conversation of a message and which way it went: its origin with both.
  ///
  /// - Parameter candidate: not changed, as all of it would be copied for that.
  mutating func place(_ candidate: LogCandidate, _ sink: any EvidenceSink) -> Origin {
    var origin = candidate.origin
    let match = candidate.match ?? LogFormats.unmarked
    if isPasted {
      // Of a line that was pasted nobody wants to hear that it is a conversation.
      let side = candidate.side == .unknown ? pastedSide(candidate, match) : candidate.side
      origin.direction = match.form.direction(match.way, side)
      return origin
    }
    let index = conversation(candidate, match, sink)
    origin.flow = conversations[index].flow
    conversations[index].last = origin
    let isSecond = candidate.recognition.begins && conversations[index].isOpen
    if isSecond && !candidate.recognition.isCounted
      || hasSeveralOpen && mayBeOfSeveral(candidate)
    {
      noteSeveralSessions(index, candidate, sink)
    }
    Self.updateState(candidate, &origin, match, &conversations[index], sink)
    if conversations[index].hasSeveralSessions { sink.gap(nil, Delivery(origin)) }
    conversations[index].note(candidate.recognition, match.way)
    return origin
  }

  // Static, so that all conversations need not be copied to lend one of them.
  private static func updateState(
    _ candidate: LogCandidate, _ origin: inout Origin, _ match: LogMatch,
    _ conversation: inout LogConversation,
    _ sink: any EvidenceSink
  ) {
    let way = match.way
    if way == .unsaid {
      // Who does not know who spoke cannot know what is missing.
      if !conversation.isMixed { sink.gap(nil, Delivery(origin)) }
      conversation.isMixed = true
      if candidate.recognition.direction == .toClient { conversation.isGranted = true }
      return
    }
    conversation.learn(candidate, way)
    origin.direction = direction(candidate, origin, match, &conversation, sink)
    if conversation.skips(candidate.recognition) { sink.gap(nil, Delivery(origin)) }
    if candidate.recognition.begins {
      // Two sessions at once in one: neither is whole.
      if conversation.isOpen { sink.gap(nil, Delivery(origin)) }
      (conversation.isOpen, conversation.isGranted) = (true, false)
    } else if conversation.isOpen && !conversation.isGranted && origin.direction == .toServer
      && !conversation.isMixed
    {
      // Nobody has answered and all goes on: answers are not written.
      sink.gap(nil, Delivery(origin))
      conversation.isMixed = true
    } else if candidate.recognition.ends {
      (conversation.isOpen, conversation.isEnded) = (false, true)
    }
    if origin.direction == .toClient { conversation.isGranted = true }
  }

  /// Where a message goes: what its type says, where that is only one way, goes before the words of
  /// its line, which may be anything.
  private static func direction(
    _ candidate: LogCandidate, _ origin: Origin, _ match: LogMatch,
    _ conversation: inout LogConversation,
    _ sink: any EvidenceSink
  ) -> Direction {
    let way = match.way
    let said = match.form.direction(way, conversation.side)
    let certain = candidate.recognition.direction
    let isRelative = way == .sent || way == .received
    // Words that name the sides may speak of a connection; marks of programs do not.
    guard isRelative || match.rule == nil, !candidate.recognition.isMalformed else { return said }
    // Either side ends a session, and nothing has told yet which of them writes.
    if candidate.recognition.ends && conversation.side == .unknown && isRelative { return .unknown }
    if certain == .unknown && conversation.isContradicted && !isRelative { return said.reversed }
    if certain == .unknown || certain == said { return said }
    if candidate.recognition.isUsualDirection && said != .unknown { return said }
    if said != .unknown && !conversation.isContradicted {
      conversation.isContradicted = true
      sink.finding(
        Finding(
          .logDirection, .warning, origin,
          "lines of this conversation contradict each other on who sends: where only one side sends"
            + " such messages, that is believed"))
    }
    return certain
  }

  /// The side that a single line lets conclude.
  private func pastedSide(_ candidate: LogCandidate, _ match: LogMatch) -> LogFormat.Side {
    if match.form.side != .unknown || candidate.recognition.direction == .unknown {
      return match.form.side
    }
    return (match.way == .sent) == (candidate.recognition.direction == .toServer)
      ? .client : .server
  }

  mutating func find(_ name: LogConversation.Name) -> Int? {
    if let (known, conversation) = latest[name.format], known == name { return conversation }
    guard let conversation = names[name] else { return nil }
    latest[name.format] = (name, conversation)
    return conversation
  }

  mutating func assign(_ name: LogConversation.Name, _ conversation: Int) {
    names[name] = conversation
    latest[name.format] = (name, conversation)
  }

  private mutating func conversation(
    _ candidate: LogCandidate, _ match: LogMatch, _ sink: any EvidenceSink
  ) -> Int {
    var name = LogConversation.Name(
      format: LogFormats.family(match.format), writer: candidate.writer, source: candidate.source,
      session: candidate.session)
    name.isOfSentJSON = candidate.recognition.needsSender
    name.isOfMarkedObjects = candidate.isMarkedObject && !name.isOfSentJSON
    guard let row = match.row, row.hasSession else {
      return conversationOfWriter(name, candidate, match, sink)
    }
    if name.session != 0, let known = find(name) { return known }
    let session = name.session != 0 ? name.session : candidate.recognition.session
    name.session = 0
    if candidate.recognition.begins || unnamed[name, default: []].isEmpty {
      let new = open(candidate, match, sink)
      if session == 0 { unnamed[name, default: []].append(new) }
      if session != 0 {
        name.session = session
        assign(name, new)
      }
      return new
    }
    // What answers belongs to the oldest that was not answered.
    let waiting = unnamed[name]!
    let oldest = waiting.first { !conversations[$0].isGranted } ?? waiting[0]
    if session != 0 {
      unnamed[name]!.removeAll { $0 == oldest }
      name.session = session
      assign(name, oldest)
    }
    return oldest
  }

  /// The conversation of a writer that names no sessions. Asked in this order: its last one, unless
  /// another begins; one begun without a name; one under a looser name; the other half of another
  /// format; else a new one.
  private mutating func conversationOfWriter(
    _ name: LogConversation.Name, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    guard
      let known = find(name) ?? begunWithoutName(name) ?? underLooserName(name, candidate)
        ?? otherHalf(name, candidate, match)
    else {
      endSharing(name)
      let new = open(candidate, match, sink)
      assign(name, new)
      return new
    }
    if candidate.recognition.begins && conversations[known].isUsed
      || candidate.recognition.session != 0 && conversations[known].isTaken
    {
      if let other = otherHalf(name, candidate, match) { return other }
      if let before = former.removeValue(forKey: name) { close(before, sink) }
      let isOpen = !conversations[known].isEnded
      if isOpen { former[name] = known } else { close(known, sink) }
      let new = open(candidate, match, sink)
      assign(name, new)
      if isOpen { noteOverlap(known, new, candidate, sink) }
      return new
    }
    if conversations[known].awaits(candidate.recognition.opens) {
      return conversationOfReusedRequest(name, known, candidate, match, sink)
    }
    if former.isEmpty { return known }
    guard let before = former[name] else { return known }
    // The one before goes on as well: two connections of one program.
    let answers = candidate.recognition.answers
    // Where nothing says that both go on, the one before was left without an end.
    if conversations[known].isMixed && conversations[before].awaits(answers)
      && conversations[known].awaits(answers)
    {
      return conversationOfEither(name, candidate, match, sink)
    }
    let isAnswer = conversations[before].awaits(answers) && !conversations[known].awaits(answers)
    let isEnd =
      candidate.recognition.ends && conversations[known].hasEnded(match.way)
      && !conversations[before].hasEnded(match.way)
    let uses = candidate.recognition.uses
    let isHeld = uses != 0 && conversations[before].holds(uses) && !conversations[known].holds(uses)
    let isLeft =
      conversations[known].isOver && !conversations[before].isOver && !candidate.recognition.begins
    let isOfBefore = isAnswer || isEnd || isHeld || isLeft
    if isOfBefore || conversations[known].repeats(candidate.recognition) {
      markMixed(before, known, candidate, sink)
    }
    return isOfBefore ? before : known
  }

  /// Two sessions go on at once, and no line says which of them it is about.
  mutating func markMixed(
    _ before: Int, _ last: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    var origin = candidate.origin
    for index in [before, last] where !conversations[index].isMixed {
      origin.flow = conversations[index].flow
      sink.gap(nil, Delivery(origin))
      (conversations[index].isMixed, conversations[index].hasToldMixing) = (true, true)
      if !candidate.recognition.isCounted { conversations[index].hasSeveralSessions = true }
      if index == before { continue }
      sink.finding(
        .sessionsMixed(
          "two sessions go on at once, and nothing on these lines was recognised that says which"
            + " of them a message belongs to: answers that both wait for are shown apart, what else"
            + " is not sure with the later one", .warning, origin))
    }
  }

  mutating func open(
    _ candidate: LogCandidate, _ match: LogMatch, mixing: Opening.Mixing = .none,
    _ sink: any EvidenceSink
  ) -> Int {
    let format = match.form
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: candidate.recognition.begins)
    opening.provenance.isWrittenWhole = format.isWhole && candidate.recognition.begins
    opening.provenance.mixing = mixing
    opening.provenance.hasOctets = candidate.kind == .binary || candidate.kind == .withheld
    opening.provenance.dialect = match.row?.dialect ?? candidate.recognition.malformedDialect
    opening.subprotocol = subprotocol(candidate) ?? []
    opening.provenance.writer = Array((match.row == nil ? "log" : "log of \(format.title)").utf8)
    if !candidate.source.isEmpty {
      opening.provenance.writer += Array(", \(candidate.source)".utf8)
    }
    if !candidate.writer.isEmpty && match.row?.namesSecrets != true {
      opening.provenance.writer += Array(", \(candidate.writer)".utf8)
    }
    if let client = Endpoint(candidate.writer),
      let server = Endpoint(
        String(decoding: candidate.peer.prefix { $0 != 0x2F }, as: Unicode.UTF8.self))
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
    let named = candidate.side == .unknown ? writer(candidate) : candidate.side
    let side = format.side == .unknown ? named : format.side
    return open(
      opening, at: candidate.origin, by: side, isSure: !format.isGeneric && side != .unknown, sink)
  }

  mutating func open(
    _ opening: Opening, at origin: Origin, by side: LogFormat.Side = .unknown,
    isSure: Bool = false, _ sink: any EvidenceSink
  ) -> Int {
    if conversations.count - free.count >= limits.connections { evict(sink) }
    flows &+= 1
    var conversation = LogConversation(flow: flows, side: side, isSure: isSure)
    conversation.last = origin
    conversation.last.flow = flows
    var opening = opening
    opening.provenance.isLogged = !isPasted
    sink.opened(opening, Delivery(conversation.last))
    if let place = free.popLast() {
      conversations[place] = conversation
      return place
    }
    conversations.append(conversation)
    return conversations.count - 1
  }

  /// Closes a conversation whose names the caller has removed.
  mutating func close(
    _ index: Int, as closing: Closing = Closing(isUnfinished: true), _ sink: any EvidenceSink
  ) {
    sink.closed(closing, Delivery(conversations[index].last))
    conversations[index].isClosed = true
    forget(index)
    free.append(index)
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
