// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What a log says of connections that it does not name: that one is asked for, by whom, and that
/// one has ended.
struct LogHandshakes {
  /// Who writes the log.
  private(set) var side = LogFormat.Side.unknown
  /// Connections that were asked for.
  private var requests = 0
  /// Those that have ended: as lines say, and as frames do.
  private var (ends, closesSent, closesReceived) = (0, 0, 0)

  /// Whether lines say when a connection has ended; else its first CLOSE does.
  private let hasEnds: Bool

  init(hasEnds: Bool) { self.hasEnds = hasEnds }

  /// Those of which nothing says that they have ended.
  private var open: Int {
    let closed =
      hasEnds
      ? max(ends, min(closesSent, closesReceived)) : max(closesSent, closesReceived)
    return requests - closed
  }

  /// Whether none of those that were asked for goes on.
  var areOver: Bool { requests > 0 && open <= 0 }

  /// Whether several go on at once.
  var areSeveral: Bool { open > 1 }

  mutating func request(_ way: LogRule.Way) {
    if areOver { (requests, ends, closesSent, closesReceived) = (0, 0, 0, 0) }
    side = way == .received ? .server : .client
    requests += 1
  }

  /// A CLOSE frame, or a line that says that a connection has ended.
  mutating func end(_ way: LogRule.Way) {
    switch way {
    case .sent: closesSent += 1
    case .received: closesReceived += 1
    default: ends += 1
    }
  }
}

extension LogConversations {
  /// Somebody asks for WebSocket: where no connection is open, what comes next is of a new one.
  mutating func noteRequest(_ candidate: LogCandidate, _ sink: any EvidenceSink) {
    guard let match = candidate.match else { return }
    let name = name(candidate)
    let isOver = handshakes[name]?.areOver == true
    if handshakes.count >= limits.connections { handshakes.removeAll() }
    handshakes[name, default: LogHandshakes(hasEnds: match.form.saysEnds)].request(match.way)
    if handshakes[name]?.areSeveral == true { hasSeveralOpen = true }
    guard isOver, former[name] == nil, let before = names.removeValue(forKey: name) else { return }
    latest[name.format] = nil
    close(before, sink)
  }

  /// Whether several connections are open that a message may be of.
  func mayBeOfSeveral(_ candidate: LogCandidate) -> Bool {
    handshakes[name(candidate)]?.areSeveral == true
  }

  /// A connection has ended.
  mutating func noteEnd(_ candidate: LogCandidate) {
    guard !handshakes.isEmpty, let match = candidate.match else { return }
    handshakes[name(candidate)]?.end(match.way)
  }

  /// Who writes, as the last request says.
  func writer(_ candidate: LogCandidate) -> LogFormat.Side {
    handshakes.isEmpty ? .unknown : handshakes[name(candidate)]?.side ?? .unknown
  }
}
