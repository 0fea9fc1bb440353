// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is drawn as one ladder: columns must be known before the first arrow is drawn, so rows are
/// kept until then, as many as `Limits` allows.
struct LadderPage {
  private(set) var rows: ContiguousArray<LadderRow> = []
  /// What stands behind the heads of all rows.
  private(set) var parts: ContiguousArray<LadderRow.Part> = []
  /// Places of the rows that are messages.
  private var messageRows: ContiguousArray<Int> = []
  private(set) var peers: [UInt32: LadderPeer] = [:]
  /// The server of each peer, by connection: to read it from `peers` would copy the peer.
  private var serversOfPeers = IDTable<Int>(minimumCapacity: 1)
  /// Escaped names.
  private(set) var servers: [[UInt8]] = []
  private var serverPlaces: [[UInt8]: Int] = [:]
  /// For each server, the first one of the same address.
  private var hosts: [Int] = []
  private var hostPlaces: [[UInt8]: Int] = [:]
  private var reportedServers: Set<Int> = []
  private(set) var store = Scratch()
  /// When the first message was captured, shown or not.
  private(set) var start = Instant.unknown
  var exchanges = LadderExchanges()
  let narrowing: LadderFilter
  private let limits: Limits
  /// Writes the titles of connections, as `wamptap show` does.
  private var titles: LineRenderer
  private var peerBytes = 0
  /// The subjects of messages, each once. Those for which there is no room count as none.
  private var subjects: Interner
  /// What is being written.
  private let text = Cell(TextBuffer(capacity: 512))

  init(_ narrowing: LadderFilter, _ limits: Limits) {
    (self.narrowing, self.limits) = (narrowing, limits)
    titles = LineRenderer(LineRenderer.Options())
    subjects = Interner(maximumBytes: limits.ladderBytes)
  }

  var isFull: Bool {
    rows.count >= limits.ladderRows || store.count + peerBytes >= limits.ladderBytes
  }

  /// The title of a connection was written.
  mutating func report(_ connection: UInt32) { peers[connection]?.isReported = true }

  /// Whether the name of a server is to be written, which is done once.
  mutating func report(server: Int) -> Bool { reportedServers.insert(server).inserted }

  /// Begins the next page. Who is still connected stays.
  mutating func turn() {
    rows.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    messageRows.removeAll(keepingCapacity: true)
    store.removeAll()
    exchanges = LadderExchanges()
    subjects = Interner(maximumBytes: limits.ladderBytes)
    peers = peers.filter { $0.value.closed == nil }
    serversOfPeers.removeAll()
    for (connection, peer) in peers {
      peers[connection]!.opened = 0
      serversOfPeers[WideKey(0, UInt64(connection))] = peer.server
    }
    peerBytes = 0
  }

  mutating func begin(at time: Instant) {
    if !start.isKnown { start = time }
  }

  mutating func opened(_ opening: Opening, connection: UInt32, _ delivery: Delivery) {
    var text = TextBuffer(capacity: 256)
    titles.opened(opening, connection: connection, delivery, into: &text)
    text.truncate(text.count - 1)
    TextLayout.elide(&text, from: 0, to: Self.widest)
    var peer = LadderPeer()
    peer.title = text.bytes.copied()
    if opening.client.isKnown { peer.address = Array(opening.client.description.utf8) }
    text.removeAll()
    if opening.server.isKnown {
      opening.server.append(to: &text)
    } else {
      text.append(escaping: opening.url.span.bytes)
      TextLayout.elide(&text, from: 0, to: Self.widest)
    }
    let server = text.bytes.copied()
    peer.server = place(of: server, host: opening.server.isKnown ? opening.server.address : [])
    peer.opened = rows.count
    peers[connection] = peer
    serversOfPeers[WideKey(0, UInt64(connection))] = peer.server
    peerBytes += peer.title.count + server.count + 64
  }

  private mutating func place(of server: [UInt8], host: [UInt8]) -> Int {
    if let known = serverPlaces[server] { return known }
    if servers.count == Self.mostServers { return servers.count - 1 }
    servers.append(servers.count == Self.mostServers - 1 ? Array("of many".utf8) : server)
    serverPlaces[server] = servers.count - 1
    let known = host.isEmpty ? nil : hostPlaces[host]
    hosts.append(known ?? servers.count - 1)
    if known == nil && !host.isEmpty { hostPlaces[host] = servers.count - 1 }
    return servers.count - 1
  }

