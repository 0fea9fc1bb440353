// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

struct TunnelTests {
  /// The headers of a tunnel around a packet, by a name for whoever reads a failure.
  struct Wrap: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var isIPv6 = false
    /// The protocol of the outer IP header; nil for MPLS right behind Ethernet.
    var upper: UInt8?
    var header: [UInt8]
    /// The inner packet has its Ethernet header.
    var hasFrame = false

    init(_ name: String, _ upper: UInt8?, _ header: [UInt8], frame: Bool = false) {
      (testDescription, self.upper, self.header, hasFrame) = (name, upper, header, frame)
    }

    /// The outer packet around an inner one.
    func packet(_ inner: [UInt8]) -> [UInt8] {
      let content = header + (hasFrame ? inner : Array(inner.dropFirst(14)))
      guard let upper else { return Array(inner.prefix(12)) + [0x88, 0x47] + content }
      let outer = PacketBuilder(isIPv6: isIPv6)
      return outer.framed(datagram(content, upper))
    }

    func datagram(_ content: [UInt8], _ upper: UInt8) -> [UInt8] {
      let outer = PacketBuilder(isIPv6: isIPv6)
      let address = [UInt8](repeating: 9, count: isIPv6 ? 16 : 4)
      return outer.datagram(from: address, to: address.map { $0 + 1 }, content, upper: upper)
    }

