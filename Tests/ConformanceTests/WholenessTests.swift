// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// What is whole in a damaged capture is reported: a hole costs no message beside those it is in.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct WholenessTests {
  enum Harm: Sendable, CaseIterable { case dropped, beheaded, cut }

  struct Case: Sendable, CustomTestStringConvertible {
    var base: String
    var seed: UInt64
    var harm: Harm

    var testDescription: String { "\(base) \(harm) \(seed)" }
  }

  /// None of them compresses, where a hole costs what follows it too.
  static let cases: [Case] = [
    "net-clean-clientside", "wamp-rpc-basic", "wamp-fragmented", "wamp-pubsub-chat",
    "xconn-router-pubsub-chat",
  ].flatMap { base in
    DamageTests.seeds.flatMap { seed in
      Harm.allCases.map { Case(base: base, seed: seed, harm: $0) }
    }
  }

  @Test(arguments: cases)
  func nothingWholeIsMissing(damage: Case) throws {
    var file = try PcapFile(Captures.bytes(of: Captures.path(damage.base + ".pcap")))
    var random = Seeded(damage.seed)
    let first = Int.random(in: 1..<file.packets.count * 3 / 4, using: &random)
    let percent = Int.random(in: 1...30, using: &random)
    let kept = file.packets.indices.filter {
      switch damage.harm {
      case .dropped: Int.random(in: 0..<100, using: &random) >= percent
      case .beheaded: $0 >= first
      case .cut: true
      }
    }
    file.packets = kept.map { file.packets[$0] }
    if damage.harm == .cut { file.snaplen = UInt32.random(in: 80...600, using: &random) }
    let isWhole = file.packets.map { $0.bytes.count <= Int(file.snaplen) }
    let decoded = try Decoded([file.bytes])

    let path = try #require(Captures.truth(damage.base + ".wire.jsonl"))
    var wanted: [String: Int] = [:]
    for line in try Captures.lines(of: path) {
      let row = try ValueReader.read(line)
      guard case .array(let packets)? = row["packets"], let conn = row["conn"]?.text,
        let type = row["type"]?.natural
      else { continue }
      // Where in the damaged file the packets are; the place of the last is reported as the origin.
      let places = packets.map { packet in
        kept.firstIndex { $0 + 1 == packet.int }.flatMap { isWhole[$0] ? $0 : nil }
      }
      guard !places.contains(nil), let last = places.last ?? nil else { continue }
      let direction = row["dir"]?.text == "c2r" ? "toServer" : "toClient"
      wanted["\(conn) \(direction) \(type) in packet \(last + 1)", default: 0] += 1
    }
    for reported in decoded.data {
      let client = decoded.connections[reported.connection]?.client ?? ""
      let type = reported.body[0]?.natural ?? 0
      wanted["\(client) \(reported.direction) \(type) in packet \(reported.packet)", default: 0] -=
        1
    }
    #expect(wanted.filter { $0.value > 0 } == [:])
    // No packet of these was sent twice, so that nothing else can be whole but at the beginning of
    // packets that were cut.
    if damage.harm != .cut { #expect(wanted.filter { $0.value < 0 } == [:]) }
  }
}