  mutating func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery) {
    peers[connection]?.closed = rows.count
    if closing.hasFrame || closing.isUnfinished { return }
    var text = TextBuffer(capacity: 256)
    titles.closed(closing, connection: connection, Delivery(Self.timeless(delivery)), into: &text)
    text.truncate(text.count - 1)
    var row = LadderRow(.ending, delivery.origin, connection: connection)
    row.head = keep(&text)
    rows.append(row)
  }

  /// The time has a column of its own.
  private static func timeless(_ delivery: Delivery) -> Origin {
    var origin = delivery.origin
    origin.time = .unknown
    return origin
  }

  mutating func finding(_ finding: Finding, connection: UInt32, messages: [UInt64]) {
    if finding.severity == .note || finding.isSaidByMessage { return }
    var row = LadderRow(.finding, finding.origin, connection: connection)
    row.index = messages.last ?? 0
    row.isFailure = finding.severity == .error
    var text = TextBuffer(capacity: 256)
    text.append(finding.code.text)
    row.brief = keep(&text)
    text.append(escaping: finding.text)
    row.head = keep(&text, columns: 2000)
    rows.append(row)
  }

  /// Answers whether it is drawn, as far as that is known by now.
  mutating func message(_ message: Message, _ view: MessageView) -> Bool {
    let joined = view.joined
    if message.traits.contains(.isControl) { return false }
    begin(at: message.origin.time)
    var row = LadderRow(.message, message.origin, connection: joined.connection)
    (row.index, row.session) = (joined.index, message.session)
    row.latency = joined.latency
    row.latencyPrecision = min(row.precision, joined.precision)
    if row.latency >= 0 {
      row.latencyColumns = Latency.columns(row.latency, row.latencyPrecision, &text.value)
    }
    row.isFailure = message.traits.contains(.isFailure)
    row.isReply = joined.answers > 0
    let request = Self.place(
      of: joined.answers > 0 ? joined.answers : joined.carries, messageRows, rows)
    LadderLabel.append(payloadOf: message, view.bytes, to: &text.value)
    let payloadKey = text.value.bytes.fingerprint
    let payload = keep(&text.value)
    let server = serversOfPeers[WideKey(0, UInt64(joined.connection))] ?? 0
    row.server = server
    exchanges.join(
      &row, message, view, request: request,
      subject: LadderExchanges.Subject(
        host: server < hosts.count ? hosts[server] : 0, server: server,
        text: subjects.number(of: view.subject)),
      payload: payloadKey, rows: &rows)
    LadderLabel.append(headOf: message, isBrief: false, to: &text.value)
    row.head = keep(&text.value)
    row.brief = row.head
    if message.about.utf8CodeUnitCount > 0 {
      LadderLabel.append(headOf: message, isBrief: true, to: &text.value)
      row.brief = keep(&text.value)
    }
    let start = parts.count
    addParts(message, view, payload, isReported: request != nil && row.isReply, &text.value)
    row.parts = ByteRange(start, parts.count)
    learn(message, view)
    messageRows.append(rows.count)
    rows.append(row)
    if narrowing.isEmpty { return true }
    if narrowing.matches(subject: view.subject) { exchanges[row.exchange].hasSubject = true }
    if narrowing.matches(requestOf: message) { exchanges[row.exchange].hasRequest = true }
    return isDrawn(row)
  }

  /// What stands behind the head, by importance. An answer need not repeat what its request says.
  ///
  /// - Parameter isReported: its request says what it is about.
  private mutating func addParts(
    _ message: Message, _ view: MessageView, _ payload: LadderRow.Part, isReported: Bool,
    _ text: inout TextBuffer
  ) {
    // The code of a CLOSE comes before its reason, which is anything.
    let isCoded = message.traits.contains(.bodyInNotes)
    if isCoded { addIDs(message, view, &text) }
    if !message.reason.isEmpty && !view.hasWord(forReasonOf: message) {
      LadderLabel.append(beginningOf: view.bytes[message.reason], to: &text)
      add(keep(&text, isURI: !isCoded))
    }
    if !view.subject.isEmpty && !isReported {
      LadderLabel.append(beginningOf: view.subject, to: &text)
      add(keep(&text, isURI: true))
    }
    if !isCoded { addIDs(message, view, &text) }
    LadderLabel.append(facts: view.notes, view.bytes, to: &text)
    add(keep(&text))
    add(payload)
    LadderLabel.append(sharedIDsOf: message, to: &text)
    add(keep(&text, isWhole: true))
  }

  private mutating func addIDs(_ message: Message, _ view: MessageView, _ text: inout TextBuffer) {
    LadderLabel.append(idsOf: message, knowsSubject: !view.subject.isEmpty, to: &text)
    add(keep(&text, isWhole: !message.traits.contains(.bodyInNotes)))
  }

  private mutating func add(_ part: LadderRow.Part) {
    if !part.range.isEmpty { parts.append(part) }
  }

  /// The session whose id a message announces (WELCOME).
  private mutating func learn(_ message: Message, _ view: MessageView) {
    let connection = view.joined.connection
    for number in 0..<3 {
      let link = message.link(number)
      guard link.role == .shows, link.isCalled("session") else { continue }
      var session = LadderPeer.Session(number: message.session, id: link.key)
      for index in view.notes.indices where view.notes[index].kind == .fact {
        guard view.notes[index].word.description == "authid" else { continue }
        var text = TextBuffer(capacity: 64)
        LadderLabel.append(beginningOf: view.bytes[view.notes[index].range], to: &text)
        TextLayout.elide(&text, from: 0, to: 80)
        session.authid = text.bytes.copied()
      }
      guard peers[connection]?.sessions.count ?? .max < LadderPeer.mostSessions else { return }
      peers[connection]?.sessions.append(session)
      peerBytes += 128
    }
  }

  /// The row of a message, by its index: rows stand in the order of their messages.
  private static func place(
    of index: UInt64, _ messageRows: ContiguousArray<Int>, _ rows: ContiguousArray<LadderRow>
  ) -> Int? {
    if index == 0 { return nil }
    var (low, high) = (0, messageRows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[messageRows[middle]].index < index { low = middle + 1 } else { high = middle }
    }
    guard low < messageRows.count, rows[messageRows[low]].index == index else { return nil }
    return messageRows[low]
  }

  /// Moves text that is ready into the store, cut to the columns that are ever shown.
  private mutating func keep(
    _ text: inout TextBuffer, columns: Int = LadderPage.widest, isURI: Bool = false,
    isWhole: Bool = false
  ) -> LadderRow.Part {
    if text.isEmpty { return LadderRow.Part() }
    TextLayout.elide(&text, from: 0, to: columns)
    let start = store.count
    store.append(text.bytes)
    let used = text.bytes.isPlain ? text.count : text.bytes.columns(from: 0)
    text.removeAll()
    return LadderRow.Part(
      ByteRange(start, store.count), columns: used, isURI: isURI, isWhole: isWhole)
  }

  /// How many servers are kept apart. All that come later are taken for one.
  private static let mostServers = 4096
  /// Columns of one part of a label at most.
  private static let widest = 240
}

extension LadderPage {
  func isDrawn(_ row: LadderRow) -> Bool {
    if narrowing.isEmpty { return true }
    switch row.kind {
    case .message:
      let exchange = exchanges[row.exchange]
      return exchange.hasSubject && exchange.hasRequest && isChosen(row.connection, row.session)
    case .finding, .ending:
      // What is wrong with a message stands below it; what is wrong with the evidence concerns all.
      if row.connection == 0 { return true }
      if let message = Self.place(of: row.index, messageRows, rows) {
        return isDrawn(rows[message])
      }
      return isChosen(row.connection, nil)
    }
  }

  private func isChosen(_ connection: UInt32, _ session: UInt16?) -> Bool {
    if narrowing.sessions.isEmpty { return true }
    return narrowing.sessions.contains { wanted in
      switch wanted {
      case .connection(let number): return number == connection
      case .id(let id):
        return peers[connection]?.sessions.contains {
          $0.id == id && (session == nil || $0.number == session)
        } ?? false
      }
    }
  }
}
