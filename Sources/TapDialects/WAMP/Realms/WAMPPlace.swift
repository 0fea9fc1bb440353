// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The client and the router of a connection's sessions.
struct WAMPPlace {
  /// Shared by all sessions with this router; nil when sessions are not compared.
  var router: WAMPRouter?
  /// The client's address, without the port, which changes with each connection.
  var client: [UInt8] = []
  /// The messages cross a network unencrypted: anyone on the path can read them.
  var isReadable = false
  /// The client reaches the router over the loopback interface.
  var isLocal = false
  /// The messages were captured from the wire, not logged by one side.
  var isCaptured = false

  init(_ opening: borrowing Opening, _ realms: WAMPRealms?) {
    guard opening.client.isKnown else { return }
    router = realms?.router(opening)
    client = opening.client.address
    let isPlain = opening.url.starts(with: "ws://".utf8) || opening.carrier == .rawSocket
    isLocal = opening.client.isLoopback || opening.server.isLoopback
    isReadable = isPlain && !isLocal
    // Our own NDJSON says what was on the wire, as long as nothing was taken out of it.
    isCaptured =
      opening.provenance.writer.isEmpty && !opening.provenance.isOfOneEnd
      && (opening.provenance.isWrittenWhole || !opening.provenance.isTranscoded)
    if !opening.isFromStart, let router { realms?.miss(router.name) }
  }
}
