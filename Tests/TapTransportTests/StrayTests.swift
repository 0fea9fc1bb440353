// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Packets that are not of the connection they seem to be of, while it goes on.
@Suite struct StrayTests {
  private static func started() -> (Conversation, TransportHarness) {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hello")))
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.send(.toClient, octets("hello")))
    bench.show(talk.acknowledge(.toServer))
    return (talk, bench)
  }

  // MARK: SYNs

  /// RFC 5961 §4: it is answered by an acknowledgement of the old connection.
  @Test(arguments: [true, false]) func strangeSYN(isAnswered: Bool) {
    var (talk, bench) = Self.started()
    let stray = Conversation(clientStart: 777_777)
    bench.show(stray.packet(.toServer, flags: PacketBuilder.TCP.syn))
    if isAnswered { bench.show(talk.acknowledge(.toClient)) }
    bench.show(talk.send(.toServer, octets("more")))
    bench.show(talk.acknowledge(.toClient))
    #expect(
      bench.lines() == [
        "toServer@0 hello", "toClient@0 hello", "toServer@5 more", "endOfEvidence unknown",
      ])
    #expect(bench.recorder[.stream] == 1 && bench.recorder.codes.isEmpty)
  }

  private enum Answer: CaseIterable {
    case synack, own, octets, reset
  }

  @Test(arguments: Answer.allCases) private func newConnection(_ answer: Answer) {
    var (_, bench) = Self.started()
    var next = Conversation(clientStart: 777_777, serverStart: 5)
    let handshake = next.handshake()
    bench.show(handshake[0])
    bench.show(handshake[0], after: 1000)
    switch answer {
    case .synack: bench.show(handshake[1])
    case .own: bench.show(handshake[2])
    case .octets: break
    case .reset:
      let flags = PacketBuilder.TCP.rst | PacketBuilder.TCP.ack
      let refusal = PacketBuilder.TCP(0, next.clientNext, flags)
      bench.show(next.builder.packet(from: next.server, to: next.client, refusal))
    }
    if answer != .reset { bench.show(next.send(.toServer, octets("new"))) }
    bench.finish()
    #expect(bench.lent.lines.last == "closed unknown")
    #expect(bench.recorder[.stream] == 2)
    if answer == .reset { return }
    #expect(bench.chooser.all[1].lines == ["toServer@0 new", "endOfEvidence unknown"])
    #expect(bench.chooser.all[1].opening.isFromStart)
  }

  // MARK: Resets

  private enum Proof: CaseIterable {
    case octets, acknowledgement, none
  }

  /// Who reset the connection goes on, or acknowledges what was sent since; or it was a reset.
  @Test(arguments: Proof.allCases, [true, false])
  private func reset(_ proof: Proof, hasMore: Bool) {
    var (talk, bench) = Self.started()
    bench.show(talk.packet(.toClient, flags: PacketBuilder.TCP.rst))
    if hasMore {
      bench.show(talk.send(.toServer, octets("more")))
      bench.show(talk.packet(.toServer, octets("more"), shift: -4))
    }
    switch proof {
    case .octets: bench.show(talk.send(.toClient, octets("end")))
    case .acknowledgement: bench.show(talk.acknowledge(.toClient))
    case .none: bench.show(talk.rst(.toClient))
    }
    bench.finish()
    #expect(bench.lent.lines.last == "reset toClient")
    #expect(bench.isBalanced)
    let goesOn = proof == .octets || proof == .acknowledgement && hasMore
    #expect(bench.recorder.codes == (goesOn ? ["tcp.reset-refuted"] : []))
    guard goesOn else { return #expect(bench.recorder[.afterClose] == (hasMore ? 4 : 0)) }
    var expected = hasMore ? ["toServer@5 more"] : []
    if proof == .octets { expected.append("toClient@5 end") }
    #expect(bench.chooser.all[1].lines == expected + ["endOfEvidence unknown"])
    #expect(!bench.chooser.all[1].opening.isFromStart)
  }

  // MARK: Bytes and FINs ahead

  private enum LogReadAhead: CaseIterable {
    case octets, fin
  }

  /// The stream goes on below, and ends, or waits for long, or reaches that place.
  @Test(arguments: LogReadAhead.allCases, ["end", "wait", "reach", "still"])
  private func ahead(_ what: LogReadAhead, then: String) {
    var (talk, bench) = Self.started()
    if what == .octets {
      bench.show(talk.packet(.toServer, octets("garbage"), shift: 10))
    } else {
      let flags = PacketBuilder.TCP.fin | PacketBuilder.TCP.ack
      bench.show(talk.packet(.toServer, shift: 10, flags: flags))
    }
    bench.show(talk.send(.toServer, octets("more")))
    bench.show(talk.acknowledge(.toClient))
    var expected = "hellomore"
    switch then {
    case "wait":
      bench.show(talk.send(.toServer, octets("late")), after: 6000)
      expected += "late"
    case "reach":
      bench.show(talk.send(.toServer, octets("0123456789")))
      bench.show(talk.acknowledge(.toClient))
      bench.show(talk.send(.toServer, octets("01234567")))
      expected += "012345678901234567"
    default: break
    }
    if then != "still" {
      bench.show(talk.fin(.toServer))
      #expect(bench.recorder.codes == ["tcp.stray-segment"])
    }
    #expect(bench.lent.text(.toServer) == expected)
    bench.finish()
    #expect(bench.isBalanced)
    if then == "still" { return }
    #expect(bench.lent.gaps.isEmpty)
    #expect(bench.lent.lines.contains("half toServer"))
  }

  /// A hole that is filled in parts, and by a segment that overlaps what waits, was one.
  @Test(arguments: ["abcd", "abcdef", "ab"]) func hole(_ first: String) {
    var (talk, bench) = Self.started()
    bench.show(talk.packet(.toServer, octets("efgh"), shift: 4))
    bench.show(talk.acknowledge(.toClient))
    bench.show(talk.packet(.toServer, octets(first)), after: 200)
    if first == "ab" { bench.show(talk.packet(.toServer, octets("cd"), shift: 2), after: 200) }
    #expect(bench.lent.text(.toServer) == "helloabcdefgh")
    #expect(bench.recorder.codes.isEmpty)
    bench.finish()
    #expect(bench.isBalanced)
  }
}
