// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Bytes that are sent again: as they were, otherwise, and because they were damaged.
@Suite struct RetransmissionTests {
  private static let long = String(repeating: "0123456789", count: 90)

  struct Case: Sendable {
    /// What was sent first, in these segments.
    var parts: [String]
    var again: String
    /// So many bytes before the end of what was sent.
    var shift: Int
    var differs: Bool

    init(_ parts: [String], _ again: String, _ shift: Int, _ differs: Bool) {
      (self.parts, self.again, self.shift, self.differs) = (parts, again, shift, differs)
    }
  }

  static let cases = [
    Case(["hello"], "hello", 5, false),
    Case(["hello"], "hallo", 5, true),
    Case(["hello"], "hellO and more", 5, true),
    Case(["hello", "world"], "helloworld", 10, false),
    Case(["hello", "world"], "hellowurld", 10, true),
    Case(["hello", "world"], "wurld", 5, true),
    Case([long], long, 900, false),
    Case([long], "x" + long.dropFirst(), 900, true),
    Case([long], long.dropLast() + "x", 900, true),
    // A keep-alive, and a byte for a window of zero.
    Case(["hello"], "?", 1, false),
    Case(["hello", "w"], "world", 1, false),
  ]

  @Test(arguments: cases) func delivered(_ sent: Case) {
    let (parts, again, shift, differs) = (sent.parts, sent.again, sent.shift, sent.differs)
    for isAcknowledged in [true, false] {
      var talk = Conversation()
      var bench = TransportHarness()
      bench.show(talk.handshake())
      for part in parts {
        bench.show(talk.send(.toServer, octets(part)))
        if isAcknowledged { bench.show(talk.acknowledge(.toClient)) }
      }
      bench.show(talk.packet(.toServer, octets(again), shift: -shift), after: 200)
      #expect(bench.recorder.codes == (differs ? ["tcp.overlap-differs"] : []))
      let sent = parts.joined()
      #expect(bench.lent.text(.toServer).hasPrefix(sent))
      bench.finish()
      #expect(bench.isBalanced)
    }
  }

