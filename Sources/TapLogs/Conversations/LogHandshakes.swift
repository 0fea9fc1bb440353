// SPDX-License-Identifier: Apache-2.0

/// What a log says of connections beside their messages: that one is requested, by which side and
/// for which subprotocols, and that one has ended.
struct LogHandshakes {
  typealias Name = LogConversationName

  /// Names that are remembered.
  let most: Int
  private var counts: [Name: LogConnectionCount] = [:]
  private var subprotocols: [Name: LogSubprotocol] = [:]
  /// Several connections of the same name were open at once.
  private(set) var hasSeveralOpen = false

  init(most: Int) { self.most = most }

  /// A request for WebSocket; answers whether all connections before it have ended.
  mutating func request(_ name: Name, _ match: LogMatch) -> Bool {
    let isOver = counts[name]?.areOver == true
    if counts.count >= most { counts.removeAll() }
    counts[name, default: LogConnectionCount(hasEnds: match.format.saysEnds)].request(
      match.direction)
    if areSeveral(name) { hasSeveralOpen = true }
    // What this one is for, the lines behind its request say.
    subprotocols[name]?.forget()
    return isOver
  }

  /// A connection has ended.
  mutating func end(_ candidate: LogCandidate) {
    guard !counts.isEmpty, let match = candidate.match else { return }
    counts[Name(candidate)]?.end(match.direction)
  }

  /// Whether several connections are open that a message may be of.
  func areSeveral(_ name: Name) -> Bool { counts[name]?.areSeveral == true }

  /// Who writes, as the last request says.
  func side(_ name: Name) -> LogFormat.Side { known(name, in: counts)?.side ?? .unknown }

  /// A line names subprotocols.
  mutating func note(subprotocol names: [UInt8], _ candidate: LogCandidate) {
    guard let match = candidate.match, !names.isEmpty else { return }
    if subprotocols.count >= most { subprotocols.removeAll() }
    subprotocols[Name(candidate), default: LogSubprotocol(match.direction, candidate.side)]
      .note(names, match.direction)
  }

  /// The subprotocol that the last handshake chose; nil if that is not known.
  func subprotocol(_ name: Name) -> [UInt8]? { known(name, in: subprotocols)?.chosen }

  /// A library names no connection where the program above it does.
  private func known<Value>(_ name: Name, in table: [Name: Value]) -> Value? {
    table[name] ?? table[name.nameless]
  }
}
