// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// A client connects again and again at short intervals (RFC 6455 §7.2.3).
  static let reconnectStorm: Self = "connection.reconnect-storm"
  /// A client waits longer before each new connection, as RFC 6455 §7.2.3 asks for.
  static let reconnectBackoff: Self = "connection.reconnect-backoff"
}

/// How clients come back after a connection has ended otherwise than by their own orderly CLOSE:
/// at once, again and again, or after ever longer waits. A client is an address that connects to
/// the same URL of the same server.
struct Reconnects {
  private struct Peers: Hashable {
    var client: [UInt8]
    var server: Endpoint
    var url: [UInt8]
  }

  /// Connections of which each has followed the one before.
  private struct Chain {
    /// Nanoseconds between an end and the connection after it, the latest of them.
    var waits: [Int64] = []
    /// When the first of them began, and how many there were.
    var since: Int64 = 0
    var count = 0
    /// How many there were when a storm was told; 0 when none was.
    var told = 0
    var hasToldBackoff = false
  }

  private struct Client {
    let peers: Peers
    /// Connections that are open now.
    var open = 0
    /// Those that ended and that no other has followed, the last one at the end.
    var ends: [(time: Int64, chain: Chain)] = []
  }

  private struct Open {
    var client: Int
    var since: Int64
    var chain = Chain()
  }

  /// So many new connections make a storm, each of them sooner than that after the one before.
  private static let leastCount = 5
  private static let longestWait: Int64 = 2_000_000_000
  /// A connection that lasted so long was none that failed.
  private static let stableTime: Int64 = 30_000_000_000
  /// Ends that are remembered of one client, and waits.
  private static let mostKept = 16

  private var places: [Peers: Int] = [:]
  private var clients: ContiguousArray<Client> = []
  /// By flow.
  private var connections: [UInt32: Open] = [:]
  private let most: Int
  /// Clients that there was no room for, and those since there was some.
  private(set) var forgotten: UInt64 = 0
  private var refused = 0

  init(limits: Limits) { most = limits.reconnectingClients }

  /// - Returns: what is to be told of the client.
  mutating func opened(_ opening: Opening, _ delivery: Delivery) -> Finding? {
    leave(delivery.origin.flow)
    let time = delivery.origin.time
    guard opening.isFromStart, opening.client.isKnown, time.isKnown else { return nil }
    let peers = Peers(client: opening.client.address, server: opening.server, url: opening.url)
    guard let place = place(of: peers) else {
      forgotten += 1
      return nil
    }
    let now = time.nanoseconds
    clients[place].open += 1
    var open = Open(client: place, since: now)
    var finding: Finding?
    // Of several that ended, the one that ended last: who went for good does not come back.
    if let end = clients[place].ends.popLast(), now >= end.time {
      open.chain = end.chain
      finding = Self.note(now &- end.time, now, &open.chain, delivery.origin)
    }
    connections[delivery.origin.flow] = open
    return finding
  }

  mutating func closed(_ closing: Closing, _ delivery: Delivery) {
    guard var known = connections[delivery.origin.flow] else { return }
    leave(delivery.origin.flow)
    let time = delivery.origin.time
    let isOrderly =
      closing.by == .toServer && !closing.isReset
      && (closing.endsWithFrame ? closing.hasFrame && (closing.code ?? 1000) <= 1001 : true)
    if closing.isUnfinished || isOrderly || !time.isKnown { return }
    if time.nanoseconds &- known.since >= Self.stableTime { known.chain = Chain() }
    let place = known.client
    if clients[place].ends.count == Self.mostKept { clients[place].ends.removeFirst() }
    clients[place].ends.append((time.nanoseconds, known.chain))
  }

  private mutating func leave(_ flow: UInt32) {
    guard let known = connections.removeValue(forKey: flow) else { return }
    clients[known.client].open -= 1
  }

  private mutating func place(of peers: Peers) -> Int? {
    if let known = places[peers] { return known }
    if clients.count >= most {
      // Looking for those that can be forgotten takes a while.
      refused += 1
      if refused == 1 || refused > most / 4 { forgetIdle() }
      if clients.count >= most { return nil }
    }
    refused = 0
    places[peers] = clients.count
    clients.append(Client(peers: peers))
    return clients.count - 1
  }

  /// Forgets the clients that have nothing open.
  private mutating func forgetIdle() {
    var moved: [Int: Int] = [:]
    var kept: ContiguousArray<Client> = []
    for (place, client) in clients.enumerated() where client.open > 0 {
      moved[place] = kept.count
      kept.append(client)
    }
    clients = kept
    places = [:]
    for (place, client) in clients.enumerated() { places[client.peers] = place }
    for (flow, open) in connections { connections[flow]!.client = moved[open.client]! }
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
    return Finding(
      .reconnectStorm, .warning, origin,
      "the client has connected again \(chain.count) times within"
        + " \(text(now &- chain.since)), each time soon after the connection before had ended:"
        + " \(waits)")
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
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
