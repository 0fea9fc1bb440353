// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The last PINGs and PONGs of one side.
struct PingRecord {
  struct Sent {
    /// Hash of the payload.
    var key: UInt64
    var origin: Origin

    var nanoseconds: Int64 { origin.time.nanoseconds }
  }

  private static let most = 64
  /// Packets of the two directions may have been captured out of order by this much.
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

  /// The PINGs of this side, later than `time`, that were not answered. A PONG also answers all
  /// PINGs before the one it repeats (RFC 6455 §5.5.3).
  func unanswered(by pongs: PingRecord, after time: Instant) -> ArraySlice<Sent> {
    let last = pings.lastIndex { ping in
      pongs.pongs.contains {
        $0.key == ping.key && $0.nanoseconds &- ping.nanoseconds > -Self.mostSkew
      }
    }
    let open = pings[(last.map { $0 + 1 } ?? 0)...].filter {
      $0.origin.time.isKnown && (!time.isKnown || $0.nanoseconds > time.nanoseconds)
    }
    // The answer may be among the PONGs that were forgotten.
    if pongs.hasForgotten, let first = open.first,
      pongs.pongs[0].nanoseconds > first.nanoseconds
    {
      return []
    }
    return open[...]
  }

  /// The first PONG after `time` with a payload that no PING of the other side had.
  func stray(after time: Int64, among pings: PingRecord) -> Sent? {
    pongs.first { pong in
      pong.nanoseconds >= time && !pings.pings.contains { $0.key == pong.key }
    }
  }
}