  /// A stream that nobody reads is not compared, and one that begins anew is not with the old one.
  @Test func sequenceNumbersWrapAround() {
    var talk = Conversation(clientStart: 0xFFFF_FFFC)
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("hello")))
    for _ in 0..<100 { bench.show(talk.send(.toServer, octets("more"))) }
    bench.show(talk.packet(.toServer, octets("MORE"), shift: -4))
    #expect(bench.recorder.codes == ["tcp.overlap-differs"])
  }

  private enum End: CaseIterable {
    case copy, parts, acknowledgement, silence, patience
  }

  /// After some right checksums, a segment with a wrong one, perhaps ahead of the stream.
  private static func damage(
    _ usual: PacketBuilder.Checksums, _ framing: PacketBuilder, warmUp: Int = 4,
    _ damaged: [UInt8] = octets("damaged"), ahead: Int = 0
  ) -> (Conversation, TransportHarness) {
    var builder = framing
    builder.checksums = usual
    var talk = Conversation(builder)
    var bench = TransportHarness()
    bench.linkType = builder.linkType
    bench.show(talk.handshake())
    for number in 0..<warmUp {
      bench.show(talk.send(.toServer, octets("question \(number)")))
      bench.show(talk.send(.toClient, octets("answer")))
    }
    talk.builder.checksums = .wrong
    bench.show(talk.packet(.toServer, damaged, shift: ahead))
    talk.builder.checksums = usual
    return (talk, bench)
  }

  /// Acknowledgements show how checksums are, too, once a connection needs no attention.
  @Test func checksumsOfAcknowledgements() {
    var builder = PacketBuilder()
    builder.checksums = .right
    var talk = Conversation(builder)
    var bench = TransportHarness()
    bench.show(talk.handshake())
    for _ in 0..<2 {
      bench.show(talk.send(.toServer, octets("question")))
      bench.show(talk.acknowledge(.toClient))
    }
    talk.builder.checksums = .wrong
    bench.show(talk.packet(.toClient, octets("damaged")))
    talk.builder.checksums = .right
    bench.show(talk.send(.toClient, octets("as sent")), after: 200)
    bench.finish()
    #expect(bench.lent.text(.toClient) == "as sent")
    #expect(bench.recorder.codes == ["tcp.damaged-segment"])
  }

  @Test(arguments: [false, true], End.allCases)
  private func damaged(_ isIPv6: Bool, end: End) {
    var (talk, bench) = Self.damage(.right, PacketBuilder(isIPv6: isIPv6))
    #expect(bench.lent.text(.toServer).hasSuffix("question 3"))
    switch end {
    case .copy:
      bench.show(talk.send(.toServer, octets("as sent")), after: 200)
      bench.show(talk.send(.toServer, octets(" and more")))
    case .parts:
      bench.show(talk.send(.toServer, octets("as")), after: 200)
      bench.show(talk.send(.toServer, octets(" sent and more")))
    case .acknowledgement:
      talk.advance(.toServer, 7)
      bench.show(talk.send(.toClient, octets("!")))
      // Checksums mean nothing to the receiver.
      talk.builder.checksums = .wrong
      bench.show(talk.send(.toServer, octets(" and more")))
    case .silence: break
    case .patience:
      talk.advance(.toServer, 7)
      bench.show(talk.send(.toServer, octets(" and more")), after: 1)
      bench.show(talk.acknowledge(.toClient), after: 6000)
    }
    bench.finish()
    let text = bench.lent.text(.toServer)
    switch end {
    case .copy, .parts: #expect(text.hasSuffix("3as sent and more"))
    case .silence: #expect(text.hasSuffix("3damaged"))
    case .acknowledgement, .patience: #expect(text.hasSuffix("3damaged and more"))
    }
    #expect(Set(bench.recorder.codes) == ["tcp.damaged-segment"])
    let severity: Finding.Severity = end == .copy || end == .parts ? .note : .warning
    #expect(bench.recorder.findings[0].severity == severity)
    #expect(bench.isBalanced)
    if end == .acknowledgement {
      // It was taken before the packet that acknowledges it.
      #expect(bench.lent.lines.suffix(4).first?.hasSuffix("damaged") == true)
    }
  }

  /// Long segments are judged whole.
  @Test func longDamage() {
    let sent = [UInt8](repeating: UInt8(ascii: "q"), count: 1400)
    var wrong = sent
    wrong[700] ^= 1
    var (talk, bench) = Self.damage(.right, PacketBuilder(), wrong)
    bench.show(talk.send(.toServer, sent), after: 200)
    bench.finish()
    #expect(bench.lent.text(.toServer).hasSuffix("3" + String(repeating: "q", count: 1400)))
    #expect(bench.recorder.codes == ["tcp.damaged-segment"])
    #expect(bench.isBalanced)
  }

  private enum Rest: CaseIterable {
    case copyFirst, holeFirst, parts, damagedTwice, none
  }

  /// A damaged segment that comes too early gives way to another copy, as the next one does.
  @Test(arguments: Rest.allCases)
  private func damagedAhead(rest: Rest) {
    var (talk, bench) = Self.damage(.right, PacketBuilder(), ahead: 4)
    switch rest {
    case .copyFirst:
      bench.show(talk.packet(.toServer, octets("as sent"), shift: 4), after: 200)
      bench.show(talk.send(.toServer, octets("hole")))
      talk.advance(.toServer, 7)
    case .holeFirst:
      bench.show(talk.send(.toServer, octets("hole")), after: 200)
      bench.show(talk.send(.toServer, octets("as sent")))
    case .parts:
      bench.show(talk.packet(.toServer, octets("sent"), shift: 7), after: 200)
      bench.show(talk.send(.toServer, octets("holeas ")))
      talk.advance(.toServer, 4)
    case .damagedTwice:
      talk.builder.checksums = .wrong
      bench.show(talk.packet(.toServer, octets("DAMAGED"), shift: 4))
      talk.builder.checksums = .right
      bench.show(talk.send(.toServer, octets("hole")), after: 200)
      bench.show(talk.send(.toServer, octets("as sent")))
    case .none:
      bench.show(talk.send(.toServer, octets("hole")), after: 200)
      talk.advance(.toServer, 7)
    }
    bench.show(talk.send(.toServer, octets(" and more")))
    bench.finish()
    let word = rest == .none ? "damaged" : "as sent"
    #expect(bench.lent.text(.toServer).hasSuffix("3hole\(word) and more"))
    #expect(Set(bench.recorder.codes) == ["tcp.damaged-segment"])
    #expect(bench.isBalanced)
  }

  /// A copy of what was delivered, with a wrong checksum, accuses nobody.
  @Test func damagedCopy() {
    var (talk, bench) = Self.damage(.right, PacketBuilder())
    bench.show(talk.send(.toServer, octets("as sent")))
    talk.builder.checksums = .wrong
    bench.show(talk.packet(.toServer, octets("AS SENT"), shift: -7))
    #expect(bench.recorder.codes == ["tcp.damaged-segment", "tcp.damaged-segment"])
    #expect(bench.recorder.findings.allSatisfy { $0.severity == .note })
  }

  /// Where checksums are left to the network card nothing is known of them.
  @Test(arguments: [
    (PacketBuilder.Checksums.none, 4), (.pseudoHeader, 4), (.wrong, 4), (.wrong, 40),
  ])
  func nothingIsKnown(_ usual: PacketBuilder.Checksums, _ warmUp: Int) {
    var (talk, bench) = Self.damage(usual, PacketBuilder(), warmUp: warmUp)
    talk.advance(.toServer, 7)
    bench.show(talk.send(.toServer, octets(" and more")))
    #expect(bench.lent.text(.toServer).hasSuffix("damaged and more"))
    #expect(bench.recorder.codes.isEmpty)
  }

  /// Right checksums, and then segments that leave them to the card.
  @Test(arguments: [PacketBuilder.Checksums.none, .pseudoHeader])
  func leftToTheCard(_ later: PacketBuilder.Checksums) {
    var builder = PacketBuilder()
    builder.checksums = .right
    var talk = Conversation(builder)
    var bench = TransportHarness()
    bench.show(talk.handshake())
    for _ in 0..<8 { bench.show(talk.send(.toServer, octets("odd"))) }
    talk.builder.checksums = later
    for _ in 0..<8 { bench.show(talk.send(.toServer, octets("even"))) }
    #expect(bench.lent.bytes(.toServer).count == 8 * 7)
    #expect(bench.recorder.codes.isEmpty)
  }
}
