// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

struct IPTests {
  @Test func optionsOfIPv4() {
    var talk = Conversation()
    talk.builder.ipOptions = [7, 7, 4, 0, 0, 0, 0, 0]
    var bench = TransportHarness()
    bench.show(talk.send(.toServer, octets("hello")))
    #expect(bench.lines().first == "toServer@0 hello")
  }

  @Test(arguments: [false, true])
  func lengthZeroIsOffload(_ isIPv6: Bool) {
    var talk = Conversation(PacketBuilder(isIPv6: isIPv6))
    talk.builder.lengthField = 0
    var bench = TransportHarness()
    bench.show(talk.send(.toServer, octets("hello")))
    #expect(bench.lines().first == "toServer@0 hello")
  }

  static let chains: [(UInt8, [UInt8])] = [
    (0, [6, 0, 1, 4, 0, 0, 0, 0]),
    (43, [6, 0, 0, 0, 0, 0, 0, 0]),
    (60, [6, 1] + [UInt8](repeating: 0, count: 14)),
    (51, [6, 1] + [UInt8](repeating: 0, count: 10)),
    (0, [60, 0, 1, 4, 0, 0, 0, 0, 44, 0, 1, 4, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 9]),
  ]

  @Test(arguments: chains)
  func extensionHeadersOfIPv6(_ kind: UInt8, _ headers: [UInt8]) {
    var talk = Conversation(PacketBuilder(isIPv6: true))
    talk.builder.extensions = (kind, headers)
    var bench = TransportHarness()
    bench.show(talk.send(.toServer, octets("hello")))
    #expect(bench.lines().first == "toServer@0 hello")
  }

  /// A segment with 32 bytes of payload in fragments of 16.
  static func fragments(isIPv6: Bool) -> (packets: [[UInt8]], payload: [UInt8]) {
    let talk = Conversation(PacketBuilder(isIPv6: isIPv6))
    let payload = (0..<32).map { UInt8($0 + 65) }
    let segment = PacketBuilder.segment(
      from: talk.client.port, to: talk.server.port,
      PacketBuilder.TCP(1000, 9000, PacketBuilder.TCP.ack), payload)
    var packets: [[UInt8]] = []
    for start in stride(from: 0, to: segment.count, by: 16) {
      let end = min(start + 16, segment.count)
      let more = end < segment.count
      var builder = talk.builder
      var place = UInt16(start / 8)
      if isIPv6 {
        place = UInt16(start) | (more ? 1 : 0)
        builder.extensions = (44, [6, 0] + PacketBuilder.big(place) + [0, 0, 0, 77])
      } else if more {
        place |= 0x2000
      }
      packets.append(
        builder.framed(
          builder.datagram(
            from: talk.client.address, to: talk.server.address, Array(segment[start..<end]),
            place: isIPv6 ? 0 : place)))
    }
    return (packets, payload)
  }

  @Test(arguments: [false, true])
  func fragmentsInAnyOrder(_ isIPv6: Bool) {
    let (packets, payload) = Self.fragments(isIPv6: isIPv6)
    #expect(packets.count == 4)
    let orders = [
      [0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 1, 0, 3, 3, 2], [0, 2, 0, 3, 1],
    ]
    for order in orders {
      var bench = TransportHarness()
      for index in order { bench.show(packets[index]) }
      bench.finish()
      #expect(bench.lent.bytes(.toServer) == payload)
      #expect(bench.isBalanced)
    }
  }

  /// Senders may number each protocol by itself (RFC 791 §3.2): fragments of UDP with the number
  /// of a TCP segment belong to another datagram.
  @Test func fragmentsOfAnotherProtocol() {
    let (packets, payload) = Self.fragments(isIPv6: false)
    let talk = Conversation(PacketBuilder())
    let strange = talk.builder.framed(
      talk.builder.datagram(
        from: talk.client.address, to: talk.server.address, [UInt8](repeating: 9, count: 16),
        upper: 17, place: 0x2000))
    var bench = TransportHarness()
    for packet in packets {
      bench.show(packet)
      bench.show(strange)
    }
    bench.finish()
    #expect(bench.lent.bytes(.toServer) == payload)
    #expect(!bench.recorder.codes.contains("ip.fragments-differ"))
  }

  /// Copies of fragments, behind the whole as well; and a fragment with other bytes.
  @Test(arguments: [false, true], [false, true])
  func fragmentsTwice(_ isIPv6: Bool, differ: Bool) {
    let sent = Self.fragments(isIPv6: isIPv6)
    var packets = sent.packets
    var bench = TransportHarness()
    for index in packets.indices {
      bench.show(packets[index])
      if differ && index == 1 { packets[index][packets[index].count - 1] ^= 1 }
      bench.show(packets[index])
    }
    bench.finish()
    #expect(bench.lent.bytes(.toServer) == sent.payload)
    let codes = bench.recorder.codes.filter { $0 != "tcp.midstream" }
    #expect(codes == (differ ? ["ip.fragments-differ"] : []))
    #expect(bench.isBalanced)
  }

  @Test(arguments: [false, true])
  func cutFragmentIsNotWhole(_ isIPv6: Bool) {
    let (packets, payload) = Self.fragments(isIPv6: isIPv6)
    var bench = TransportHarness()
    for (index, packet) in packets.enumerated() {
      bench.show(packet, snapLength: index == 1 ? packet.count - 4 : .max)
    }
    #expect(bench.chooser.all.isEmpty)
    bench.show(packets[1])
    #expect(bench.lent.bytes(.toServer) == payload)
  }

  @Test func incompleteDatagramsAreBounded() {
    var limits = Limits()
    limits.fragmentedDatagrams = 3
    var bench = TransportHarness(limits)
    let builder = PacketBuilder()
    for number in 0..<10 {
      bench.show(
        builder.framed(
          builder.datagram(
            from: [1, 2, 3, 4], to: [5, 6, 7, 8], [UInt8](repeating: 0, count: 24),
            identification: UInt16(number), place: 0x2000)))
    }
    #expect(bench.recorder.codes == .init(repeating: "ip.fragments-dropped", count: 7))
    bench.finish()
    #expect(bench.recorder.codes.count == 10)
  }
}
