// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What is counted of all traffic. It knows no dialect: what is a request, and what answers it, is
/// reported by the links of messages. Every list has as many rows as `Limits` allow; the rest is
/// summed in one of them.
struct Statistics {
  /// The first and the last time that was seen.
  private(set) var first = Instant.unknown
  private(set) var last = Instant.unknown
  /// Decimal digits of the clock.
  private(set) var precision: UInt8 = 0
  private(set) var bytes: UInt64 = 0
  private(set) var kinds: [KindTally] = []
  private(set) var subjects: BoundedRows<SubjectTally>
  private(set) var exchanges: [ExchangeTally] = []
  private(set) var pings: BoundedRows<PingTally>
  var keepAlives: [KeepAliveTally] = []
  private(set) var sessions: BoundedRows<SessionTally>
  private(set) var clients: BoundedRows<ClientTally>
  /// Messages that report a failure, by the number of the reason's text; 0 without a reason, -1
  /// for those for which there was no row.
  private(set) var reasons: [(text: Int32, messages: UInt64)] = []
  private(set) var codes: [CodeTally] = []
  private(set) var texts: Interner
  private(set) var slowest: ExchangeList
  private(set) var failed: ExchangeList

  private var kindRows = IDTable<Int32>()
  private var subjectRows = IDTable<Int32>()
  /// By the number of the text, and the kind.
  private var textRows = IDTable<Int32>()
  private var pingRows = IDTable<Int32>()
  private var clientRows: [ClientTally.Peers: Int] = [:]
  private var reasonRows: [Int32: Int] = [:]
  /// The session row, and the client row, of each connection that is open.
  private var current = IDTable<OpenConnection>(minimumCapacity: 1)
  private var opens = IDTable<Open>()
  private var lastConnection: (number: UInt32, session: Int)?
  /// The last connection, and whether its frames are known: if so, a message without a frame came
  /// in that of another message.
  private var framed: (number: UInt32, isFramed: Bool) = (0, false)
  private var place = LastCounted()
  let limits: Limits

  /// - Parameters:
  ///   - slowest: how many of the slowest exchanges are listed one by one.
  ///   - failed: how many of those that failed.
  init(limits: Limits, slowest: Int = 0, failed: Int = 0) {
    self.limits = limits
    self.slowest = ExchangeList(most: slowest)
    self.failed = ExchangeList(most: failed)
    texts = Interner(maximumBytes: limits.subjectBytes)
    subjects = BoundedRows(most: limits.statisticsRows)
    pings = BoundedRows(most: limits.statisticsRows)
    sessions = BoundedRows(most: limits.statisticsRows)
    clients = BoundedRows(most: limits.statisticsRows)
  }

  /// Nanoseconds from the first to the last; nil when not known.
  var span: Int64? {
    guard first.isKnown else { return nil }
    let (value, isTooLong) = last.nanoseconds.subtractingReportingOverflow(first.nanoseconds)
    return isTooLong ? nil : value
  }

  private mutating func see(_ origin: Origin) {
    guard origin.time.isKnown else { return }
    precision = max(precision, origin.precision)
    if !first.isKnown || origin.time < first { first = origin.time }
    if !last.isKnown || origin.time > last { last = origin.time }
  }

  mutating func opened(_ opening: Opening, _ connection: UInt32, _ origin: Origin) {
    see(origin)
    var row = SessionTally(connection)
    (row.client, row.server, row.began) = (opening.client, opening.server, origin.time)
    let session = add(row)
    var client = -1
    if opening.client.isKnown {
      client = clientRow(
        ClientTally.Peers(client: opening.client.address, server: opening.server))
      clients[client].opened(origin.time)
    }
    current[OpenConnection.key(connection)] = OpenConnection(session: session, client: client)
    lastConnection = nil
  }

  /// A client got no connection. An attempt that only found a closed port counts where the client
  /// has had a connection: the port may be that of anything.
  mutating func refused(_ attempt: Opening, _ origin: Origin) {
    guard attempt.client.isKnown, !attempt.isUnanswered else { return }
    let peers = ClientTally.Peers(client: attempt.client.address, server: attempt.server)
    if attempt.url.isEmpty && clientRows[peers] == nil { return }
    see(origin)
    clients[clientRow(peers)].refused(origin.time)
  }

