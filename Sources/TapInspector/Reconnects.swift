// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// How clients reconnect after a connection was refused, or ended otherwise than by their own
/// orderly CLOSE, or a message by which they leave: at once and repeatedly, or after growing waits.
/// A client is an address that connects to the same URL of the same server.
struct Reconnects {
  private struct Peers: Hashable {
    /// Hash of all fields, computed once: it is looked up with every connection.
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
    /// The latest waits between the end of a connection and the next one, in nanoseconds.
    var waits: [Int64] = []
    /// When the first of them began, and their number.
    var since: Int64 = 0
    var count = 0
    /// How many of them were attempts that failed.
    var refused = 0
    /// Their number when a storm was reported; 0 when none was.
    var reported = 0
    var hasReportedBackoff = false
  }

  /// A client and a server, whatever the URL.
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
    /// Ended connections that no new one has followed yet, the last one at the end.
    var ends: [(time: Int64, chain: Chain)] = []
  }

  private struct Open: BitwiseCopyable {
    var client: Int
    var since: Int64
    /// The client has said that it leaves.
    var hasLeft = false
  }

  /// So many new connections are a storm, if each comes within `longestWait` of the end of the one
  /// before.
  private static let leastCount = 5
  private static let longestWait: Int64 = 2_000_000_000
  /// How often a SYN is repeated, over all connections of the same peers: fewer repeats may be
  /// packet loss.
  private static let leastRepeats = 4
  /// Longest time between repeats that belong together: TCP waits longer each time, and so do
  /// applications.
  private static let longestRepeat: Int64 = 600_000_000_000
  /// A connection that lasted this long did not fail.
  private static let stableTime: Int64 = 30_000_000_000
  /// How many ends and waits are remembered of one client.
  private static let mostKept = 16

  /// Clients with an open connection are pinned, so that finding one to forget costs no search.
  private var clients: RecencyTable<Peers, Client>
  /// The client that was seen last for each pair of peers.
  private var latest: [Ends: Int] = [:]
  /// Closed ports where no conversation of the client is known, and ports that do not answer.
  private var (closedPorts, silentPorts): (TriedPorts, TriedPorts)
  /// By flow.
  private var connections = IDTable<Open>()
  /// Chains of connections that followed another one, by flow.
  private var chains: [UInt32: Chain] = [:]
  /// Clients without room in the table, or removed from it while they could still reconnect.
  private var unwatched: UInt64 = 0
  var forgotten: UInt64 { unwatched + closedPorts.forgotten + silentPorts.forgotten }

  init(limits: Limits) {
    let most = limits.reconnectingClients
    clients = RecencyTable(most: most)
    closedPorts = TriedPorts(least: Self.leastCount, patience: Self.longestWait, most: most)
    silentPorts = TriedPorts(least: Self.leastRepeats, patience: Self.longestRepeat, most: most)
  }

  /// - Returns: a finding about the client.
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

  /// An attempt begins and ends at once. An attempt at a closed port, which has no URL, counts for
  /// the client that last had a connection there, if any.
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

  /// A SYN was repeated.
  private mutating func foundNobody(_ ends: Ends, _ origin: Origin) -> Finding? {
    guard let repeats = silentPorts.note(ends, origin.time.nanoseconds) else { return nil }
    return Finding(
      .connectionUnanswered, .warning, origin,
      "\(ends.shownClient) repeated its SYN to \(ends.server) \(repeats.count) times, as no answer"
        + " had come; further ones are not reported")
  }

  /// Takes a new connection or attempt as the successor of one that has ended.
  private mutating func follow(
    _ place: Int, _ chain: inout Chain, _ origin: Origin, wasRefused: Bool = false
  ) -> Finding? {
    let now = origin.time.nanoseconds
    // Of several that ended, the one that ended last: a client that left for good does not come
    // back.
    guard let end = clients[place].ends.popLast(), now >= end.time else { return nil }
    chain = end.chain
    if wasRefused { chain.refused += 1 }
    return Self.note(now &- end.time, now, &chain, origin)
  }

  private mutating func end(_ place: Int, _ time: Int64, _ chain: Chain) {
    if clients[place].ends.count == Self.mostKept { clients[place].ends.removeFirst() }
    clients[place].ends.append((time, chain))
  }

  /// The client says that it leaves.
  mutating func left(_ flow: UInt32) {
    guard let slot = connections.slot(of: Self.key(flow)) else { return }
    connections[slot: slot].hasLeft = true
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
    if closing.isUnfinished || isOrderly || known.hasLeft || !time.isKnown { return }
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
    // A client whose last connection ended long ago is not expected back.
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
    var waits: String { last.map(text).joined(separator: ", ") }
    if isBackoff(chain.waits.suffix(3)) {
      if chain.hasReportedBackoff { return nil }
      chain.hasReportedBackoff = true
      return Finding(
        .reconnectBackoff, .note, origin,
        "the client waits longer before each new connection: \(waits)")
    }
    guard last.count == leastCount, last.allSatisfy({ $0 < longestWait }),
      chain.count >= 2 * chain.reported
    else { return nil }
    chain.reported = chain.count
    let refused = chain.refused > 0 ? ", refused \(chain.refused) times," : ""
    return Finding(
      .reconnectStorm, .warning, origin,
      "the client has \(chain.refused > 0 ? "tried" : "connected") again \(chain.count) times"
        + "\(refused) within \(text(now &- chain.since)), each time soon after the connection"
        + " before had ended: \(waits)")
  }

  /// Growing waits; random jitter may make one a little shorter.
  private static func isBackoff(_ waits: ArraySlice<Int64>) -> Bool {
    guard waits.count == 3, let first = waits.first, let last = waits.last else { return false }
    let steps = zip(waits, waits.dropFirst())
    return last >= 200_000_000 && last / 2 >= first && steps.allSatisfy { $1 >= $0 - $0 / 5 }
  }

  /// `104 ms`, `2.1 s`.
  private static func text(_ nanoseconds: Int64) -> String {
    if nanoseconds < 1_000_000_000 { return "\((nanoseconds + 500_000) / 1_000_000) ms" }
    return DurationText.seconds(UInt64(nanoseconds) + 50_000_000, places: 1) + " s"
  }
}
