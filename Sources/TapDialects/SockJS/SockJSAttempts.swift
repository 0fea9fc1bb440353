// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Refused WebSocket upgrades of SockJS clients, which then try another transport with another
/// session.
final class SockJSAttempts {
  private struct Attempt {
    var client: [UInt8]
    var place: [UInt8]
    var origin: Origin
  }

  private var attempts: ContiguousArray<Attempt> = []
  private let most: Int
  /// After this time, a session is not taken as the fallback; nanoseconds.
  private static let window: Int64 = 10_000_000_000

  init(limits: Limits) { most = limits.sockJSAttempts }

  func add(_ attempt: Opening, _ url: SockJSURL, _ delivery: Delivery) {
    if attempts.count >= most { attempts.removeFirst() }
    attempts.append(
      Attempt(client: attempt.client.address, place: url.place, origin: delivery.origin))
  }

  /// A recent refusal for this client; each is returned once.
  func take(_ connection: Opening, _ url: SockJSURL, at time: Instant) -> Origin? {
    let found = attempts.lastIndex {
      $0.client == connection.client.address && $0.place == url.place
        && 0...Self.window ~= time.nanoseconds(since: $0.origin.time) ?? -1
    }
    return found.map { attempts.remove(at: $0).origin }
  }
}
