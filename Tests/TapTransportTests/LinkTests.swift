// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

struct LinkTests {
  @Test(arguments: PacketBuilder.Framing.allCases, [false, true])
  func everyLinkTypeCarriesBothVersions(_ framing: PacketBuilder.Framing, _ isIPv6: Bool) {
    var talk = Conversation(PacketBuilder(framing, isIPv6: isIPv6))
    var bench = TransportHarness()
    bench.linkType = talk.builder.linkType
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hello")))
    bench.show(talk.send(.toClient, octets("world")))
    bench.finish()
    #expect(bench.lent.text(.toServer) == "hello")
    #expect(bench.lent.text(.toClient) == "world")
    #expect(bench.lent.opening.client == talk.client)
    #expect(bench.lent.opening.server == talk.server)
    #expect(bench.recorder[.packet] == 5)
    #expect(bench.recorder[.stream] == 1)
    #expect(bench.isBalanced)
  }

  static let zeros = [UInt8](repeating: 0, count: 12)
  static let arp: [UInt8] = zeros + [8, 6] + zeros + zeros
  /// AppleTalk.
  static let snap: [UInt8] = zeros + [0, 32, 0xAA, 0xAA, 3, 8, 0, 7, 0x80, 0x9B, 0x45]
  static let netlink: [UInt8] = [0, 0, 3, 0x38, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0x45]
  static let foreign: [(UInt16, [UInt8])] = [
    (1, arp), (1, snap), (113, netlink), (0, [7, 0, 0, 0, 0x45]), (195, [1, 2, 3]),
  ]

  @Test(arguments: foreign)
  func othersAreNotTCP(_ linkType: UInt16, _ packet: [UInt8]) {
    var bench = TransportHarness()
    bench.linkType = linkType
    bench.show([packet, packet])
    #expect(bench.recorder[.packetNotTCP] == 2)
    #expect(bench.recorder.codes == (linkType == 195 ? ["link.unknown-type"] : []))
  }

  @Test func paddingIsNotPayload() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake().map { $0 + [0, 0, 0, 0, 0, 0] })
    bench.show(talk.send(.toServer, octets("x")) + [0, 0, 0, 0, 0])
    #expect(bench.lines() == ["toServer@0 x", "endOfEvidence unknown"])
    #expect(bench.recorder[.payloadByte] == 1)
  }

  @Test func everyCutOfAPacketIsSurvived() {
    for framing in PacketBuilder.Framing.allCases {
      for isIPv6 in [false, true] {
        var talk = Conversation(PacketBuilder(framing, isIPv6: isIPv6))
        let packet = talk.send(.toServer, octets("hello"))
        for length in 0...packet.count {
          var bench = TransportHarness()
          bench.linkType = talk.builder.linkType
          bench.show(packet, snapLength: length)
          bench.finish()
          #expect(bench.isBalanced)
          #expect(bench.chooser.delivered == max(0, length - packet.count + 5))
        }
      }
    }
  }

  @Test func garbageIsSurvived() {
    var random = Seeded(11)
    for linkType: UInt16 in [0, 1, 12, 14, 101, 108, 113, 228, 229, 276, 999] {
      var bench = TransportHarness()
      bench.linkType = linkType
      for round in 0..<600 {
        var builder = PacketBuilder(.raw, isIPv6: round % 2 == 0)
        builder.framing = PacketBuilder.Framing.allCases[round % 12]
        var packet = Conversation(builder).packet(.toServer, octets("some payload"))
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          let at = Int.random(in: 0..<packet.count, using: &random)
          packet[at] = UInt8.random(in: 0...255, using: &random)
        }
        if round % 5 == 0 {
          packet = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
        }
        bench.show(packet, snapLength: Int.random(in: 0...packet.count, using: &random))
      }
      bench.finish()
      #expect(bench.isBalanced)
    }
  }
}
