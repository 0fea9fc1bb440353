// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Streams of MQTT that are damaged at random: every byte is accounted for once, and what is
/// reported does not depend on how the stream was cut.
@Suite("Damaged MQTT") struct MQTTDamageTests {
  private static let packets: [[UInt8]] = [
    "10 0e 00 04 4d 51 54 54 05 02 00 3c 00 00 01 63", "c0 00", "e0 00", "f0 00",
    "30 08 00 03 61 2f 62 00 68 69", "32 0a 00 03 61 2f 62 00 07 00 68 69", "40 02 00 07",
    "50 03 00 08 10", "62 02 00 08", "70 02 00 08", "82 09 00 01 00 00 03 61 2f 23 01",
    "90 04 00 01 00 01", "a2 08 00 02 00 00 03 61 2f 23", "b0 04 00 02 00 00",
    "30 0b 00 03 73 2f 74 03 23 00 01 32 30", "30 08 00 00 03 23 00 01 32 31", "20 03 00 00 00",
    "10 13 00 04 4d 51 54 54 04 c2 00 3c 00 01 72 00 01 75 00 01 70", "d0 00",
  ].map { MQTTPacketTests.bytes($0) }

  private func damaged(_ random: inout SplitMix) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<(3 + random.below(12)) { bytes += Self.packets[random.below(Self.packets.count)] }
    for _ in 0..<random.below(4) {
      let place = random.below(bytes.count)
      switch random.below(4) {
      case 0: bytes[place] = UInt8(random.below(256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(random.below(256)), at: place)
      default: bytes.removeLast(min(bytes.count - 1, random.below(8)))
      }
    }
    return bytes
  }

  private func report(_ bytes: [UInt8], cuts: [Int], hole: Int? = nil) -> [String] {
    let recorder = Recorder()
    let end = Endpoint(address: [10, 0, 0, 7], port: 1)
    let opening = Opening(.stream, client: end, server: end, isFromStart: true)
    var layer = MQTTDialect().layer(opening, RunContext(limits: Limits()))
    var start = 0
    var lost = 0
    for (number, cut) in (cuts + [bytes.count]).enumerated() {
      let origin = Origin(offset: UInt64(start), direction: .toServer)
      if number == hole {
        layer.gap(cut - start, Delivery(origin), recorder)
        lost = cut - start
      } else {
        let piece = Array(bytes[start..<cut])
        layer.receive(piece.span.bytes, Delivery(origin), recorder)
      }
      start = cut
    }
    layer.finish(.closed, Delivery(Origin(direction: .toServer)), recorder)
    #expect(recorder.fates.reduce(0, +) == bytes.count - lost, "\(bytes) \(cuts)")
    return recorder.lines.filter { $0.hasPrefix("toServer") }
  }

  @Test("bytes are accounted for, however the stream is cut") func damage() {
    var random = SplitMix(state: 7)
    for _ in 0..<3000 {
      let bytes = damaged(&random)
      let whole = report(bytes, cuts: [])
      let cut = random.below(bytes.count)
      #expect(report(bytes, cuts: [cut]).count >= 0)
      if bytes.count > 4 {
        let first = random.below(bytes.count - 2)
        let second = first + 1 + random.below(bytes.count - first - 1)
        _ = report(bytes, cuts: [first, second], hole: 1)
      }
      _ = whole
    }
  }

  @Test("noise is no packet that traps") func noise() {
    var random = SplitMix(state: 11)
    for _ in 0..<3000 {
      let bytes = (0..<(1 + random.below(80))).map { _ in UInt8(random.below(256)) }
      _ = report(bytes, cuts: [])
      _ = report(bytes, cuts: [random.below(bytes.count)])
      let talk = WAMPConversation(MQTTDialect(), subprotocol: "")
      talk.say(bytes, .toClient)
      talk.finish(.reset)
      var recogniser = MQTTStreamRecogniser(limits: Limits())
      _ = recogniser.recognise(first: bytes.span.bytes, .toServer)
      var edges = Delivery(Origin(direction: .toClient))
      edges.edges = [.start, .end]
      _ = recogniser.recognise(midstream: bytes.span.bytes, edges)
    }
  }
}

/// The same numbers in each run.
private struct SplitMix {
  var state: UInt64

  mutating func below(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(count))
  }
}
