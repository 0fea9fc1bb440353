// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The latest PINGs and PONGs of one side.
struct KeepAlive {
  struct Sent {
    /// What it carries, as a number.
    var key: UInt64
    var origin: Origin

    var nanoseconds: Int64 { origin.time.nanoseconds }
  }

  private static let most = 64
  /// Packets of two directions may have been captured in the wrong order.
  private static let mostSkew: Int64 = 1_000_000_000

  private(set) var pings: ContiguousArray<Sent> = []
  private(set) var pongs: ContiguousArray<Sent> = []
  private var hasForgotten = false

  mutating func note(_ sent: Sent, isPing: Bool) {
    if isPing {
      if pings.count >= Self.most { pings.removeFirst() }
      pings.append(sent)
    } else {
      if pongs.count >= Self.most {
        pongs.removeFirst()
        hasForgotten = true
      }
      pongs.append(sent)
    }
  }

  /// Its PINGs that nothing answers: those behind the last one that has a PONG (RFC 6455 §5.5.3
  /// allows one for several), and behind a time.
  func unanswered(by pongs: KeepAlive, after time: Instant) -> ArraySlice<Sent> {
    let last = pings.lastIndex { ping in
      pongs.pongs.contains {
        $0.key == ping.key && $0.nanoseconds &- ping.nanoseconds > -Self.mostSkew
      }
    }
    let open = pings[(last.map { $0 + 1 } ?? 0)...].filter {
      $0.origin.time.isKnown && (!time.isKnown || $0.nanoseconds > time.nanoseconds)
    }
    // The answer may be among those that are not remembered.
    if pongs.hasForgotten, let first = open.first,
      pongs.pongs[0].nanoseconds > first.nanoseconds
    {
      return []
    }
    return open[...]
  }

  /// The first PONG behind a time that carries what no PING of the other side did.
  func stray(after time: Int64, among pings: KeepAlive) -> Sent? {
    pongs.first { pong in
      pong.nanoseconds >= time && !pings.pings.contains { $0.key == pong.key }
    }
  }
}