  mutating func closed(_ closing: Closing, _ connection: UInt32, _ origin: Origin) {
    see(origin)
    lastConnection = nil
    guard let known = current.removeValue(for: OpenConnection.key(connection)) else { return }
    let (session, client) = (known.session, known.client)
    if !closing.isUnfinished && client >= 0 { clients[client].closed(origin.time) }
    if sessions[session].isRest { return }
    sessions[session].ended = origin.time
    sessions[session].end = Self.end(closing)
  }

  private static func end(_ closing: Closing) -> SessionTally.End {
    if closing.isUnfinished { return .open }
    if closing.hasFrame || closing.code != nil { return .closed(closing.code, closing.by) }
    if closing.isReset { return .reset }
    return closing.endsWithFrame ? .cut : .ended
  }

  mutating func finding(_ finding: Finding) {
    let (code, severity) = (finding.code, finding.severity)
    if let row = codes.firstIndex(where: { $0.code == code && $0.severity == severity }) {
      codes[row].findings += 1
    } else {
      codes.append(CodeTally(code: code, severity: severity, findings: 1))
    }
  }

  /// Counts a message; its size follows by `weigh`.
  mutating func message(_ message: Message, _ view: MessageView) {
    see(message.origin)
    place = LastCounted()
    place.size = Int(view.joined.size)
    place.kind = kind(of: message)
    kinds[place.kind].add(message.origin.direction)
    place.session = session(of: message, view)
    sessions[place.session].messages += 1
    let isControl = message.traits.contains(.isControl)
    if !isControl && !message.traits.contains(.bodyInNotes) {
      let row = subjectRow(view.joined.subject, place.kind, view.subject)
      subjects[row].messages += 1
      place.subject = row
    }
    settle(message, view)
    begin(message.first, message, view)
    if message.second.role != .none { begin(message.second, message, view) }
    if message.third.role != .none { begin(message.third, message, view) }
    if message.traits.contains(.isFailure) {
      sessions[place.session].errors += 1
      fail(view.bytes[message.reason])
    }
  }

  /// Counts the bytes of the message that was counted last.
  mutating func weigh(_ detail: Detail, _ joined: Joined) {
    if framed.number != joined.connection { framed = (joined.connection, false) }
    if detail.framing != nil { framed.isFramed = true }
    let size = UInt64(detail.framing?.wireBytes ?? (framed.isFramed ? 0 : place.size))
    bytes += size
    kinds[place.kind].bytes += size
    sessions[place.session].bytes += size
    if let row = place.subject { subjects[row].bytes += size }
  }

  private func key(_ link: Link, _ message: Message, _ view: MessageView) -> WideKey {
    let session = UInt64(view.joined.connection) << 24 | UInt64(message.session) << 8
    return WideKey(session | UInt64(link.space), link.key)
  }

  /// What the display filter leaves out still answers what it has shown.
  mutating func hidden(_ message: Message, _ view: MessageView) {
    if view.joined.answers == 0 && view.joined.ends == 0 { return }
    place = LastCounted()
    settle(message, view, isHidden: true)
  }

  /// An answer ends what is open under its keys, and the side that asked may. An exchange has
  /// failed when the first of its answers says so.
  private mutating func settle(_ message: Message, _ view: MessageView, isHidden: Bool = false) {
    var settled: Open?
    let isFailure = message.traits.contains(.isFailure)
    for number in 0..<3 {
      let link = message.link(number)
      switch link.role {
      case .answers: break
      case .mentions where message.traits.contains(.endsExchange): break
      case .continues where isFailure: break
      default: continue
      }
      guard let slot = opens.slot(of: key(link, message, view)) else { continue }
      let open = opens[slot: slot]
      settled = settled ?? open
      if isFailure && !open.hasFailed { exchanges[Int(open.exchange)].errors += 1 }
      opens[slot: slot].hasFailed = open.hasFailed || isFailure
      if link.role == .continues { continue }
      _ = opens.removeValue(for: key(link, message, view))
      exchanges[Int(open.exchange)].answered += 1
      if open.mayAsk { exchanges[Int(open.exchange)].unasked -= 1 }
      if view.joined.latency >= 0 {
        exchanges[Int(open.exchange)].latencies.record(view.joined.latency)
      }
    }
    if settled == nil && isHidden { return }
    list(message, view, settled)
  }

