// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

struct StreamTests {
  @Test func openTalkClose() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hi")))
    bench.show(talk.send(.toClient, octets("ho")))
    bench.show([talk.fin(.toServer), talk.fin(.toClient), talk.acknowledge(.toServer)])
    #expect(
      bench.lines() == [
        "toServer@0 hi", "toClient@0 ho", "half toServer", "half toClient", "closed unknown",
      ])
    #expect(bench.lent.opening.isFromStart)
    #expect(bench.recorder.codes.isEmpty)
    #expect(bench.recorder[.stream] == 1)
    #expect(bench.lent.chunks[0].delivery.edges == [.start, .end])
    #expect(bench.lent.chunks[0].delivery.origin.record == 4)
    #expect(bench.lent.chunks[0].delivery.origin.flow == 1)
  }

  @Test func waitingSegmentsKeepTheirOrigin() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let parts = ["one", "two", "six"].map { talk.send(.toServer, octets($0)) }
    bench.show([parts[2], parts[1], parts[0]])
    #expect(bench.lent.lines == ["toServer@0 one", "toServer@3 two", "toServer@6 six"])
    #expect(bench.lent.chunks.map(\.delivery.origin.record) == [6, 5, 4])
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test func repeatedSegments() {
    var talk = Conversation()
    var bench = TransportHarness()
    for packet in talk.handshake() { bench.show([packet, packet]) }
    let first = talk.send(.toServer, octets("hello"))
    bench.show([first, first])
    // A keep-alive, with and without a byte.
    bench.show([talk.packet(.toServer, [0], shift: -1), talk.packet(.toServer, shift: -1)])
    // Half of it is new.
    bench.show(talk.packet(.toServer, octets("lo you"), shift: -2))
    #expect(bench.lent.text(.toServer) == "hello you")
    #expect(bench.lent.chunks[1].delivery.edges == .end)
    #expect(bench.recorder[.repeated] == 5 + 1 + 2)
    #expect(bench.recorder.codes.isEmpty)
    bench.finish()
    #expect(bench.recorder[.stream] == 1 && bench.isBalanced)
  }

  @Test func keepAliveBeforeAnything() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.packet(.toServer, [0], shift: -1))
    #expect(bench.recorder[.repeated] == 1)
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test(arguments: [("CDEF", []), ("CxEF", ["tcp.overlap-differs"])])
  func overlapWithWhatWaits(_ text: String, _ codes: [String]) {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.packet(.toServer, octets("DEF"), shift: 3))
    bench.show(talk.packet(.toServer, octets(text + "G"), shift: 2))
    #expect(bench.recorder.codes == (text == "CDEF" ? [] : codes))
    bench.show(talk.packet(.toServer, octets("ABC")))
    #expect(bench.lent.text(.toServer) == "ABCDEFG")
    bench.finish()
    #expect(bench.isBalanced)
  }

  @Test func numbersWrapAround() {
    var talk = Conversation(clientStart: 0xFFFF_FFF0)
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let packets = (0..<8).map { _ in talk.send(.toServer, octets("12345")) }
    bench.show([packets[0], packets[1], packets[3], packets[4], packets[2]])
    bench.show([packets[7], packets[5], packets[6]])
    #expect(bench.lent.chunks.map(\.delivery.origin.offset) == [0, 5, 10, 15, 20, 25, 30, 35])
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test func resetEndsIt() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hi")))
    talk.advance(.toClient, 4)
    bench.show(talk.send(.toClient, octets("late")))
    bench.show(talk.rst(.toClient))
    bench.show(talk.rst(.toClient))
    bench.show(talk.send(.toServer, octets("more")))
    #expect(
      bench.lines() == [
        "toServer@0 hi", "toClient gap 4@0", "toClient@4 late", "reset toClient",
      ])
    #expect(bench.recorder[.afterClose] == 4)
    #expect(bench.isBalanced)
  }

  @Test func blindResetIsIgnored() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.packet(.toServer, shift: 1 << 30, flags: PacketBuilder.TCP.rst))
    bench.show(talk.send(.toServer, octets("hi")))
    #expect(bench.lines() == ["toServer@0 hi", "endOfEvidence unknown"])
  }

  @Test(arguments: [true, false])
  func portsAreUsedAgain(_ wasClosed: Bool) {
    var bench = TransportHarness()
    for start: UInt32 in [1000, 500_000] {
      var talk = Conversation(clientStart: start, serverStart: start + 7)
      bench.show(talk.handshake())
      bench.show(talk.send(.toServer, octets("hi")))
      if wasClosed { bench.show([talk.fin(.toServer), talk.fin(.toClient)]) }
    }
    bench.finish()
    #expect(bench.chooser.all.count == 2)
    #expect(bench.chooser.all[0].endings.last == .closed)
    #expect(bench.chooser.all[1].lines[0] == "toServer@0 hi")
    #expect(bench.recorder.codes.isEmpty)
    #expect(bench.recorder[.stream] == 2)
  }

  @Test func stragglersAfterTheClose() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let hello = talk.send(.toServer, octets("hello"))
    bench.show([hello, talk.fin(.toServer), talk.fin(.toClient)])
    bench.show([hello, talk.acknowledge(.toServer), talk.send(.toServer, octets("zombie"))])
    bench.finish()
    #expect(bench.recorder[.repeated] == 5)
    #expect(bench.recorder[.afterClose] == 6)
    #expect(bench.recorder[.stream] == 1 && bench.isBalanced)
  }

  @Test func withoutSYN() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.send(.toClient, octets("news")))
    bench.show(talk.packet(.toClient, octets("old"), shift: -20))
    bench.show(talk.send(.toServer, octets("thanks")))
    #expect(bench.lent.lines == ["toClient@0 news", "toServer@0 thanks"])
    #expect(!bench.lent.opening.isFromStart)
    #expect(bench.lent.opening.server == talk.server)
    #expect(bench.recorder.codes == ["tcp.midstream", "tcp.late-segment"])
    bench.finish()
    #expect(bench.isBalanced)
  }

  @Test func keepAliveIsTheFirstThatIsSeen() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.packet(.toServer, shift: -1))
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.send(.toServer, octets("hi")))
    #expect(bench.lines().first == "toServer@0 hi")
    #expect(bench.recorder.codes == ["tcp.midstream"])
  }

  /// Both sides are there, though one of them first shows by what the other acknowledges.
  @Test func bothSidesInMidstream() {
    var bench = TransportHarness()
    var conversation = Conversation()
    _ = conversation.handshake()
    _ = conversation.send(.toServer, octets("not captured"))
    bench.show(conversation.send(.toClient, octets("one")))
    for text in ["two", "three"] {
      bench.show(conversation.send(.toServer, octets(text)))
      bench.show(conversation.send(.toClient, octets(text)))
    }
    bench.finish()
    #expect(bench.recorder.codes == ["tcp.midstream"])
  }

  @Test(arguments: [0, 1])
  func oneOfTheSYNsWasLost(_ lost: Int) {
    // The ports say that the client is the server: only the SYN knows better.
    var talk = Conversation(clientPort: 80, serverPort: 9999)
    var bench = TransportHarness()
    var packets = talk.handshake()
    packets.remove(at: lost)
    bench.show(packets)
    bench.show([talk.send(.toClient, octets("hi")), talk.send(.toServer, octets("ho"))])
    #expect(bench.lent.lines == ["toClient@0 hi", "toServer@0 ho"])
    #expect(bench.lent.opening.isFromStart)
    #expect(bench.lent.opening.server == talk.server)
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test func dataInTheSYN() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.packet(.toServer, octets("fast"), flags: PacketBuilder.TCP.syn))
    talk.advance(.toServer, 5)
    bench.show(talk.packet(.toClient, flags: PacketBuilder.TCP.syn | PacketBuilder.TCP.ack))
    bench.show(talk.send(.toServer, octets(" open")))
    #expect(bench.lent.text(.toServer) == "fast open")
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test func zeroWindowProbeIsData() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("a")))
    bench.show(talk.send(.toServer, octets("b")))
    #expect(bench.lent.text(.toServer) == "ab")
  }

  @Test func finWithDataOutOfOrder() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let first = talk.send(.toServer, octets("one"))
    let last = talk.packet(
      .toServer, octets("two"), flags: PacketBuilder.TCP.fin | PacketBuilder.TCP.ack)
    bench.show([last, first, last])
    bench.show(talk.packet(.toServer, octets("beyond"), shift: 3))
    #expect(bench.lent.lines == ["toServer@0 one", "toServer@3 two", "half toServer"])
    #expect(bench.recorder[.repeated] == 3 && bench.recorder[.afterClose] == 6)
  }

  @Test func idleConnectionsAreEvicted() {
    var limits = Limits()
    limits.connections = 4
    var bench = TransportHarness(limits)
    for port in 0..<6 {
      var talk = Conversation(clientPort: 50_000 + UInt16(port))
      bench.show(talk.handshake() + [talk.send(.toServer, octets("\(port)"))])
    }
    #expect(bench.chooser.all.map { $0.endings.count } == [1, 1, 0, 0, 0, 0])
    #expect(bench.recorder.codes == ["tcp.connections-evicted", "tcp.connections-evicted"])
    bench.finish()
    #expect(bench.isBalanced)
  }

  /// Those that nobody closed, when there are many.
  @Test func idleConnectionsAreForgottenInTime() {
    var limits = Limits()
    (limits.connections, limits.idleTime) = (8, 60_000_000_000)
    var bench = TransportHarness(limits)
    func open(_ port: UInt16, after wait: Int64) {
      var talk = Conversation(clientPort: port)
      bench.milliseconds += wait
      bench.show(talk.handshake() + [talk.send(.toServer, octets("a"))])
    }
    for port in 0..<5 { open(50_000 + UInt16(port), after: 0) }
    open(50_005, after: 59_000)
    #expect(bench.recorder.codes.isEmpty)
    open(50_006, after: 30_000)
    #expect(bench.chooser.all.map { $0.endings.count } == [1, 1, 1, 1, 1, 0, 0])
    #expect(bench.recorder.codes == ["tcp.connections-evicted"])
    #expect(bench.recorder.findings.map(\.evicted) == [5])
    // Few may be idle for as long as they like.
    open(50_007, after: 600_000)
    #expect(bench.recorder.codes.count == 1)
    bench.finish()
    #expect(bench.isBalanced)
  }

  /// The first address of a connection may be the second when all get new numbers.
  @Test func renumberedAddresses() {
    var limits = Limits()
    limits.connections = 16
    var bench = TransportHarness(limits)
    func endpoint(_ number: Int) -> Endpoint {
      let tail = [UInt8(number >> 8), UInt8(number & 0xFF)]
      return Endpoint(
        address: [0xFD, 0x77] + [UInt8](repeating: 0, count: 12) + tail, port: 9000)
    }
    let builder = PacketBuilder(isIPv6: true)
    var talks: [Conversation] = []
    // Every two of six addresses, so that the numbers cannot all keep their order.
    for first in 0..<4 {
      for second in 0..<4 where second != first {
        var talk = Conversation(builder)
        (talk.client, talk.server) = (endpoint(first), endpoint(second))
        (talk.client.port, talk.server.port) = (50_000 + UInt16(first), 80)
        bench.show(talk.handshake())
        bench.show(talk.send(.toServer, octets("one")))
        talks.append(talk)
      }
    }
    for number in 0..<200 {
      let probe = PacketBuilder.TCP(1, 0, PacketBuilder.TCP.rst)
      bench.show(builder.packet(from: endpoint(1000 + number), to: endpoint(3), probe))
      if number % 20 != 0 { continue }
      for index in talks.indices {
        bench.show(talks[index].send(.toServer, octets("two")))
        bench.show(talks[index].send(.toClient, octets("three")))
      }
    }
    bench.finish()
    #expect(bench.chooser.all.count == 12)
    for lent in bench.chooser.all {
      #expect(lent.text(.toServer) == "one" + String(repeating: "two", count: 10))
      #expect(lent.text(.toClient) == String(repeating: "three", count: 10))
    }
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test func manyIPv6AddressesAreForgotten() {
    var limits = Limits()
    limits.connections = 16
    var bench = TransportHarness(limits)
    for number in 0..<200 {
      var talk = Conversation(PacketBuilder(isIPv6: true))
      talk.client.address[10] = UInt8(number)
      bench.show(talk.handshake() + [talk.send(.toServer, [UInt8(number)])])
      #expect(bench.chooser.all.last?.opening.client == talk.client)
    }
    bench.finish()
    #expect(bench.chooser.all.count == 200 && bench.isBalanced)
    #expect(!bench.recorder.codes.contains("tcp.midstream"))
  }
}
