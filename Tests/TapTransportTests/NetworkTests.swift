// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Networks of tunnels in which the same addresses are somebody else's.
struct NetworkTests {
  private typealias Wrap = TunnelTests.Wrap

  private static func vxlan(_ number: UInt8) -> Wrap {
    Wrap("VXLAN", 17, TunnelTests.udp(4789, [8, 0, 0, 0, 0, 0, number, 0]), frame: true)
  }
  private static func geneve(_ number: UInt8) -> Wrap {
    Wrap("Geneve", 17, TunnelTests.udp(6081, [0, 0, 8, 0, 0, 0, number, 0]))
  }
  private static func gre(_ number: UInt8) -> Wrap {
    Wrap("GRE", 47, [0x20, 0, 8, 0, 0, 0, 0, number])
  }
  private typealias Place = @Sendable ([UInt8]) -> [UInt8]
  private static func inside(_ inner: Wrap, _ outer: Wrap) -> Place {
    { outer.packet(inner.packet($0)) }
  }

  /// Where packets of the first and of the second tenant are captured.
  private static let pairs: [(String, Place, Place)] = [
    ("VXLAN", { vxlan(1).packet($0) }, { vxlan(2).packet($0) }),
    ("Geneve", { geneve(1).packet($0) }, { geneve(2).packet($0) }),
    ("GRE", { gre(1).packet($0) }, { gre(2).packet($0) }),
    ("kinds", { vxlan(1).packet($0) }, { geneve(1).packet($0) }),
    ("outside and inside", { $0 }, { vxlan(2).packet($0) }),
    ("inside and outside", { vxlan(2).packet($0) }, { $0 }),
    ("nested", inside(vxlan(1), vxlan(2)), inside(vxlan(1), vxlan(3))),
  ]

  /// Two connections with the same addresses and ports are two.
  @Test(arguments: pairs.indices, [false, true]) func tenants(pair: Int, isMidstream: Bool) {
    let (_, first, second) = Self.pairs[pair]
    var one = Conversation(clientStart: 1000, serverStart: 90_000_000)
    var two = Conversation(clientStart: 2_000_000_000, serverStart: 3_000_000_000)
    var bench = TransportHarness()
    let shakes = zip(one.handshake(), two.handshake())
    if !isMidstream { for (left, right) in shakes { bench.show([first(left), second(right)]) } }
    for word in ["one", "two", "six"] {
      bench.show(first(one.send(.toServer, octets(word))))
      bench.show(second(two.send(.toServer, octets(word.uppercased()))))
      bench.show(first(one.send(.toClient, octets(word + "!"))))
      bench.show(second(two.send(.toClient, octets(word.uppercased() + "!"))))
    }
    bench.finish()
    #expect(
      bench.chooser.all.map { $0.text(.toServer) + " " + $0.text(.toClient) } == [
        "onetwosix one!two!six!", "ONETWOSIX ONE!TWO!SIX!",
      ])
    #expect(bench.isBalanced && bench.recorder[.repeated] == 0)
    #expect(bench.recorder.codes == (isMidstream ? ["tcp.midstream", "tcp.midstream"] : []))
  }

  /// One connection that is captured twice, or of which each direction has a number of its own, as
  /// where it says who sent the packet.
  @Test(arguments: pairs.indices, [false, true]) func oneConnection(pair: Int, isMidstream: Bool) {
    let (_, first, second) = Self.pairs[pair]
    for isTwice in [false, true] {
      var talk = Conversation()
      var bench = TransportHarness()
      func show(_ packet: [UInt8], _ direction: Direction) {
        let isUp = direction == .toServer
        bench.show(isUp ? first(packet) : second(packet))
        if isTwice { bench.show(isUp ? second(packet) : first(packet), after: 0) }
      }
      for (packet, direction) in zip(
        talk.handshake(), [.toServer, .toClient, .toServer] as [Direction])
      where !isMidstream { show(packet, direction) }
      for word in ["one", "two", "six"] {
        show(talk.send(.toServer, octets(word)), .toServer)
        show(talk.send(.toClient, octets(word + "!")), .toClient)
      }
      show(talk.fin(.toServer), .toServer)
      show(talk.fin(.toClient), .toClient)
      show(talk.acknowledge(.toServer), .toServer)
      // The ports are used again.
      var next = Conversation(clientStart: 700_000_000, serverStart: 800_000_000)
      for (packet, direction) in zip(
        next.handshake(), [.toServer, .toClient, .toServer] as [Direction])
      {
        show(packet, direction)
      }
      show(next.send(.toServer, octets("next")), .toServer)
      bench.finish()
      #expect(
        bench.chooser.all.map { $0.text(.toServer) + " " + $0.text(.toClient) } == [
          "onetwosix one!two!six!", "next ",
        ], "\(isTwice)")
      #expect(bench.recorder[.stream] == 2 && bench.isBalanced)
    }
  }

  /// Closed connections and their keys go; the table does not grow with what it has forgotten.
  @Test func manyOfThem() {
    var limits = Limits()
    limits.connections = 16
    var bench = TransportHarness(limits)
    for number in 0..<200 as Range<UInt32> {
      var talk = Conversation(clientStart: number &* 20_000_000, serverStart: number &* 30_000_000)
      for packet in talk.handshake() + [talk.send(.toServer, octets("hi"))] {
        for vni in 0..<3 as Range<UInt8> {
          bench.show(Self.vxlan(vni + UInt8(number % 50) * 4).packet(packet), after: 0)
        }
      }
    }
    bench.finish()
    #expect(bench.recorder[.stream] == 200)
    #expect(bench.chooser.all.map { $0.text(.toServer) } == [String](repeating: "hi", count: 200))
  }

  /// More networks than are told apart are told, not mixed.
  @Test func bound() {
    var limits = Limits()
    limits.networks = 2
    var bench = TransportHarness(limits)
    for number in 1...4 as ClosedRange<UInt8> {
      var talk = Conversation(clientStart: UInt32(number) * 50_000_000)
      bench.show(Self.vxlan(number).packet(talk.send(.toServer, octets("hi"))))
    }
    bench.finish()
    #expect(bench.recorder[.stream] == 2 && bench.recorder[.packetNotTCP] == 2)
    #expect(bench.recorder.codes.contains("ip.unread-tunnel"))
  }
}
