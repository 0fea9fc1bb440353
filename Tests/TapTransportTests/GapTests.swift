// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import TapTransport
import Testing

struct GapTests {
  /// A connection of which the second of three segments to the server was not captured.
  static func started(_ limits: Limits = Limits()) -> (Conversation, TransportHarness) {
    var talk = Conversation()
    var bench = TransportHarness(limits)
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("one")))
    talk.advance(.toServer, 3)
    bench.show(talk.send(.toServer, octets("six")))
    return (talk, bench)
  }

  static let expected = ["toServer@0 one", "toServer gap 3@3", "toServer@6 six"]

  @Test func acknowledgedHoleIsGivenUpSoon() throws {
    var (talk, bench) = Self.started()
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.acknowledge(.toClient), after: 19)
    #expect(bench.lent.lines == ["toServer@0 one"])
    // The packet of another connection is enough to look at the clock.
    bench.show(Conversation(clientPort: 1).acknowledge(.toServer), after: 1)
    #expect(bench.lent.lines == Self.expected)
    let gap = try #require(bench.recorder.findings.first)
    #expect(gap.code.name == "tcp.gap" && gap.severity == .note && gap.lostBytes == 3)
    #expect(gap.text.contains("3 bytes to the server") && gap.text.contains("acknowledged"))
    #expect(gap.text.contains("offset 3") && gap.text.contains("in packet 5"))
    #expect(bench.lent.gaps[0].delivery.origin.record == 5)
  }

  @Test func holeIsGivenUpAfterPatience() {
    var (talk, bench) = Self.started()
    talk.clientNext = 1001
    bench.show(talk.acknowledge(.toClient), after: 4999)
    #expect(bench.lent.lines.count == 1)
    bench.show(talk.acknowledge(.toClient), after: 1)
    #expect(bench.lent.lines == Self.expected)
    #expect(bench.recorder.findings[0].text.contains("did not come in time"))
  }

  /// Without a packet, the clock of this machine tells when it is time.
  @Test(
    arguments: [
      // milliseconds later, and what becomes of the hole
      (0, false), (19, false), (20, true), (9_999, true), (10_000, false), (-10_000, false),
    ] as [(Int64, Bool)])
  func nothingComes(later: Int64, isGivenUp: Bool) throws {
    var (talk, bench) = Self.started()
    bench.show(talk.acknowledge(.toClient))
    let now = Instant(nanoseconds: (bench.milliseconds + later) * 1_000_000)
    let silence = max(later, 0) * 1_000_000
    let begin = Instant(nanoseconds: bench.milliseconds * 1_000_000)
    #expect(bench.transport.quiet(for: 0, at: begin, bench.recorder) == 20_000_000)
    let due = bench.transport.quiet(for: silence, at: now, bench.recorder)
    #expect(bench.lent.lines == (isGivenUp ? Self.expected : ["toServer@0 one"]))
    if abs(later) >= 10_000 {
      #expect(due == nil)
    } else if !isGivenUp {
      #expect(due == 20_000_000)
    }
    // What comes after is taken as ever.
    bench.show(talk.send(.toServer, octets("ten")), after: 30)
    #expect(bench.lent.lines == Self.expected + ["toServer@9 ten"])
  }

  @Test func tooMuchWaits() {
    var limits = Limits()
    limits.reorderBytes = 2000
    var (talk, bench) = Self.started(limits)
    let long = [UInt8](repeating: 65, count: 1000)
    bench.show(talk.send(.toServer, long))
    #expect(bench.lent.lines.count == 1)
    bench.show(talk.send(.toServer, long))
    #expect(bench.lent.bytes(.toServer).count == 2006)
    #expect(bench.recorder.codes == ["tcp.gap"])
  }

  @Test func lateBytesAreNotLostSilently() {
    var (talk, bench) = Self.started()
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.acknowledge(.toClient), after: 100)
    bench.show(talk.packet(.toServer, octets("etw"), shift: -7))
    bench.show(talk.packet(.toServer, octets("two"), shift: -6))
    #expect(bench.recorder[.incomplete] == 2 + 3)
    #expect(bench.recorder[.repeated] == 1)
    #expect(bench.recorder.codes == ["tcp.gap", "tcp.late-segment"])
    #expect(bench.lines() == Self.expected + ["endOfEvidence unknown"])
    #expect(bench.isBalanced)
  }

  @Test func holeIsFilledInTime() {
    var (talk, bench) = Self.started()
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.packet(.toServer, octets("two"), shift: -6), after: 10)
    bench.show(talk.acknowledge(.toClient), after: 60_000)
    #expect(bench.lent.text(.toServer) == "onetwosix")
    #expect(bench.recorder.codes.isEmpty)
  }

  @Test func endOfEvidence() {
    var (_, bench) = Self.started()
    #expect(bench.lines() == Self.expected + ["endOfEvidence unknown"])
    #expect(bench.recorder.findings[0].text.contains("end of the capture"))
  }

  @Test(arguments: [true, false])
  func oneDirectionOnly(_ hasSYN: Bool) {
    var talk = Conversation()
    var bench = TransportHarness()
    let shake = talk.handshake()
    if hasSYN { bench.show([shake[0], shake[2]]) }
    bench.show(talk.send(.toServer, octets("one")))
    talk.advance(.toClient, 100)
    bench.show(talk.send(.toServer, octets("two")))
    bench.show(talk.send(.toServer, octets("six")), after: 250)
    talk.advance(.toClient, 50)
    bench.show(talk.acknowledge(.toServer))
    // Its FIN takes a number: no byte is missing.
    talk.advance(.toClient, 1)
    bench.show(talk.acknowledge(.toServer), after: 300)
    bench.show(talk.acknowledge(.toServer), after: 300)
    bench.finish()
    #expect(bench.lent.gaps.map(\.missing) == [100, 50])
    #expect(bench.lent.gaps.allSatisfy { $0.delivery.origin.direction == .toClient })
    #expect(bench.recorder.findings.filter { $0.code.name == "tcp.gap" }.count == 2)
    #expect(bench.lent.text(.toServer) == "onetwosix")
  }

  @Test func firstGapOpensTheLayer() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    talk.advance(.toClient, 9)
    bench.show(talk.acknowledge(.toServer))
    #expect(bench.lines() == ["toClient gap 9@0", "endOfEvidence unknown"])
  }

  @Test func lostFINIsNoGap() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hi")))
    _ = talk.fin(.toServer)
    bench.show(talk.fin(.toClient))
    bench.show(talk.acknowledge(.toServer), after: 10_000)
    #expect(
      bench.lines() == ["toServer@0 hi", "half toClient", "endOfEvidence unknown"])
    #expect(bench.recorder.codes.isEmpty)
  }

  /// So little was captured that a header is not whole.
  @Test(arguments: [20, 36, 50]) func cutHeaders(length: Int) {
    var talk = Conversation()
    var bench = TransportHarness()
    for packet in talk.handshake() { bench.show(packet, snapLength: length) }
    #expect(bench.recorder.codes == ["tcp.cut-packets"])
    #expect(bench.recorder.findings[0].text.contains("\(length) of its 54 bytes"))
  }

  @Test func cutPackets() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let first = talk.send(.toServer, octets("0123456789"))
    let second = talk.send(.toServer, octets("abcdefghij"))
    bench.show(first, snapLength: first.count - 6)
    bench.show(second, snapLength: second.count - 7)
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.acknowledge(.toClient), after: 25)
    #expect(
      bench.lent.lines == [
        "toServer@0 0123", "toServer gap 6@4", "toServer@10 abc", "toServer gap 7@13",
      ])
    #expect(bench.recorder.codes == ["tcp.cut-packets", "tcp.gap", "tcp.gap"])
    #expect(
      bench.recorder.findings.dropFirst().allSatisfy {
        $0.text.contains("cut by the snap length")
      })
    #expect(bench.lent.chunks[0].delivery.edges == .start)
    bench.finish()
    #expect(bench.recorder[.payloadByte] == 7)
  }

  @Test func anotherCopyFillsWhatWasCut() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let first = talk.send(.toServer, octets("0123456789"))
    bench.show(first, snapLength: first.count - 6)
    bench.show(first, after: 0)
    bench.show(talk.send(.toServer, octets("abc")))
    bench.show(talk.acknowledge(.toClient), after: 9000)
    #expect(bench.lent.text(.toServer) == "0123456789abc")
    #expect(bench.recorder.codes == ["tcp.cut-packets"])
    bench.finish()
    #expect(bench.isBalanced)
  }

  @Test func onlyHeadersWereCaptured() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    let packets = ["01234", "abc"].map { talk.send(.toServer, octets($0)) }
    bench.show(packets[1], snapLength: 54)
    bench.show(packets[0], snapLength: 54)
    bench.show(talk.fin(.toServer))
    bench.finish()
    #expect(bench.lent.gaps.reduce(0) { $0 + ($1.missing ?? 0) } == 8)
    #expect(bench.lent.endings == [.half, .endOfEvidence])
  }
}
