// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@testable import TapInspector

/// The keys of handshakes (RFC 6455 §4.1).
@Suite("Keys of handshakes") struct NonceTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

  private static func opening(
    port: UInt16 = 50_000, host: UInt8 = 7, server: UInt16 = 80, network: UInt32 = 0,
    key: String = key
  ) -> Opening {
    var opening = Opening(
      .webSocket, client: Endpoint(address: [10, 0, 0, host], port: port),
      server: Endpoint(address: [10, 0, 1, 1], port: server), isFromStart: true)
    (opening.network, opening.webSocketKey) = (network, Array(key.utf8))
    return opening
  }

  /// A second connection, and whether it is reported that its key was used before.
  @Test(
    "of another connection",
    arguments: [
      ("another port", opening(port: 50_001), true),
      ("the same connection, captured twice", opening(), false),
      ("another client", opening(port: 50_001, host: 8), false),
      ("a proxy passes it on to another server", opening(port: 50_001, server: 8080), false),
      ("another network", opening(port: 50_001, network: 1), false),
      ("another key", opening(port: 50_001, key: "x3JJHMbDL1EzLkh9GBhXDw=="), false),
      ("without one", opening(port: 50_001, key: ""), false),
    ])
  func second(what: String, second: Opening, isReported: Bool) {
    var nonces = Nonces(limits: Limits())
    #expect(nonces.opened(Self.opening(), Delivery(Origin())) == nil)
    let finding = nonces.opened(second, Delivery(Origin()))
    #expect((finding?.code == .nonceReused) == isReported, "\(what)")
  }

  @Test("is reported once of a client") func once() {
    var nonces = Nonces(limits: Limits())
    let reported = (0..<20).compactMap {
      nonces.opened(Self.opening(port: 50_000 + $0), Delivery(Origin()))
    }
    #expect(reported.count == 1)
  }

  @Test("of very many connections, the older ones are forgotten") func bound() {
    var limits = Limits()
    limits.handshakeKeys = 4
    var nonces = Nonces(limits: limits)
    for number in 0..<9 as Range<UInt16> {
      let other = Self.opening(port: 50_000 + number, key: "key \(number)")
      #expect(nonces.opened(other, Delivery(Origin())) == nil)
    }
    #expect(nonces.opened(Self.opening(port: 1, key: "key 0"), Delivery(Origin())) == nil)
    #expect(nonces.opened(Self.opening(port: 1, key: "key 8"), Delivery(Origin())) != nil)
  }
}
