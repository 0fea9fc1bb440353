// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Where the sessions of a connection come from and lead to.
struct WAMPPlace {
  /// The router, as far as its address tells.
  var router: [UInt8] = []
  /// The same without a port.
  var host: [UInt8] = []
  /// The address of the client, without its port: that changes with each connection.
  var client: [UInt8] = []
  /// Anybody on the way can read what is sent.
  var isReadable = false
  /// The client reaches the router over its own interface.
  var isLocal = false
  /// What was said was captured from the wire, and not written down by one side.
  var isCaptured = false
  /// What is known of all sessions; nil where they are not compared.
  var realms: WAMPRealms?

  init(_ opening: borrowing Opening, _ realms: WAMPRealms?) {
    self.realms = opening.client.isKnown ? realms : nil
    guard opening.client.isKnown else { return }
    var name = TextBuffer(capacity: 64)
    opening.server.append(to: &name)
    router = name.bytes.copied()
    host = opening.server.address
    if opening.network != 0 {
      let network = (0..<4).map { UInt8(truncatingIfNeeded: opening.network >> ($0 * 8)) }
      router += network
      host += network
    }
    client = opening.client.address
    let isPlain = opening.url.starts(with: "ws://".utf8) || opening.carrier == .rawSocket
    isLocal = opening.client.isLoopback || opening.server.isLoopback
    isReadable = isPlain && !isLocal
    isCaptured =
      opening.provenance.writer.isEmpty && !opening.provenance.isWrittenWhole
      && !opening.provenance.isOfOneEnd
    if !opening.isFromStart { realms?.miss(router) }
  }
}