    func over6() -> Wrap {
      var other = self
      (other.isIPv6, other.testDescription) = (true, testDescription + " over IPv6")
      return other
    }
  }

  static func udp(_ port: UInt16, _ header: [UInt8]) -> [UInt8] {
    PacketBuilder.big(0xC000 as UInt16) + PacketBuilder.big(port) + [0, 0, 0, 0] + header
  }

  static let gre4: [UInt8] = [0, 0, 8, 0]
  static let vxlan: [UInt8] = [8, 0, 0, 0, 0, 0, 77, 0]

  /// Those with IPv4 or Ethernet in them.
  static let wraps: [Wrap] = [
    Wrap("IP in IP", 4, []),
    Wrap("GRE", 47, gre4),
    Wrap("GRE with all fields", 47, [0xB0, 0, 8, 0] + [UInt8](repeating: 1, count: 12)),
    Wrap("NVGRE", 47, [0x20, 0, 0x65, 0x58, 0, 1, 2, 3], frame: true),
    Wrap("ERSPAN I", 47, [0, 0, 0x88, 0xBE], frame: true),
    Wrap(
      "ERSPAN II", 47, [0x10, 0, 0x88, 0xBE, 0, 0, 0, 1] + [16, 1, 0, 1, 0, 0, 0, 0],
      frame: true),
    Wrap(
      "ERSPAN III", 47,
      [0x10, 0, 0x22, 0xEB, 0, 0, 0, 1] + [0x20, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], frame: true),
    Wrap(
      "ERSPAN III with a subheader", 47,
      [0x10, 0, 0x22, 0xEB, 0, 0, 0, 1] + [0x20, 1, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
        + [UInt8](repeating: 3, count: 8), frame: true),
    Wrap("MPLS in GRE", 47, [0, 0, 0x88, 0x47] + [0, 1, 1, 64]),
    Wrap("EtherIP", 97, [0x30, 0], frame: true),
    Wrap("MPLS in IP", 137, [0, 1, 1, 64]),
    Wrap("VXLAN", 17, udp(4789, vxlan), frame: true),
    Wrap("VXLAN of Linux", 17, udp(8472, vxlan), frame: true),
    Wrap("VXLAN-GPE", 17, udp(4790, [12, 0, 0, 1, 0, 0, 77, 0])),
    Wrap("VXLAN-GPE with Ethernet", 17, udp(4790, [12, 0, 0, 3, 0, 0, 77, 0]), frame: true),
    Wrap("VXLAN-GPE without a protocol", 17, udp(4790, vxlan), frame: true),
    Wrap(
      "Geneve with options", 17,
      udp(6081, [2, 0, 0x65, 0x58, 0, 0, 1, 0] + [1, 2, 3, 4, 5, 6, 7, 8]), frame: true),
    Wrap("Geneve", 17, udp(6081, [0, 0, 8, 0, 0, 0, 1, 0])),
    Wrap("GRE in UDP", 17, udp(4754, gre4)),
    Wrap("MPLS in UDP", 17, udp(6635, [0, 1, 1, 64])),
    Wrap("AH and IP in IP", 51, [4, 1] + [UInt8](repeating: 0, count: 10)),
    Wrap("MPLS", nil, [0, 1, 0, 64, 0, 2, 1, 64]),
    Wrap("Ethernet in MPLS", nil, [0, 1, 1, 64, 0, 0, 0, 0], frame: true),
    Wrap("Ethernet in MPLS without a control word", nil, [0, 1, 1, 64], frame: true),
  ]

  static let both = wraps + wraps.filter { $0.upper != nil }.map { $0.over6() }

  @Test(arguments: both) func isPassed(_ wrap: Wrap) {
    var talk = Conversation()
    var bench = TransportHarness()
    for packet in talk.handshake() { bench.show(wrap.packet(packet)) }
    bench.show(wrap.packet(talk.send(.toServer, octets("hi"))))
    bench.show(wrap.packet(talk.send(.toClient, octets("ho"))))
    #expect(bench.lines() == ["toServer@0 hi", "toClient@0 ho", "endOfEvidence unknown"])
    #expect(bench.lent.opening.client == talk.client && bench.lent.opening.isFromStart)
    #expect(bench.recorder.codes.isEmpty)
    #expect(bench.recorder[.packetNotTCP] + bench.recorder[.packetMalformed] == 0)
  }

  /// However much of a packet was captured, it is reported, or counted once.
  @Test(arguments: both) func cutAnywhere(_ wrap: Wrap) {
    var talk = Conversation()
    let packet = wrap.packet(talk.send(.toServer, octets("hello")))
    for length in 0..<packet.count {
      var bench = TransportHarness()
      bench.show(packet, snapLength: length)
      bench.finish()
      let counted = bench.recorder[.packetNotTCP] + bench.recorder[.packetMalformed]
      #expect(counted + bench.recorder[.stream] == 1, "\(length) bytes")
    }
  }

  @Test func sixInFour() {
    var talk = Conversation(PacketBuilder(isIPv6: true))
    var bench = TransportHarness()
    for wrap in [Wrap("6in4", 41, []), Wrap("6in6", 41, []).over6()] {
      bench.show(wrap.packet(talk.send(.toServer, octets("hi"))))
    }
    bench.finish()
    #expect(bench.lent.text(.toServer) == "hihi")
  }

  @Test func tagsAndFragmentsInside() {
    var bench = TransportHarness()
    let wrap = Wrap("VXLAN", 17, Self.udp(4789, Self.vxlan), frame: true)
    var talk = Conversation(PacketBuilder(.vlan))
    bench.show(wrap.packet(talk.send(.toServer, octets("hi"))))
    bench.finish()
    #expect(bench.lent.text(.toServer) == "hi")
    for isIPv6 in [false, true] {
      let (packets, payload) = IPTests.fragments(isIPv6: isIPv6)
      var bench = TransportHarness()
      for packet in packets.reversed() { bench.show(wrap.packet(packet)) }
      bench.finish()
      #expect(bench.lent.bytes(.toServer) == payload)
    }
  }

  /// The tunnel itself comes in fragments.
  @Test(arguments: [("GRE", 47, gre4), ("VXLAN", 17, udp(4789, vxlan))])
  func fragmentsOutside(name: String, upper: UInt8, header: [UInt8]) {
    var talk = Conversation()
    let wrap = Wrap(name, upper, header, frame: upper == 17)
    let whole = wrap.packet(talk.send(.toServer, octets("hello, world")))
    let builder = PacketBuilder()
    var bench = TransportHarness()
    let content = Array(whole[34...])
    for (start, end) in [(0, 32), (32, content.count)] {
      let place = UInt16(start / 8) | (end < content.count ? 0x2000 : 0)
      bench.show(
        builder.framed(
          builder.datagram(
            from: [9, 9, 9, 9], to: [10, 10, 10, 10], Array(content[start..<end]), upper: upper,
            place: place)))
    }
    bench.finish()
    #expect(bench.lent.text(.toServer) == "hello, world")
    #expect(bench.recorder.codes == ["tcp.midstream"])
  }

  /// Its fragments come in another order, among those of other datagrams.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]]) func fragmentsOfUDP(order: [Int]) {
    var talk = Conversation()
    let wrap = Wrap("VXLAN", 17, Self.udp(4789, Self.vxlan), frame: true)
    let content = Array(wrap.packet(talk.send(.toServer, octets("hello, world")))[34...])
    let builder = PacketBuilder()
    let parts = [(0, 16), (16, 48), (48, content.count)]
    var bench = TransportHarness()
    for (number, index) in order.enumerated() {
      let (start, end) = parts[index]
      let place = UInt16(start / 8) | (end < content.count ? 0x2000 : 0)
      let part = Array(content[start..<end])
      for (identification, octets) in [(1, part), (UInt16(7 + number), part.map { ~$0 })] {
        bench.show(
          builder.framed(
            builder.datagram(
              from: [9, 9, 9, 9], to: [10, 10, 10, 10], octets, upper: 17,
              identification: identification, place: place)))
      }
    }
    bench.finish()
    #expect(bench.lent.text(.toServer) == "hello, world")
    #expect(bench.recorder.codes == ["tcp.midstream"] && bench.recorder[.packetNotTCP] == 3)
  }

  /// Fragments of other datagrams of UDP are not put together, however many there are.
  @Test(arguments: [[0x2000, 0x2002, 4], [4, 0x2002, 0x2000]] as [[UInt16]])
  func otherFragments(places: [UInt16]) {
    let builder = PacketBuilder()
    var bench = TransportHarness()
    for identification in 0..<100 as Range<UInt16> {
      bench.show(
        builder.framed(
          builder.datagram(
            from: [9, 9, 9, 9], to: [10, 10, 10, 10], [1, 2, 3, 4, 5, 6, 7, 8], upper: 17,
            identification: 1000 + identification, place: 9)))
    }
    for place in places {
      bench.show(
        builder.framed(
          builder.datagram(
            from: [9, 9, 9, 9], to: [10, 10, 10, 10], Self.udp(53, [1, 2, 3, 4, 5, 6, 7, 8]),
            upper: 17, place: place)))
    }
    bench.finish()
    #expect(bench.recorder.codes.isEmpty && bench.recorder[.packetNotTCP] == 103)
  }

  @Test(arguments: [7, 8, 9]) func depthIsBounded(depth: Int) {
    var talk = Conversation()
    let wrap = Wrap("IP in IP", 4, [])
    var packet = talk.send(.toServer, octets("hi"))
    for _ in 0..<depth { packet = wrap.packet(packet) }
    var bench = TransportHarness()
    bench.show(packet)
    bench.finish()
    #expect(bench.recorder[.stream] == (depth > 8 ? 0 : 1))
    #expect(bench.recorder.codes.contains("ip.unread-tunnel") == (depth > 8))
  }

  static let unread: [(String, Wrap)] = [
    ("IPsec", Wrap("ESP", 50, [0, 0, 1, 2, 0, 0, 0, 1])),
    ("IPsec", Wrap("ESP over UDP", 17, udp(4500, [0, 0, 1, 2, 0, 0, 0, 1]))),
    ("WireGuard", Wrap("WireGuard", 17, udp(51820, [4, 0, 0, 0, 1, 2, 3, 4]))),
    ("OpenVPN", Wrap("OpenVPN", 17, udp(1194, [0x38, 1, 2, 3, 4, 5, 6, 7]))),
    ("L2TP", Wrap("L2TP", 17, udp(1701, [2, 2, 0, 1, 0, 1]))),
    ("L2TP", Wrap("L2TP version 3", 115, [0, 0, 0, 1])),
    ("PPTP", Wrap("PPTP", 47, [0x30, 1, 0x88, 0x0B, 0, 4, 0, 1])),
    ("GRE", Wrap("NHRP", 47, [0, 0, 0x20, 1])),
    ("GTP", Wrap("GTP", 17, udp(2152, [0x30, 0xFF, 0, 4, 0, 0, 0, 1]))),
    ("Geneve", Wrap("Geneve", 17, udp(6081, [0, 0, 0x12, 0x34, 0, 0, 1, 0]))),
  ]

  /// What is not taken apart is reported, with its number; louder if nothing else was captured.
  @Test(arguments: [false, true]) func unreadIsReported(hasOther: Bool) throws {
    for (name, wrap) in Self.unread {
      var talk = Conversation()
      var bench = TransportHarness()
      let inner = talk.send(.toServer, octets("hi"))
      for _ in 0..<3 { bench.show(wrap.packet(inner)) }
      if hasOther { bench.show(inner) }
      bench.finish()
      let found = try #require(bench.recorder.findings.first { $0.code.name == "ip.unread-tunnel" })
      #expect(found.severity == (hasOther ? .note : .warning))
      #expect(found.text.hasPrefix("3 packets are") && found.text.contains(name))
      #expect(found.origin.record == 1)
      #expect(bench.recorder[.packetNotTCP] == 3)
    }
  }

  /// Other traffic of such ports and protocols is no tunnel.
  @Test(arguments: [
    Wrap("DNS", 17, udp(53, [0, 1, 2, 3])), Wrap("IKE", 17, udp(4500, [0, 0, 0, 0, 1])),
    Wrap("no VXLAN", 17, udp(4789, [0, 0, 0, 0, 0, 0, 0, 0])),
    Wrap("a keep-alive of GRE", 47, [0, 0, 0, 0]), Wrap("ICMP", 1, [8, 0, 0, 0]),
    Wrap("no WireGuard", 17, udp(51820, [9, 9, 9, 9])),
  ])
  func otherIsCounted(_ wrap: Wrap) {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(wrap.packet(talk.send(.toServer, octets("hi"))))
    bench.finish()
    #expect(bench.recorder.codes.isEmpty && bench.recorder[.packetNotTCP] == 1)
  }
}
