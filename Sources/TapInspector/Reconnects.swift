// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension Finding.Code {
  /// A client connects again and again at short intervals (RFC 6455 §7.2.3).
  static let reconnectStorm: Self = "connection.reconnect-storm"
  /// A port that was closed each time that a client tried it (RFC 9293 §3.5.2), and that had no
  /// connection.
  static let connectionRefused: Self = "connection.refused"
  /// A client asks again and again for a connection without an answer (RFC 9293 §3.8.1).
  static let connectionUnanswered: Self = "connection.unanswered"
  /// A client waits longer before each new connection, as RFC 6455 §7.2.3 asks for.
  static let reconnectBackoff: Self = "connection.reconnect-backoff"
}

/// How clients come back after a connection has ended otherwise than by their own orderly CLOSE, or
/// was refused: at once, again and again, or after ever longer waits. A client is an address that
/// connects to the same URL of the same server.
struct Reconnects {
  private struct Peers: Hashable {
    /// Of all of it; it is looked up with every connection.
    private let fingerprint: UInt64
    let client: [UInt8]
    let server: Endpoint
    let url: [UInt8]

    init(client: [UInt8], server: Endpoint, url: [UInt8]) {
      (self.client, self.server, self.url) = (client, server, url)
      fingerprint = url.span.bytes.fingerprint(
        behind: Ends(client: client, server: server).fingerprint)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
  }

  /// Connections that followed each other.
  private struct Chain {
    /// Nanoseconds between an end and the connection after it, the latest of them.
    var waits: [Int64] = []
    /// When the first of them began, and how many there were.
    var since: Int64 = 0
    var count = 0
    /// Of these, attempts that led to no connection.
    var refused = 0
    /// How many there were when a storm was told; 0 when none was.
    var told = 0
    var hasToldBackoff = false
  }

  /// A client and a server, whatever is asked of it.
  struct Ends: Hashable {
    fileprivate let fingerprint: UInt64
    let client: [UInt8]
    let server: Endpoint

    init(client: [UInt8], server: Endpoint) {
      (self.client, self.server) = (client, server)
      fingerprint =
        server.address.span.bytes.fingerprint(behind: client.span.bytes.fingerprint)
        ^ UInt64(server.port)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

    var shownClient: Substring { "\(Endpoint(address: client, port: 0))".dropLast(2) }
  }

  private struct Client {
    /// Connections that are open now.
    var open = 0
    /// Those that ended and that no other has followed, the last one at the end.
    var ends: [(time: Int64, chain: Chain)] = []
  }

  private struct Open: BitwiseCopyable {
    var client: Int
    var since: Int64
  }

  /// So many new connections make a storm, each of them sooner than that after the one before.
  private static let leastCount = 5
  private static let longestWait: Int64 = 2_000_000_000
  /// SYNs that are sent again, of all connections between the same two: fewer may be lost packets.
  private static let leastRepeats = 4
  /// TCP waits longer each time, and applications, too.
  private static let longestRepeat: Int64 = 600_000_000_000
  /// A connection that lasted so long was none that failed.
  private static let stableTime: Int64 = 30_000_000_000
  /// Ends that are remembered of one client, and waits.
  private static let mostKept = 16

  /// Those that have something open are pinned: many at once cost no more than few.
  private var clients: RecencyTable<Peers, Client>
  /// The client that was heard of last between two ends.
  private var latest: [Ends: Int] = [:]
  /// Ports where no conversation of the client is known, and those that do not answer.
  private var (closedPorts, silentPorts): (TriedPorts, TriedPorts)
  /// By flow.
  private var connections = IDTable<Open>()
  /// Of those that have followed another one.
  private var chains: [UInt32: Chain] = [:]
  /// Clients that there was no room for, or that had to make room while they could still come back.
  private var unwatched: UInt64 = 0
  var forgotten: UInt64 { unwatched + closedPorts.forgotten + silentPorts.forgotten }