  /// Lists an exchange that has ended, or a failure that ends none, where such were asked for.
  private mutating func list(_ message: Message, _ view: MessageView, _ open: Open?) {
    // Pings are no requests of anybody.
    let isSlow =
      open.map { $0.subject >= 0 } == true && message.has(.answers)
      && slowest.wants(latency: view.joined.latency)
    let isFailed =
      message.traits.contains(.isFailure) && open?.hasFailed != true && failed.wantsFailure()
    if !isSlow && !isFailed { return }
    var one = SingleExchange(
      answered: SingleExchange.MessageSource(message.origin, index: view.joined.index))
    one.connection = view.joined.connection
    one.latency = view.joined.latency
    one.precision = min(message.origin.precision, view.joined.precision)
    one.isFailure = message.traits.contains(.isFailure)
    one.kind = place.kind
    let asks = (0..<3).map(message.link).first {
      ($0.role == .answers || $0.role == .continues) && $0.isShown
    }
    one.request = asks?.key
    if let open, open.subject >= 0 {
      one.asked = open.place
      one.subject = subjects[Int(open.subject)].subject
      one.kind = Int(open.kind)
    }
    if one.subject == 0 { one.subject = texts.number(of: view.subject) }
    if one.isFailure && !message.reason.isEmpty {
      one.reason = reason(view.bytes[message.reason])
    }
    if isSlow { slowest.keep(bySlowness: one) }
    if isFailed { failed.append(one) }
  }

  private mutating func begin(_ link: Link, _ message: Message, _ view: MessageView) {
    guard link.role == .opens || link.role == .restarts else { return }
    let key = key(link, message, view)
    // Opened again while open, it is one more part of the same exchange.
    let mayContinue = link.role == .opens && !message.traits.contains(.beginsAnew)
    if mayContinue && opens.slot(of: key) != nil { return }
    let row = exchange(of: message, view)
    exchanges[row].begun += 1
    if message.traits.contains(.asksNothing) {
      exchanges[row].unasked += 1
      return
    }
    let mayAsk = message.traits.contains(.mayAsk)
    if mayAsk { exchanges[row].unasked += 1 }
    if opens.count >= limits.openExchanges { forget(before: view.joined.index) }
    opens[key] = Open(
      exchange: Int32(row), subject: place.subject.map { Int32($0) } ?? -1,
      kind: Int32(place.kind), mayAsk: mayAsk,
      place: SingleExchange.MessageSource(message.origin, index: view.joined.index))
  }

  /// Forgets the older half; it stays counted as unanswered.
  private mutating func forget(before index: UInt64) {
    var oldest = index
    opens.forEach { oldest = min(oldest, $1.index) }
    let middle = oldest + (index - oldest) / 2
    _ = opens.removeAll { $1.index <= middle }
  }

  /// The exchanges that a message of this type, about its subject, begins.
  private mutating func exchange(of message: Message, _ view: MessageView) -> Int {
    guard let row = place.subject else {
      return pingExchange(view.joined.connection, message.origin.direction)
    }
    if let known = subjects[row].exchange { return known }
    exchanges.append(ExchangeTally())
    subjects[row].exchange = exchanges.count - 1
    return exchanges.count - 1
  }

  private mutating func pingExchange(_ connection: UInt32, _ direction: Direction) -> Int {
    let key = WideKey(UInt64(connection), UInt64(direction.rawValue))
    if let row = pingRows[key] { return pings[Int(row)].exchange }
    if pings.isFull, let rest = pings.placeOfRest { return pings[rest].exchange }
    exchanges.append(ExchangeTally())
    let exchange = exchanges.count - 1
    if pings.isFull {
      _ = pings.rest(PingTally(connection: 0, direction: .unknown, exchange: exchange))
    } else {
      pingRows[key] = Int32(
        pings.append(PingTally(connection: connection, direction: direction, exchange: exchange)))
    }
    return exchange
  }

