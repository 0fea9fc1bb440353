// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The conversations of a log: one for each session of each writer, as far as lines tell them
/// apart. Sessions that have no id yet get it when they are welcomed.
struct LogConversations {
  /// All there are, and places that are free.
  var talks: ContiguousArray<LogConversation> = []
  /// Places of those that were closed.
  var free: [Int] = []
  /// Where each is.
  var names: [LogConversation.Name: Int] = [:]
  /// Of each format, the one that was asked for last.
  var latest: ContiguousArray<(name: LogConversation.Name, talk: Int)?> = ContiguousArray(
    repeating: nil, count: LogFormats.all.count)
  /// Those before the last of the same name, which may still be going on.
  var former: [LogConversation.Name: Int] = [:]
  /// Those whose session has no id yet, the oldest first.
  var unnamed: [LogConversation.Name: [Int]] = [:]
  /// What handshakes have settled; see `LogSubprotocol`.
  var subprotocols: [LogConversation.Name: LogSubprotocol] = [:]
  private var flows: UInt32 = 0
  let limits: Limits
  /// Lines that were pasted are of no conversation.
  private let isPasted: Bool

  init(_ limits: Limits, isPasted: Bool) { (self.limits, self.isPasted) = (limits, isPasted) }

  /// The conversation of a message and which way it went: its origin with both.
  ///
  /// - Parameter sight: not changed, as all of it would be copied for that.
  mutating func place(_ sight: LogCandidate, _ sink: any EvidenceSink) -> Origin {
    var origin = sight.origin
    let match = sight.match ?? LogFormats.unmarked
    if isPasted {
      // Of a line that was pasted nobody wants to hear that it is a conversation.
      let side = sight.side == .unknown ? pastedSide(sight, match) : sight.side
      origin.direction = match.form.direction(match.way, side)
      return origin
    }
    let index = talk(sight, match, sink)
    origin.flow = talks[index].flow
    talks[index].last = origin
    Self.follow(sight, &origin, match, &talks[index], sink)
    talks[index].note(sight.recognition, match.way)
    return origin
  }

  // Static, so that all conversations need not be copied to lend one of them.
  private static func follow(
    _ sight: LogCandidate, _ origin: inout Origin, _ match: LogMatch, _ talk: inout LogConversation,
    _ sink: any EvidenceSink
  ) {
    let way = match.way
    if way == .unsaid {
      // Who does not know who spoke cannot know what is missing.
      if !talk.isMixed { sink.gap(nil, Delivery(origin)) }
      talk.isMixed = true
      if sight.recognition.direction == .toClient { talk.isGranted = true }
      return
    }
    talk.learn(sight, way)
    origin.direction = direction(sight, origin, match, &talk, sink)
    if talk.skips(sight.recognition) { sink.gap(nil, Delivery(origin)) }
    if sight.recognition.begins {
      // Two sessions at once in one: neither is whole.
      if talk.isOpen { sink.gap(nil, Delivery(origin)) }
      (talk.isOpen, talk.isGranted) = (true, false)
    } else if talk.isOpen && !talk.isGranted && origin.direction == .toServer
      && !talk.isMixed
    {
      // Nobody has answered and all goes on: answers are not written.
      sink.gap(nil, Delivery(origin))
      talk.isMixed = true
    } else if sight.recognition.ends {
      (talk.isOpen, talk.isEnded) = (false, true)
    }
    if origin.direction == .toClient { talk.isGranted = true }
  }

  /// Where a message goes: what its type says, where that is only one way, goes before the words of
  /// its line, which may be anything.
  private static func direction(
    _ sight: LogCandidate, _ origin: Origin, _ match: LogMatch, _ talk: inout LogConversation,
    _ sink: any EvidenceSink
  ) -> Direction {
    let way = match.way
    let said = match.form.direction(way, talk.side)
    let certain = sight.recognition.direction
    let isRelative = way == .sent || way == .received
    // Words that name the sides may speak of a connection; marks of programs do not.
    guard isRelative || match.rule == nil, !sight.recognition.isMalformed else { return said }
    // Either side ends a session, and nothing has told yet which of them writes.
    if sight.recognition.ends && talk.side == .unknown && isRelative { return .unknown }
    if certain == .unknown && talk.isContradicted && !isRelative { return said.reversed }
    if certain == .unknown || certain == said { return said }
    if said != .unknown && !talk.isContradicted {
      talk.isContradicted = true
      sink.finding(
        Finding(
          .logDirection, .warning, origin,
          "lines of this conversation contradict each other on who sends: where only one side sends"
            + " such messages, that is believed"))
    }
    return certain
  }