  init(limits: Limits) {
    let most = limits.reconnectingClients
    clients = RecencyTable(most: most)
    closedPorts = TriedPorts(least: Self.leastCount, patience: Self.longestWait, most: most)
    silentPorts = TriedPorts(least: Self.leastRepeats, patience: Self.longestRepeat, most: most)
  }

  /// - Returns: what is to be told of the client.
  mutating func opened(_ opening: Opening, _ delivery: Delivery) -> Finding? {
    leave(delivery.origin.flow)
    let time = delivery.origin.time
    guard opening.isFromStart, opening.client.isKnown, time.isKnown else { return nil }
    guard let place = place(of: opening, time.nanoseconds) else {
      unwatched += 1
      return nil
    }
    clients[place].open += 1
    clients.pin(place)
    connections[Self.key(delivery.origin.flow)] = Open(client: place, since: time.nanoseconds)
    var chain = Chain()
    let finding = follow(place, &chain, delivery.origin)
    if chain.count > 0 { chains[delivery.origin.flow] = chain }
    return finding
  }

  /// An attempt begins and ends at once. Who only found a closed port is taken for a client that
  /// has had a connection there, if there is one.
  mutating func refused(_ attempt: Opening, _ delivery: Delivery) -> Finding? {
    let time = delivery.origin.time
    guard attempt.isFromStart, attempt.client.isKnown, time.isKnown else { return nil }
    let ends = Ends(client: attempt.client.address, server: attempt.server)
    if attempt.isUnanswered { return foundNobody(ends, delivery.origin) }
    let known = attempt.url.isEmpty ? latest[ends] : place(of: attempt, time.nanoseconds)
    guard let place = known else {
      if attempt.url.isEmpty { return foundClosed(ends, delivery.origin) }
      unwatched += 1
      return nil
    }
    var chain = Chain()
    chain.refused = 1
    let finding = follow(place, &chain, delivery.origin, wasRefused: true)
    end(place, time.nanoseconds, chain)
    return finding
  }

  private mutating func foundClosed(_ ends: Ends, _ origin: Origin) -> Finding? {
    let now = origin.time.nanoseconds
    guard let attempts = closedPorts.note(ends, now) else { return nil }
    return Finding(
      .connectionRefused, .warning, origin,
      "\(ends.shownClient) tried \(ends.server) \(attempts.count) times within"
        + " \(Self.text(now &- attempts.since)), and the port was closed each time; more attempts"
        + " are not reported")
  }

  /// A SYN was sent once more.
  private mutating func foundNobody(_ ends: Ends, _ origin: Origin) -> Finding? {
    guard let repeats = silentPorts.note(ends, origin.time.nanoseconds) else { return nil }
    return Finding(
      .connectionUnanswered, .warning, origin,
      "\(ends.shownClient) repeated its SYN to \(ends.server) \(repeats.count) times, as no answer"
        + " had come; further ones are not reported")
  }

  /// Takes a new connection, or an attempt, for what comes behind one that has ended.
  private mutating func follow(
    _ place: Int, _ chain: inout Chain, _ origin: Origin, wasRefused: Bool = false
  ) -> Finding? {
    let now = origin.time.nanoseconds
    // Of several that ended, the one that ended last: who went for good does not come back.
    guard let end = clients[place].ends.popLast(), now >= end.time else { return nil }
    chain = end.chain
    if wasRefused { chain.refused += 1 }
    return Self.note(now &- end.time, now, &chain, origin)
  }

  private mutating func end(_ place: Int, _ time: Int64, _ chain: Chain) {
    if clients[place].ends.count == Self.mostKept { clients[place].ends.removeFirst() }
    clients[place].ends.append((time, chain))
  }

