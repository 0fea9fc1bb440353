// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Acknowledgements of what was never sent, or is captured later.
struct AcknowledgementTests {
  /// An acknowledgement by the client of bytes that the server has not sent.
  private static func lie(_ talk: Conversation, _ octets: Int) -> [UInt8] {
    var other = talk
    other.advance(.toClient, octets)
    return other.acknowledge(.toServer)
  }

  private static func started() -> (Conversation, TransportHarness) {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toClient, octets("one")))
    return (talk, bench)
  }

  /// Whoever says it once, and less afterwards, blinds nobody.
  @Test(arguments: [2, 100_000]) func oneLie(size: Int) {
    var (talk, bench) = Self.started()
    bench.show(Self.lie(talk, size))
    for word in ["two", "six", "ten"] {
      bench.show(talk.acknowledge(.toServer), after: 30)
      bench.show(talk.send(.toClient, octets(word)), after: 30)
    }
    #expect(bench.lent.text(.toClient) == "onetwosixten")
    bench.finish()
    #expect(bench.lent.gaps.isEmpty && bench.recorder.codes.isEmpty)
    #expect(bench.isBalanced)
  }

  /// Nothing but the acknowledgements speaks of the hole; bytes come to it when it was reported.
  @Test(arguments: [0, 40]) func reportedAndTakenBack(at place: Int) throws {
    var (talk, bench) = Self.started()
    bench.show(Self.lie(talk, 1000))
    bench.show(Self.lie(talk, 1000), after: 20)
    #expect(bench.lent.lines.suffix(1) == ["toClient gap 1000@3"])
    talk.advance(.toClient, place)
    bench.show(talk.send(.toClient, octets("two")))
    bench.show(Self.lie(talk, 5000), after: 30)
    bench.show(Self.lie(talk, 5000), after: 30)
    bench.show(talk.send(.toClient, octets("six")))
    bench.show(talk.acknowledge(.toServer))
    bench.show(talk.acknowledge(.toServer))
    bench.finish()
    #expect(
      bench.lent.lines.suffix(4) == [
        "toClient gap ?@\(place + 3)", "toClient@\(place + 3) two", "toClient@\(place + 6) six",
        "endOfEvidence unknown",
      ])
    #expect(bench.recorder.codes == ["tcp.gap", "tcp.gap-taken-back"])
    let found = try #require(bench.recorder.findings.last)
    #expect(found.foundBytes == UInt64(1000 - place) && found.severity == .warning)
    #expect(bench.isBalanced)
  }

  /// Part of it was delivered before.
  @Test func takenBackByAnOverlap() {
    var (talk, bench) = Self.started()
    bench.show(Self.lie(talk, 1000))
    bench.show(Self.lie(talk, 1000), after: 20)
    bench.show(talk.packet(.toClient, octets("onetwo"), shift: -3))
    bench.finish()
    #expect(bench.lent.text(.toClient) == "onetwo")
    #expect(bench.recorder[.repeated] == 3)
    #expect(bench.isBalanced)
  }

  /// What was acknowledged, and never came, is reported at the end at the latest.
  @Test(arguments: [1, 2]) func realLoss(count: Int) {
    var (talk, bench) = Self.started()
    talk.advance(.toClient, 50)
    for _ in 0..<count { bench.show(talk.acknowledge(.toServer), after: 30) }
    #expect(bench.lent.gaps.count == count - 1)
    bench.finish()
    #expect(bench.lent.gaps.map(\.missing) == [50])
    #expect(bench.recorder.codes == ["tcp.gap"])
  }

  /// The gap is reported ahead of what the receiver says next.
  @Test func gapBeforeTheNextRequest() {
    var (talk, bench) = Self.started()
    talk.advance(.toClient, 50)
    bench.show(talk.acknowledge(.toServer))
    bench.show(talk.send(.toServer, octets("next")), after: 25)
    #expect(bench.lent.lines.suffix(2) == ["toClient gap 50@3", "toServer@0 next"])
  }

  /// The receiver acknowledges once and is silent; the sender says that it has come so far, or not.
  @Test(arguments: [(0, 1), (-1, 0), (7, 0)])
  func senderAgrees(shift: Int, gaps: Int) {
    var (talk, bench) = Self.started()
    talk.advance(.toClient, 50)
    bench.show(talk.acknowledge(.toServer))
    bench.show(talk.packet(.toClient, shift: shift), after: 5)
    var other = Conversation(clientPort: 50_001)
    bench.show(other.handshake())
    #expect(bench.lent.gaps.isEmpty)
    bench.show(other.send(.toServer, octets("later")), after: 30)
    #expect(bench.lent.gaps.map(\.missing) == [Int?](repeating: 50, count: gaps))
    bench.finish()
    #expect(bench.lent.gaps.map(\.missing) == [50])
  }

  /// A capture of several queues has all acknowledgements ahead of what they acknowledge.
  @Test func capturedAhead() {
    var (talk, bench) = Self.started()
    var rest: [[UInt8]] = []
    for word in ["two", "six", "ten"] { rest.append(talk.send(.toClient, octets(word))) }
    bench.show(talk.acknowledge(.toServer))
    for packet in rest {
      bench.show(packet, after: 15)
      bench.show(talk.acknowledge(.toServer))
    }
    bench.finish()
    #expect(bench.lent.text(.toClient) == "onetwosixten")
    #expect(bench.lent.gaps.isEmpty && bench.recorder.codes == ["capture.directions-apart"])
  }

  /// In mid-course: the first that is seen acknowledges what is captured behind it.
  @Test func aheadOfTheFirstOctets() {
    var talk = Conversation()
    var bench = TransportHarness()
    let first = talk.send(.toClient, octets("one"))
    bench.show([talk.acknowledge(.toServer), first, talk.send(.toClient, octets("two"))])
    bench.finish()
    #expect(bench.lent.text(.toClient) == "onetwo")
    #expect(
      bench.lent.gaps.isEmpty
        && bench.recorder.codes == ["tcp.midstream", "capture.directions-apart"])
    #expect(bench.isBalanced)
  }
}
