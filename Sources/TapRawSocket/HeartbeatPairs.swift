// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reports PINGs and PONGs of both sides, and reports PONGs without a PING.
final class HeartbeatPairs {
  /// PINGs of one side, and the PONGs of the other.
  private struct Pairs {
    /// The payloads, as hashes, of PINGs that wait for an answer.
    var pings: ContiguousArray<UInt64> = []
    /// PONGs without a PING, which may have been captured late and still follow.
    var earlyPongs: ContiguousArray<(key: UInt64, finding: Finding)> = []
    /// A PING may have been missed, so a PONG may lack one.
    var mayLackPings = false
  }

  /// How far packets of two directions may be out of order, in nanoseconds of capture time.
  private static let disorder: Int64 = 1_000_000_000

  /// The pairs for the client's PINGs, and for the router's.
  private var pairs = [Pairs(), Pairs()]
  /// The limit of remembered PINGs per side.
  private let most: Int

  init(_ limits: Limits) { most = limits.pings }

  private func place(_ pinger: Direction) -> Int { pinger == .toServer ? 0 : 1 }

  func missPings(_ pinger: Direction) { pairs[place(pinger)].mayLackPings = true }

  /// One side has ended.
  func finish(_ direction: Direction, _ listener: any Listener) {
    reportEarlyPongs(place(direction.reversed), before: nil, listener)
  }

  func report(isPing: Bool, _ payload: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    let key = Heartbeat.report(isPing: isPing, payload, delivery, listener)
    let direction = delivery.origin.direction
    for place in [place(direction.reversed), place(direction)] {
      reportEarlyPongs(place, before: delivery.origin.time, listener)
    }
    let own = place(isPing ? direction : direction.reversed)
    if isPing {
      if let place = pairs[own].earlyPongs.firstIndex(where: { $0.key == key }) {
        pairs[own].earlyPongs.remove(at: place)
        return
      }
      pairs[own].pings.append(key)
      if pairs[own].pings.count > most {
        pairs[own].pings.removeFirst()
        pairs[own].mayLackPings = true
      }
    } else if let place = pairs[own].pings.firstIndex(of: key) {
      pairs[own].pings.remove(at: place)
    } else if !pairs[own].mayLackPings {
      let pinger = direction == .toServer ? "router" : "client"
      let finding = Finding(
        .pongMismatch, .warning, delivery.origin,
        pairs[own].pings.isEmpty
          ? "a PONG, but no PING of the \(pinger) waits for one"
          : "a PONG with another payload than that of any PING that waits for one")
      pairs[own].earlyPongs.append((key, finding))
      if pairs[own].earlyPongs.count > most {
        listener.finding(pairs[own].earlyPongs.removeFirst().finding)
      }
    }
  }

  /// Reports PONGs that no PING followed in time; all of them when no more bytes will come.
  private func reportEarlyPongs(_ place: Int, before time: Instant?, _ listener: any Listener) {
    while let first = pairs[place].earlyPongs.first {
      let sent = first.finding.origin.time
      if let time,
        !sent.isKnown || !time.isKnown || time.nanoseconds &- sent.nanoseconds < Self.disorder
      {
        return
      }
      listener.finding(pairs[place].earlyPongs.removeFirst().finding)
    }
  }
}
