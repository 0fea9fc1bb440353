// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Resets that are believed, and those that are not (RFC 9293 §3.10.7.4).
@Suite struct ResetTests {
  private static func started() -> (Conversation, TransportHarness) {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hello")))
    bench.show(talk.send(.toClient, octets("hello")))
    return (talk, bench)
  }

  /// An old one, or one by who guesses: the connection goes on.
  @Test(arguments: [-1_000_000, -100, -1, 1, 5000, 1_000_000], [Direction.toServer, .toClient])
  func strange(shift: Int, goesOn: Direction) {
    var (talk, bench) = Self.started()
    bench.show(talk.packet(.toClient, shift: shift, flags: PacketBuilder.TCP.rst))
    bench.show(talk.acknowledge(.toServer))
    bench.show(talk.send(goesOn, octets("more")))
    bench.show(talk.send(.toClient, octets("end")))
    #expect(
      bench.lines().suffix(2) == [
        "toClient@\(goesOn == .toClient ? 9 : 5) end", "endOfEvidence unknown",
      ])
    #expect(bench.recorder[.afterClose] == 0 && bench.isBalanced)
  }

  /// Nothing comes behind it: then it was one.
  @Test(arguments: [-100, 0, 5000]) func last(shift: Int) {
    var (talk, bench) = Self.started()
    bench.show(talk.packet(.toClient, shift: shift, flags: PacketBuilder.TCP.rst))
    bench.show(talk.acknowledge(.toServer))
    #expect(bench.lines() == ["toServer@0 hello", "toClient@0 hello", "reset toClient"])
  }

  /// Its number is what the receiver awaits: what lies before it was sent.
  @Test(arguments: [(0, false), (1, false), (7, true)]) func ahead(shift: Int, isGap: Bool) {
    var (talk, bench) = Self.started()
    bench.show(talk.packet(.toClient, shift: shift, flags: PacketBuilder.TCP.rst))
    let gap = isGap ? ["toClient gap 7@5"] : []
    #expect(bench.lines() == ["toServer@0 hello", "toClient@0 hello"] + gap + ["reset toClient"])
  }

  /// Behind a FIN, which takes a number; and behind a hole of which something is known.
  @Test(arguments: [true, false]) func believed(isFinished: Bool) {
    var (talk, bench) = Self.started()
    if isFinished {
      bench.show(talk.fin(.toClient))
    } else {
      talk.advance(.toClient, 7)
      bench.show(talk.acknowledge(.toServer))
    }
    bench.show(talk.rst(.toClient))
    bench.show(talk.send(.toServer, octets("too late")))
    bench.finish()
    #expect(bench.recorder[.afterClose] == 8)
    #expect(bench.lent.lines.last == "reset toClient")
  }

  private enum Next: CaseIterable {
    case missing, nothing, more
  }

  /// It acknowledges more than was captured: that was sent before it, and may still come.
  @Test(arguments: Next.allCases) private func early(_ next: Next) {
    var (talk, bench) = Self.started()
    let missing = talk.send(.toServer, octets("more"))
    bench.show(talk.rst(.toClient))
    switch next {
    case .missing: bench.show(missing)
    case .nothing: break
    case .more: bench.show(talk.send(.toClient, octets("on")))
    }
    let lines = bench.lines().dropFirst(2)
    switch next {
    case .missing: #expect(lines == ["toServer@5 more", "reset toClient"])
    case .nothing: #expect(lines == ["toServer gap 4@5", "reset toClient"])
    case .more: #expect(lines.last == "endOfEvidence unknown")
    }
    #expect(bench.recorder[.afterClose] == 0 && bench.isBalanced)
  }

  /// A SYN that is refused.
  @Test func refused() {
    let talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.packet(.toServer, flags: PacketBuilder.TCP.syn))
    let answer = PacketBuilder.TCP(
      0, talk.clientNext + 1, PacketBuilder.TCP.rst | PacketBuilder.TCP.ack)
    bench.show(talk.builder.packet(from: talk.server, to: talk.client, answer))
    #expect(bench.lines().isEmpty && bench.recorder.codes.isEmpty)
  }
}