  /// The side that a single line lets conclude.
  private func pastedSide(_ sight: LogCandidate, _ match: LogMatch) -> LogFormat.Side {
    if match.form.side != .unknown || sight.recognition.direction == .unknown {
      return match.form.side
    }
    return (match.way == .sent) == (sight.recognition.direction == .toServer) ? .client : .router
  }

  mutating func find(_ name: LogConversation.Name) -> Int? {
    if let (known, talk) = latest[name.format], known == name { return talk }
    guard let talk = names[name] else { return nil }
    latest[name.format] = (name, talk)
    return talk
  }

  mutating func assign(_ name: LogConversation.Name, _ talk: Int) {
    names[name] = talk
    latest[name.format] = (name, talk)
  }

  private mutating func talk(
    _ sight: LogCandidate, _ match: LogMatch, _ sink: any EvidenceSink
  ) -> Int {
    var name = LogConversation.Name(
      format: LogFormats.family(match.format), writer: sight.writer, source: sight.source,
      session: sight.session)
    guard let row = match.row, row.hasSession else { return same(name, sight, match, sink) }
    if name.session != 0, let known = find(name) { return known }
    let session = name.session != 0 ? name.session : sight.recognition.session
    name.session = 0
    if sight.recognition.begins || unnamed[name, default: []].isEmpty {
      let new = open(sight, match, sink)
      if session == 0 { unnamed[name, default: []].append(new) }
      if session != 0 {
        name.session = session
        assign(name, new)
      }
      return new
    }
    // What answers belongs to the oldest that was not answered.
    let waiting = unnamed[name]!
    let oldest = waiting.first { !talks[$0].isGranted } ?? waiting[0]
    if session != 0 {
      unnamed[name]!.removeAll { $0 == oldest }
      name.session = session
      assign(name, oldest)
    }
    return oldest
  }

  /// The conversation of a writer that names no sessions: the last one, unless another begins.
  private mutating func same(
    _ name: LogConversation.Name, _ sight: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    guard
      let known = find(name) ?? adopted(name) ?? shared(name, sight)
        ?? kindred(name, sight, match)
    else {
      separate(name)
      let new = open(sight, match, sink)
      assign(name, new)
      return new
    }
    if sight.recognition.begins && talks[known].isUsed
      || sight.recognition.session != 0 && talks[known].isTaken
    {
      if let other = kindred(name, sight, match) { return other }
      if let before = former.removeValue(forKey: name) { close(before, sink) }
      let isOpen = !talks[known].isEnded
      if isOpen { former[name] = known } else { close(known, sink) }
      let new = open(sight, match, sink)
      assign(name, new)
      if isOpen { doubt(new, sight, sink) }
      return new
    }
    if talks[known].awaits(sight.recognition.opens) {
      return other(name, known, sight, match, sink)
    }
    if former.isEmpty { return known }
    guard let before = former[name] else { return known }
    // The one before goes on as well: two connections of one program.
    let answers = sight.recognition.answers
    // Where nothing says that both go on, the one before was left without an end.
    if talks[known].isMixed && talks[before].awaits(answers) && talks[known].awaits(answers) {
      return unsure(name, sight, match, sink)
    }
    let isAnswer = talks[before].awaits(answers) && !talks[known].awaits(answers)
    let isEnd =
      sight.recognition.ends && talks[known].hasEnded(match.way)
      && !talks[before].hasEnded(match.way)
    let uses = sight.recognition.uses
    let isHeld = uses != 0 && talks[before].holds(uses) && !talks[known].holds(uses)
    let isLeft = talks[known].isOver && !talks[before].isOver && !sight.recognition.begins
    let isOfBefore = isAnswer || isEnd || isHeld || isLeft
    if isOfBefore || talks[known].repeats(sight.recognition) { mix(before, known, sight, sink) }
    return isOfBefore ? before : known
  }

