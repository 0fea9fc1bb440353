// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Where the sessions of a connection come from and lead to.
struct WAMPPlace {
  /// What is known of all sessions with this router; nil where they are not compared.
  var router: WAMPRouter?
  /// The address of the client, without its port: that changes with each connection.
  var client: [UInt8] = []
  /// Anybody on the way can read what is sent.
  var isReadable = false
  /// The client reaches the router over its own interface.
  var isLocal = false
  /// What was said was captured from the wire, and not written down by one side.
  var isCaptured = false

  init(_ opening: borrowing Opening, _ realms: WAMPRealms?) {
    guard opening.client.isKnown else { return }
    router = realms?.router(opening)
    client = opening.client.address
    let isPlain = opening.url.starts(with: "ws://".utf8) || opening.carrier == .rawSocket
    isLocal = opening.client.isLoopback || opening.server.isLoopback
    isReadable = isPlain && !isLocal
    isCaptured =
      opening.provenance.writer.isEmpty && !opening.provenance.isWrittenWhole
      && !opening.provenance.isOfOneEnd
    if !opening.isFromStart, let router { realms?.miss(router.name) }
  }
}
