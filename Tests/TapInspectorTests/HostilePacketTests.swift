// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTesting
import TapTraffic
import Testing

/// Packets that want more of us than they have.
@Suite("Hostile packets") struct HostilePacketTests {
  private static let start: UInt64 = 1_767_225_600_000_000_000

  /// Datagrams of which only one fragment ever comes.
  @Test("fragments of IP without end", arguments: [false, true]) func fragments(isLast: Bool) {
    let builder = PacketBuilder()
    var packets: [CaptureBuilder.Timed] = []
    let count = isLast ? 300 : 5000
    for number in 0..<count {
      // The last fragment says that all the others are to come, the first that some are.
      let place: UInt16 = isLast ? 8000 : 0x2000
      let datagram = builder.datagram(
        from: [10, 0, UInt8(number >> 8), 7], to: [10, 0, 0, 1],
        [UInt8](repeating: 0, count: 64), identification: UInt16(number), place: place)
      packets.append((Self.start + UInt64(number) * 1000, builder.framed(datagram)))
    }
    var attack = HostileTraffic { $0.fragmentBytes = 256 << 10 }
    attack.show(packets)
    let seen = attack.finish()
    #expect(seen.lines.count { $0.contains("ip.fragments-dropped") } == 100)
    #expect(seen.summary.notes == UInt64(count))
    #expect(seen.summary.unreportedFindings == UInt64(count) - 100)
  }

  private enum Order: CaseIterable {
    case backwards, shuffled, twiceOtherwise
  }

  /// Segments of one byte each, none of which is the one that is awaited.
  @Test("tiny segments of TCP", arguments: Order.allCases) private func segments(order: Order) {
    var talk = Dialogue()
    talk.open("chat.v1")
    talk.step = 1000
    let count = 20_000
    for index in 0..<count {
      let shift =
        switch order {
        case .backwards: count - index
        case .shuffled: 1 + (index &* 7919) % count
        case .twiceOtherwise: 1 + index / 2
        }
      talk.capture(
        talk.conversation.packet(.toServer, [UInt8(truncatingIfNeeded: index)], shift: shift))
    }
    var attack = HostileTraffic { $0.reorderBytes = 256 << 10 }
    attack.show(talk.packets)
    let seen = attack.finish()
    #expect(seen.lines.contains { $0.contains("tcp.gap") })
    #expect(
      seen.lines.contains { $0.contains("tcp.overlap-differs") } == (order == .twiceOtherwise))
    #expect(seen.summary.unreportedFindings < 20_000)
  }

  /// One hole in each of very many connections, and much behind it.
  @Test("holes in many connections") func holes() {
    var packets: [CaptureBuilder.Timed] = []
    for number in 0..<300 {
      var talk = Dialogue(Conversation(clientPort: UInt16(10_000 + number)))
      talk.step = 100
      talk.connect()
      for segment in 0..<20 {
        talk.capture(
          talk.conversation.packet(
            .toServer, [UInt8](repeating: 0x61, count: 1000), shift: 1 + 1000 * segment))
      }
      packets += talk.packets
    }
    var attack = HostileTraffic { $0.reorderBytes = 20_000 }
    attack.show(packets)
    let seen = attack.finish()
    // All connections together wait for no more than 16 of them may.
    #expect(seen.lines.contains { $0.contains("tcp.gap") })
    #expect(seen.summary.lostBytes >= 300)
  }
}
