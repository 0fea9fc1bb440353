// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// One connection of a client, as the server knows it by its client identifier.
final class MQTTPresence {
  private(set) var isOpen = true
  /// The CONNECT of another connection with the same identifier that came while this was open.
  fileprivate(set) var takenBy: Origin?
  /// So many times the identifier was taken over within a minute.
  fileprivate(set) var takeovers = 0
  fileprivate var began: Origin

  fileprivate init(_ began: Origin) { self.began = began }

  func leave() { isOpen = false }
}

/// The clients of all servers that were seen, so that one whose identifier another takes is told.
final class MQTTBroker {
  private var clients: [[UInt8]: MQTTPresence] = [:]
  private let limits: Limits

  init(limits: Limits) { self.limits = limits }

  /// A client connects.
  ///
  /// - Returns: nil where it has no identifier, or there are more clients than are watched.
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
