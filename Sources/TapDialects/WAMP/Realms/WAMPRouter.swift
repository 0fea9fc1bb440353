// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A router, known by its address, for all connections to it.
final class WAMPRouter {
  /// Its address and port, and its address alone, each with the number of its network.
  let name: [UInt8]
  let host: [UInt8]
  /// The realms of all routers. They outlive every connection.
  unowned let realms: WAMPRealms
  private let endpoint: Endpoint
  private let network: UInt32
  /// The realm of the last session.
  private var latest: (name: [UInt8], realm: WAMPRealm)?

  init(_ opening: borrowing Opening, _ realms: WAMPRealms) {
    (self.realms, endpoint, network) = (realms, opening.server, opening.network)
    var text = TextBuffer(capacity: 64)
    opening.server.append(to: &text)
    let suffix = opening.network == 0 ? 0 : 4
    let octets = (0..<suffix).map { UInt8(truncatingIfNeeded: opening.network >> ($0 * 8)) }
    name = text.bytes.copied() + octets
    host = opening.server.address + octets
  }

  func leads(_ opening: borrowing Opening) -> Bool {
    opening.server == endpoint && opening.network == network
  }

  /// Nil when the limit of realms is reached.
  func realm(_ name: RawSpan) -> WAMPRealm? {
    if let latest, latest.name.span.bytes.equals(name) { return latest.realm }
    let called = name.copied()
    let realm = realms.realm(called, of: self.name, host: host)
    if let realm { latest = (called, realm) }
    return realm
  }
}