  private mutating func kind(of message: Message) -> Int {
    let key = WideKey(
      UInt64(UInt(bitPattern: message.dialect.utf8Start)),
      UInt64(UInt(bitPattern: message.name.utf8Start)))
    if let row = kindRows[key] { return Int(row) }
    // The same name may be stored at two places of the program: its text is compared.
    let (dialect, name) = (message.dialect.description, message.name.description)
    let known = kinds.firstIndex {
      $0.dialect.description == dialect && $0.name.description == name
    }
    if known == nil { kinds.append(KindTally(message)) }
    let row = known ?? kinds.count - 1
    kindRows[key] = Int32(row)
    return row
  }

  private mutating func subjectRow(_ subject: Int32, _ kind: Int, _ text: RawSpan) -> Int {
    // Without a number although there is a text: too many texts to be told apart.
    if subject == 0 && !text.isEmpty { return restOfSubjects() }
    let key = WideKey(UInt64(UInt32(bitPattern: subject)), UInt64(kind))
    // Of very many subjects, numbers are given again.
    if let row = subjectRows[key], texts[subjects[Int(row)].subject].equals(text) {
      return Int(row)
    }
    let number = texts.number(of: text)
    if number == 0 && !text.isEmpty { return restOfSubjects() }
    let known = WideKey(UInt64(UInt32(bitPattern: number)), UInt64(kind))
    if textRows[known] == nil {
      if subjects.isFull { return restOfSubjects() }
      textRows[known] = Int32(subjects.append(SubjectTally(subject: number, kind: kind)))
    }
    subjectRows[key] = textRows[known]
    return Int(textRows[known]!)
  }

  private mutating func restOfSubjects() -> Int {
    subjects.rest(SubjectTally(subject: 0, kind: nil))
  }

  private mutating func add(_ row: SessionTally) -> Int {
    sessions.isFull ? sessions.rest(.rest) : sessions.append(row)
  }

  private mutating func session(of message: Message, _ view: MessageView) -> Int {
    let connection = view.joined.connection
    var row: Int
    if let lastConnection, lastConnection.number == connection {
      row = lastConnection.session
    } else {
      let key = OpenConnection.key(connection)
      row = current[key]?.session ?? add(SessionTally(connection))
      if current.slot(of: key) == nil { current[key] = OpenConnection(session: row, client: -1) }
    }
    if message.session > sessions[row].number && !sessions[row].isRest {
      var next = SessionTally(connection)
      (next.client, next.server) = (sessions[row].client, sessions[row].server)
      (next.number, next.began) = (message.session, message.origin.time)
      (sessions[row].end, sessions[row].ended) = (.followed, message.origin.time)
      row = add(next)
      if let slot = current.slot(of: OpenConnection.key(connection)) {
        current[slot: slot].session = row
      }
    }
    lastConnection = (connection, row)
    if sessions[row].isRest { return row }
    if !message.realm.isEmpty { sessions[row].realm = texts.number(of: view.bytes[message.realm]) }
    let second = message.second
    if second.role == .shows && second.scope == .router { sessions[row].id = second.key }
    return row
  }

  private mutating func clientRow(_ peers: ClientTally.Peers) -> Int {
    if let row = clientRows[peers] { return row }
    if clients.isFull { return clients.rest(ClientTally(nil)) }
    let row = clients.append(ClientTally(peers))
    clientRows[peers] = row
    return row
  }

  private mutating func fail(_ reason: RawSpan) {
    var text: Int32 = -1
    if reasons.count < limits.statisticsRows {
      text = self.reason(reason)
      if text == 0 && !reason.isEmpty { text = -1 }
    }
    if let row = reasonRows[text] { return reasons[row].messages += 1 }
    reasons.append((text, 1))
    reasonRows[text] = reasons.count - 1
  }

  /// - Returns: the number of its text, 0 where there is no room for one more.
  private mutating func reason(_ reason: RawSpan) -> Int32 {
    if reason.firstIndex(of: .backslash) == nil { return texts.number(of: reason) }
    let plain = JSON.unescaped(reason)
    return texts.number(of: plain.span.bytes)
  }
}
