// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// What holds whatever happens to the packets.
struct PropertyTests {
  @Test func segmentationDoesNotMatter() {
    let bytes = (0..<60).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let found = difference(forEveryCutOf: bytes) { pieces in
      var talk = Conversation()
      var bench = TransportHarness()
      bench.show(talk.handshake())
      for piece in pieces { bench.show(talk.send(.toClient, piece)) }
      bench.finish()
      return bench.lent.bytes(.toClient)
    }
    #expect(found == nil)
  }

  struct Sent {
    var packet: [UInt8]
    var snapLength = Int.max
  }

  /// A conversation of random segments, with its packets damaged as captures are.
  static func traffic(
    _ random: inout Seeded, _ up: [UInt8], _ down: [UInt8]
  ) -> [Sent] {
    var talk = Conversation(
      clientStart: UInt32.random(in: .min ... .max, using: &random),
      serverStart: UInt32.random(in: .min ... .max, using: &random))
    var packets = talk.handshake()
    var sent = (0, 0)
    while sent.0 < up.count || sent.1 < down.count {
      let isUp = sent.1 == down.count || sent.0 < up.count && Bool.random(using: &random)
      let all = isUp ? up : down
      let start = isUp ? sent.0 : sent.1
      let end = min(start + Int.random(in: 1...90, using: &random), all.count)
      // Retransmissions may have other borders.
      if start > 0 && Int.random(in: 0..<10, using: &random) == 0 {
        let from = Int.random(in: 0..<start, using: &random)
        packets.append(
          talk.packet(isUp ? .toServer : .toClient, Array(all[from..<end]), shift: from - start))
      }
      packets.append(talk.send(isUp ? .toServer : .toClient, Array(all[start..<end])))
      if Bool.random(using: &random) {
        packets.append(talk.acknowledge(isUp ? .toClient : .toServer))
      }
      if isUp { sent.0 = end } else { sent.1 = end }
    }
    packets += [talk.fin(.toServer), talk.fin(.toClient), talk.acknowledge(.toServer)]
    return damaged(packets, &random)
  }

  static func damaged(_ packets: [[UInt8]], _ random: inout Seeded) -> [Sent] {
    var all: [Sent] = []
    let (drop, cut) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...2, using: &random))
    for (index, packet) in packets.enumerated() {
      if index > 2 && Int.random(in: 0..<20, using: &random) < drop { continue }
      var sent = Sent(packet: packet)
      if Int.random(in: 0..<20, using: &random) < cut {
        sent.snapLength = Int.random(in: 54...max(54, packet.count), using: &random)
      }
      all.append(sent)
      if Int.random(in: 0..<20, using: &random) == 0 { all.append(Sent(packet: packet)) }
    }
    for index in 3..<all.count where Int.random(in: 0..<8, using: &random) == 0 {
      all.swapAt(index, min(index + Int.random(in: 1...4, using: &random), all.count - 1))
    }
    return all
  }

  @Test(arguments: 0..<150)
  func deliveredIsWhatWasSent(_ seed: Int) {
    var random = Seeded(UInt64(seed + 1))
    let up = (0..<1200).map { _ in UInt8.random(in: 0...255, using: &random) }
    let down = (0..<900).map { _ in UInt8.random(in: 0...255, using: &random) }
    var limits = Limits()
    if seed % 3 == 0 { limits.reorderBytes = 1500 }
    if seed % 5 == 0 { limits.gapTimeout = 10_000_000 }
    var bench = TransportHarness(limits)
    for sent in Self.traffic(&random, up, down) {
      bench.show(
        sent.packet, after: Int64.random(in: 0...8, using: &random), snapLength: sent.snapLength)
    }
    bench.finish()
    #expect(bench.isBalanced)
    #expect(bench.recorder[.stream] == 1 && bench.chooser.all.count == 1)
    let expected: Set = [
      "tcp.gap", "tcp.gap-taken-back", "tcp.late-segment", "tcp.cut-packets",
      "capture.directions-apart",
    ]
    #expect(bench.recorder.codes.allSatisfy(expected.contains))
    for (direction, bytes) in [(Direction.toServer, up), (.toClient, down)] {
      Self.check(bench.lent, direction, bytes)
    }
    let lost = bench.recorder.findings.reduce(0) { $0 + $1.lostBytes }
    #expect(Int(lost) == bench.lent.gaps.reduce(0) { $0 + ($1.missing ?? 0) })
  }

  /// Chunks and gaps follow each other without a seam, and chunks hold what was sent there.
  static func check(_ lent: LayerLog, _ direction: Direction, _ sent: [UInt8]) {
    var parts: [(start: Int, end: Int)] = []
    for chunk in lent.chunks where chunk.delivery.origin.direction == direction {
      let start = Int(chunk.delivery.origin.offset)
      let end = start + chunk.bytes.count
      #expect(end <= sent.count && Array(sent[start..<min(end, sent.count)]) == chunk.bytes)
      parts.append((start, end))
    }
    for gap in lent.gaps where gap.delivery.origin.direction == direction {
      let start = Int(gap.delivery.origin.offset)
      if let missing = gap.missing {
        parts.append((start, start + missing))
      } else if let last = parts.indices.last {
        // The gap before it was taken back from here on.
        #expect((parts[last].start..<parts[last].end).contains(start))
        parts[last].end = start
      }
    }
    parts.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    var at = 0
    for part in parts {
      #expect(part.start == at)
      at = part.end
    }
    // A FIN that was lost with the bytes before it cannot be told from one byte more.
    #expect(at <= sent.count + 1)
  }
}
