// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What is known of one socket of a NetLog.
struct NetLogSocket {
  /// The number of its conversation; 0 while nothing was sent or received.
  var flow: UInt32 = 0
  /// What it carries is encrypted, and logged a second time in the clear.
  var isSecure = false
  /// What the handshake of TLS has settled, as far as the log says.
  var security: Opening.Security?
  /// Its beginning is in the log.
  var isFromStart = false
  /// The browser has opened the connection: it is the client.
  var isConnected = false
  /// The browser is the server.
  var isReversed = false
  var local = Endpoint.unknown
  var remote = Endpoint.unknown
  private var sent: UInt64 = 0
  private var received: UInt64 = 0

  init() {}

  /// A stream begins on it, the first or, inside a tunnel, another.
  mutating func begin(_ flow: UInt32) { (self.flow, sent, received) = (flow, 0, 0) }

  /// So many bytes more; answers how many there were before.
  mutating func pass(_ count: Int, isSent: Bool) -> UInt64 {
    if isSent {
      defer { sent += UInt64(count) }
      return sent
    }
    defer { received += UInt64(count) }
    return received
  }

  func direction(isSent: Bool) -> Direction { isSent != isReversed ? .toServer : .toClient }

  var opening: Opening {
    var opening = Opening(
      .stream, client: isReversed ? remote : local, server: isReversed ? local : remote,
      isFromStart: isFromStart)
    opening.provenance.isOfOneEnd = true
    if isSecure { opening.security = security ?? Self.unknownSecurity }
    return opening
  }

  /// Of a handshake that is not in the log.
  private static let unknownSecurity = Opening.Security(
    version: "TLS", cipherSuite: "", serverName: [], applicationProtocol: [])

  /// The handshake of TLS has ended.
  mutating func secured(_ event: borrowing NetLogEvent) {
    if event.version.isEmpty { return }
    security = Opening.Security(
      version: String(decoding: event.version, as: Unicode.UTF8.self), cipherSuite: "",
      serverName: [], applicationProtocol: event.applicationProtocol)
  }
}
