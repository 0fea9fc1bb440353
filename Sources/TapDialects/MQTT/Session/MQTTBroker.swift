// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// One connection of a client, identified by its client identifier.
final class MQTTPresence {
  private(set) var isOpen = true
  /// Another connection with the same identifier, whose CONNECT was read while this was open.
  fileprivate var takenBy: MQTTPresence?
  /// The connection that this one takes the identifier from, if the server does not refuse it.
  fileprivate weak var before: MQTTPresence?
  /// How many takeovers of the identifier happened within a minute.
  fileprivate(set) var takeovers = 0
  /// The CONNECT.
  let began: Origin
  /// Server and client identifier.
  fileprivate let key: [UInt8]

  fileprivate init(_ began: Origin, _ key: [UInt8]) { (self.began, self.key) = (began, key) }

  /// The client has left: whatever connects now takes nothing over.
  func close() { isOpen = false }

  /// The connection ends. Its end may be read late: what came after it has taken nothing over.
  ///
  /// - Returns: the CONNECT that has taken the identifier over.
  func leave(at end: Instant) -> Origin? {
    isOpen = false
    // Not kept any longer: where clients take turns, each would keep the next one.
    defer { takenBy = nil }
    guard let taker = takenBy else { return nil }
    let began = taker.began
    if let since = end.nanoseconds(since: began.time), since < 0 {
      taker.takeovers = 0
      return nil
    }
    return began
  }
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
    let presence = MQTTPresence(origin, key)
    if let before = clients[key] {
      if before.isOpen {
        (before.takenBy, presence.before) = (presence, before)
        let isSoon = origin.time.nanoseconds(since: before.began.time) ?? .max < 60_000_000_000
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

  /// The server did not accept the connection, so it took nothing over: servers may check
  /// credentials first (MQTT 5.0 §3.1.4).
  func refuse(_ presence: MQTTPresence) {
    let (before, taker) = (presence.before, presence.takenBy)
    presence.takenBy = nil
    if clients[presence.key] === presence, let before { clients[presence.key] = before }
    // A connection that came meanwhile takes the identifier from the one before.
    taker?.before = before
    if let taker { taker.takeovers = max(0, taker.takeovers - 1) }
    guard let before, before.takenBy === presence else { return }
    before.takenBy = before.isOpen ? taker : nil
    before.takeovers = taker?.takeovers ?? max(0, before.takeovers - 1)
  }
}
