// SPDX-License-Identifier: Apache-2.0

/// How many connections of one name are open, and which side writes the log.
struct LogConnectionCount {
  /// Who writes the log.
  private(set) var side = LogFormat.Side.unknown
  /// Connections that were asked for.
  private var requests = 0
  /// Connections that have ended: as lines say, and as CLOSE frames in each direction say.
  private var (ends, closesSent, closesReceived) = (0, 0, 0)

  /// Whether lines say when a connection has ended; else its first CLOSE does.
  private let hasEnds: Bool

  init(hasEnds: Bool) { self.hasEnds = hasEnds }

  /// Connections that have not ended, as far as lines say.
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

  mutating func request(_ direction: LogDirection) {
    if areOver { (requests, ends, closesSent, closesReceived) = (0, 0, 0, 0) }
    side = direction == .received ? .server : .client
    requests += 1
  }

  /// A CLOSE frame, or a line that says that a connection has ended.
  mutating func end(_ direction: LogDirection) {
    switch direction {
    case .sent: closesSent += 1
    case .received: closesReceived += 1
    default: ends += 1
    }
  }
}