  mutating func closed(_ closing: Closing, _ delivery: Delivery) {
    let flow = delivery.origin.flow
    guard let known = connections[Self.key(flow)] else { return }
    var chain = chains.isEmpty ? Chain() : chains[flow] ?? Chain()
    leave(flow)
    let time = delivery.origin.time
    let isOrderly =
      closing.by == .toServer && !closing.isReset
      && (closing.endsWithFrame ? closing.hasFrame && (closing.code ?? 1000) <= 1001 : true)
    if closing.isUnfinished || isOrderly || !time.isKnown { return }
    if time.nanoseconds &- known.since >= Self.stableTime { chain = Chain() }
    end(known.client, time.nanoseconds, chain)
  }

  private static func key(_ flow: UInt32) -> WideKey { WideKey(0, UInt64(flow)) }

  private mutating func leave(_ flow: UInt32) {
    guard let known = connections.removeValue(for: Self.key(flow)) else { return }
    if !chains.isEmpty { chains[flow] = nil }
    clients[known.client].open -= 1
    if clients[known.client].open == 0 { clients.loosen(known.client) }
  }

  private mutating func place(of opening: Opening, _ now: Int64) -> Int? {
    let (client, server) = (opening.client.address, opening.server)
    let place = place(
      of: Peers(client: client, server: server, url: URLCredentials.without(opening.url)), now)
    if let place { latest[Ends(client: client, server: server)] = place }
    return place
  }

  private mutating func place(of peers: Peers, _ now: Int64) -> Int? {
    if let known = clients.place(of: peers) {
      clients.touch(known)
      return known
    }
    if clients.isFull {
      guard let idle = clients.oldest else { return nil }
      forget(idle, now)
    }
    return clients.insert(Client(), for: peers)
  }

  private mutating func forget(_ place: Int, _ now: Int64) {
    // Who ended long ago is not expected back.
    let last = clients[place].ends.last?.time ?? .min
    if last > now.subtractingReportingOverflow(Self.stableTime).partialValue { unwatched += 1 }
    let peers = clients.key(at: place)
    let ends = Ends(client: peers.client, server: peers.server)
    if latest[ends] == place { latest[ends] = nil }
    clients.remove(place)
  }

  private static func note(
    _ wait: Int64, _ now: Int64, _ chain: inout Chain, _ origin: Origin
  ) -> Finding? {
    if chain.count == 0 { chain.since = now &- wait }
    chain.count += 1
    if chain.waits.count == mostKept { chain.waits.removeFirst() }
    chain.waits.append(wait)
    let last = chain.waits.suffix(leastCount)
    let waits = last.map(text).joined(separator: ", ")
    if isBackoff(chain.waits.suffix(3)) {
      if chain.hasToldBackoff { return nil }
      chain.hasToldBackoff = true
      return Finding(
        .reconnectBackoff, .note, origin,
        "the client waits longer before each new connection: \(waits)")
    }
    guard last.count == leastCount, last.allSatisfy({ $0 < longestWait }),
      chain.count >= 2 * chain.told
    else { return nil }
    chain.told = chain.count
    let refused = chain.refused > 0 ? ", refused \(chain.refused) times," : ""
    return Finding(
      .reconnectStorm, .warning, origin,
      "the client has \(chain.refused > 0 ? "tried" : "connected") again \(chain.count) times"
        + "\(refused) within \(text(now &- chain.since)), each time soon after the connection"
        + " before had ended: \(waits)")
  }

  /// Waits that grow; what chance adds to them may make one a little shorter.
  private static func isBackoff(_ waits: ArraySlice<Int64>) -> Bool {
    guard waits.count == 3, let first = waits.first, let last = waits.last else { return false }
    let steps = zip(waits, waits.dropFirst())
    return last >= 200_000_000 && last / 2 >= first && steps.allSatisfy { $1 >= $0 - $0 / 5 }
  }

  /// `104 ms`, `2.1 s`.
  private static func text(_ nanoseconds: Int64) -> String {
    if nanoseconds < 1_000_000_000 { return "\((nanoseconds + 500_000) / 1_000_000) ms" }
    return DurationText.seconds(UInt64(nanoseconds + 50_000_000), places: 1) + " s"
  }
}
