// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// One connection of a client, identified by its client identifier.
final class MQTTPresence {
  private(set) var isOpen = true
  /// The CONNECT of another connection with the same identifier that came while this was open.
  fileprivate(set) var takenBy: Origin?
  /// How many takeovers of the identifier happened within a minute.
  fileprivate(set) var takeovers = 0
  fileprivate var began: Origin

  fileprivate init(_ began: Origin) { self.began = began }

  func leave() { isOpen = false }
}

/// The clients of all servers, to report when another connection takes a client identifier over.
final class MQTTBroker {
  private var clients: [[UInt8]: MQTTPresence] = [:]
  private let limits: Limits

  init(limits: Limits) { self.limits = limits }

  /// A client connects.
  ///
  /// - Returns: nil when it has no identifier, or the limit of clients is reached.
  func enter(
    _ client: [UInt8], at server: Endpoint, _ origin: Origin, _ listener: any Listener
  ) -> MQTTPresence? {
    if client.isEmpty || !server.isKnown { return nil }
    let port = [UInt8(server.port >> 8), UInt8(server.port & 0xFF)]
    let key = Array(server.address) + port + client
    let presence = MQTTPresence(origin)
    if let before = clients[key] {
      if before.isOpen {
        before.takenBy = origin
        let isSoon =
          origin.time.isKnown && before.began.time.isKnown
          && origin.time.nanoseconds - before.began.time.nanoseconds < 60_000_000_000
        presence.takeovers = isSoon ? before.takeovers + 1 : 1
        before.takeovers = presence.takeovers
      }
    } else if clients.count >= limits.mqttClients || client.count > 1024 {
      listener.count(.sessionUnwatched, 1)
      return nil
    }
    clients[key] = presence
    return presence
  }
}