  /// Two sessions go on at once, and no line says which of them it is about.
  mutating func mix(
    _ before: Int, _ last: Int, _ sight: LogCandidate, _ sink: any EvidenceSink
  ) {
    var origin = sight.origin
    for index in [before, last] where !talks[index].isMixed {
      origin.flow = talks[index].flow
      sink.gap(nil, Delivery(origin))
      talks[index].isMixed = true
      if index == before { continue }
      sink.finding(
        Finding(
          .logMixed, .warning, origin,
          "two sessions go on at once, and nothing on these lines was recognised that says which"
            + " of them a message belongs to: answers that both wait for are shown apart, what else"
            + " is not sure with the later one"))
    }
  }

  mutating func open(
    _ sight: LogCandidate, _ match: LogMatch, _ sink: any EvidenceSink
  ) -> Int {
    let format = match.form
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: sight.recognition.begins)
    opening.provenance.isWrittenWhole = format.isWhole && sight.recognition.begins
    opening.provenance.hasOctets = sight.kind == .binary || sight.kind == .withheld
    opening.provenance.dialect = match.row?.dialect ?? sight.recognition.malformedDialect
    opening.subprotocol = subprotocol(sight) ?? []
    opening.provenance.writer = Array((match.row == nil ? "log" : "log of \(format.title)").utf8)
    if !sight.source.isEmpty { opening.provenance.writer += Array(", \(sight.source)".utf8) }
    if !sight.writer.isEmpty && match.row?.namesSecrets != true {
      opening.provenance.writer += Array(", \(sight.writer)".utf8)
    }
    if let client = Endpoint(text: Array(sight.writer.utf8)),
      let server = Endpoint(text: Array(sight.peer.prefix { $0 != 0x2F }))
    {
      (opening.client, opening.server) = (client, server)
      opening.url = Array("ws://".utf8) + sight.peer
      opening.provenance.writer = Array("log of \(format.title)".utf8)
    }
    return open(opening, sight, format, sink)
  }

  mutating func open(
    _ opening: Opening, _ sight: LogCandidate, _ format: LogFormat, _ sink: any EvidenceSink
  ) -> Int {
    let side = format.side == .unknown ? sight.side : format.side
    return open(
      opening, at: sight.origin, by: side, isSure: !format.isGeneric && side != .unknown, sink)
  }

  mutating func open(
    _ opening: Opening, at origin: Origin, by side: LogFormat.Side = .unknown,
    isSure: Bool = false, _ sink: any EvidenceSink
  ) -> Int {
    if talks.count - free.count >= limits.connections { evict(sink) }
    flows &+= 1
    var talk = LogConversation(flow: flows, side: side, isSure: isSure)
    talk.last = origin
    talk.last.flow = flows
    var opening = opening
    opening.provenance.isLogged = !isPasted
    sink.opened(opening, Delivery(talk.last))
    if let place = free.popLast() {
      talks[place] = talk
      return place
    }
    talks.append(talk)
    return talks.count - 1
  }

  /// Ends one; who calls it knows that no name leads there any more.
  mutating func close(
    _ index: Int, as closing: Closing = Closing(isUnfinished: true), _ sink: any EvidenceSink
  ) {
    sink.closed(closing, Delivery(talks[index].last))
    talks[index].isClosed = true
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

extension Endpoint {
  /// `127.0.0.1:53868`; nil for anything else.
  init?(text: [UInt8]) {
    let parts = text.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let octets = parts[0].split(separator: 0x2E, omittingEmptySubsequences: false).compactMap {
      UInt8(String(decoding: $0, as: Unicode.UTF8.self))
    }
    guard octets.count == 4, let port = UInt16(String(decoding: parts[1], as: Unicode.UTF8.self))
    else { return nil }
    self.init(address: octets, port: port)
  }
}
