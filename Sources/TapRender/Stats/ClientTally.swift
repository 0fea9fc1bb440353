// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The connections from one address to one server, and the time between the end of one and the
/// begin of the next.
struct ClientTally {
  struct Peers: Hashable {
    var client: [UInt8]
    var server: Endpoint
  }

  /// The first gaps are kept one by one, for their order shows a backoff.
  static let listed = 32
  /// Ends that no connection followed yet.
  private static let mostEnds = 256

  /// Nil for all that came when there was no room for more rows.
  var peers: Peers?
  var connections: UInt64 = 0
  /// Attempts that led to no connection.
  private(set) var refused: UInt64 = 0
  private(set) var gaps: [Int64] = []
  private(set) var reconnects = Latencies()
  private var ends: [Instant] = []

  init(_ peers: Peers?) { self.peers = peers }

  mutating func opened(_ time: Instant) {
    connections += 1
    follow(time)
  }

  /// An attempt begins and ends at once.
  mutating func refused(_ time: Instant) {
    refused += 1
    follow(time)
    closed(time)
  }

  private mutating func follow(_ time: Instant) {
    // Of several connections that have ended, the last one is taken up again: who went for good
    // does not reconnect.
    guard peers != nil, time.isKnown, let end = ends.last, time >= end else { return }
    ends.removeLast()
    let (gap, isTooLong) = time.nanoseconds.subtractingReportingOverflow(end.nanoseconds)
    if isTooLong { return }
    reconnects.record(gap)
    if gaps.count < Self.listed { gaps.append(gap) }
  }

  mutating func closed(_ time: Instant) {
    guard peers != nil, time.isKnown else { return }
    if ends.count == Self.mostEnds { ends.removeFirst() }
    ends.append(time)
  }
}
