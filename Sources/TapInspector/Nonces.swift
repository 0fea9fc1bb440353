// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Checks whether clients choose a random Sec-WebSocket-Key for each connection (RFC 6455 §4.1). A
/// proxy passes on the key it was given, so only connections between the same two hosts are
/// compared.
struct Nonces {
  /// The client's port, by key and peers.
  private var known = IDTable<UInt16>()
  /// Pairs of client and server that were reported.
  private var reported = IDTable<Bool>()
  private let most: Int

  init(limits: Limits) { most = limits.handshakeKeys }

  /// - Returns: a finding about the client, once.
  mutating func opened(_ opening: Opening, _ delivery: Delivery) -> Finding? {
    guard !opening.webSocketKey.isEmpty, opening.client.isKnown else { return nil }
    let ends = opening.server.address.span.bytes.fingerprint(
      behind: opening.client.address.span.bytes.fingerprint)
    let peers = ends ^ UInt64(opening.server.port) &<< 32 ^ UInt64(opening.network)
    let key = WideKey(opening.webSocketKey.span.bytes.fingerprint, peers)
    // Forgetting only means that reuse after so many other keys is missed.
    if known.count >= most { known = IDTable() }
    let (slot, isNew) = known.insert(opening.client.port, for: key)
    // The same port: one connection that was captured twice.
    if isNew || known[slot: slot] == opening.client.port { return nil }
    if reported.count >= most { reported = IDTable() }
    guard reported.insert(true, for: WideKey(0, peers)).isNew else { return nil }
    let shown = String(decoding: opening.webSocketKey.prefix(24), as: Unicode.UTF8.self)
    return Finding(
      .nonceReused, .warning, delivery.origin,
      "the client opens this connection with the Sec-WebSocket-Key of an earlier one, \(shown):"
        + " each needs a random one of its own")
  }
}
