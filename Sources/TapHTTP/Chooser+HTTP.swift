// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What HTTP of all versions asks of those above it.
extension Chooser {
  /// The reader of the exchange that a request begins, if any. Asked for each request without an
  /// upgrade.
  func reader(
    of head: Head, on connection: Opening, _ origin: Origin, _ listener: any Listener
  ) -> (any HTTPExchangeReader)? {
    guard head.isMethod("GET") || head.isMethod("POST") else { return nil }
    let scheme = connection.security == nil ? "http://" : "https://"
    var url = Array(scheme.utf8)
    if let authority = URLCredentials.authority(head.bytes[head.targetPlace]) {
      url += head.target[authority...]
    } else {
      url += (head.value(":authority") ?? head.value("host") ?? []) + head.target
    }
    return reader(
      of: HTTPRequest(
        method: head.method, url: url, contentType: head.value("content-type") ?? [],
        connection: connection, origin: origin), listener)
  }

  /// Whether an upgrade would continue a session that exists already.
  func hasSession(for upgrade: Upgrade, on connection: Opening) -> Bool {
    var webSocket = connection
    (webSocket.carrier, webSocket.url) = (.webSocket, upgrade.url)
    return session(carriedOnBy: webSocket) != nil
  }

  /// Reports a WebSocket that has opened, or joins it to the session that it continues; returns the
  /// layer that reads it.
  ///
  /// - Parameter findings: those of its handshake.
  func open(
    _ webSocket: Opening, _ findings: [Finding], _ delivery: Delivery, _ listener: any Listener
  ) -> any Layer {
    if let session = session(carriedOnBy: webSocket) {
      for finding in findings { session.report(finding, listener) }
      return SessionCarrier(of: session, layer(for: webSocket))
    }
    listener.opened(webSocket, delivery)
    for finding in findings + remarks(on: webSocket, delivery) { listener.finding(finding) }
    return layer(for: webSocket)
  }
}
