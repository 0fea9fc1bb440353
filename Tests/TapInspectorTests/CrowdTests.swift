// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTesting
import TapTraffic
import Testing

/// Many connections, each of which stays within its own bounds: what all of them hold together is
/// bounded, too, and what is given up for it is reported.
@Suite("Crowds") struct CrowdTests {
  /// Holes of which each waits for little.
  @Test("out of order in many connections") func holes() {
    var attack = HostileTraffic { $0.reorderedBytes = 100_000 }
    let count = 60
    for number in 0..<count {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.clock += UInt64(number) * 1000
      talk.connect()
      talk.send(.toServer, [UInt8](repeating: 0x61, count: 10))
      talk.drop()
      for _ in 0..<5 { talk.send(.toServer, [UInt8](repeating: 0x61, count: 1400)) }
      attack.show(talk.packets)
    }
    let seen = attack.finish()
    let crowded = seen.lines.filter { $0.contains("in all connections together") }
    let others = seen.lines.filter { $0.contains(" tcp.gap ") && !crowded.contains($0) }
    // Not more than have room waited to the end; those that came first had to go.
    #expect(crowded.count + others.count == count)
    #expect(others.count > 5 && others.count * 5 * 1400 < 100_000, "\(others.count)")
    #expect(seen.summary[.payloadByte] == UInt64(count * 5 * 1400))
  }

  /// Very little in each connection that inflates to very much, in one frame that does not end.
  @Test("bombs that do not end") func bombs() {
    var attack = HostileTraffic { $0.assembledBytes = Allowance(1 << 20) }
    var deflater = Deflater()
    let bomb = deflater.message([UInt8](repeating: 0x61, count: 4 << 20))
    for number in 0..<10 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.open("chat.v1", extensions: "permessage-deflate")
      talk.frame(.toServer, fin: false, rsv: 4, opcode: 1, bomb)
      talk.frame(.toServer, opcode: 0, [])
      talk.text(.toServer, "small")
      attack.show(talk.packets)
    }
    let limits = attack.limits
    let seen = attack.finish()
    #expect(seen.lines.count { $0.contains("leaves no room for a message") } == 10)
    #expect(seen.lines.count { $0.contains("small") } == 10)
    #expect(limits.assembledBytes.rest == 1 << 20)
  }

  /// Each direction that compresses keeps a window for what comes.
  @Test("contexts of many connections") func contexts() {
    var attack = HostileTraffic { $0.deflateContextBytes = Allowance(256 << 10) }
    var random = Seeded(1)
    for number in 0..<20 {
      let window = (0..<40_000).map { _ in UInt8.random(in: 0x20...0x7D, using: &random) }
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.open("chat.v1", extensions: "permessage-deflate")
      talk.compressed(.toServer, "large " + String(decoding: window, as: Unicode.UTF8.self))
      talk.compressed(.toServer, "again")
      talk.text(.toServer, "plain")
      attack.show(talk.packets)
    }
    let limits = attack.limits
    let seen = attack.finish()
    let large = seen.lines.count { $0.contains("TEXT        large ") }
    // What others say plainly is shown all the same.
    #expect(5..<10 ~= large)
    #expect(seen.lines.count { $0.contains("TEXT        again") } == large)
    #expect(seen.lines.count { $0.contains("leaves no room for a message") } == 2 * (20 - large))
    #expect(seen.lines.count { $0.contains("TEXT        plain") } == 20)
    #expect(limits.deflateContextBytes.rest == 256 << 10)
  }

  /// Windows with little in them take little.
  @Test("small contexts of many connections") func smallContexts() {
    var attack = HostileTraffic { $0.deflateContextBytes = Allowance(64 << 10) }
    var talks: [Dialogue] = []
    for number in 0..<50 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.open("chat.v1", extensions: "permessage-deflate")
      talk.compressed(.toServer, "a message of connection \(number)")
      talks.append(talk)
      attack.show(talk.packets)
    }
    // Each goes on in the context that it had.
    for (number, talk) in talks.enumerated() {
      var later = talk
      later.packets = []
      later.compressed(.toServer, "a message of connection \(number), again")
      later.close()
      attack.show(later.packets)
    }
    let seen = attack.finish()
    for number in 0..<50 {
      let text = "TEXT        a message of connection \(number)"
      #expect(seen.lines.count { $0.hasSuffix(text) } == 1)
      #expect(seen.lines.count { $0.hasSuffix(text + ", again") } == 1)
    }
  }

  /// Connections in mid-course that could be many things.
  @Test("searches in many connections") func searches() {
    var attack = HostileTraffic { $0.assembledBytes = Allowance(64 << 10) }
    for number in 0..<20 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.open("chat.v1")
      talk.text(.toServer, "before")
      talk.send(.toServer, [UInt8](repeating: 0x30, count: 100))
      talk.drop()
      for _ in 0..<20 { talk.send(.toServer, [UInt8](repeating: 0x30, count: 1400)) }
      talk.wait(milliseconds: 6000)
      talk.text(.toClient, "after")
      attack.show(talk.packets)
    }
    let limits = attack.limits
    let seen = attack.finish()
    #expect(seen.lines.count { $0.contains(" websocket.framing-lost ") } >= 20)
    #expect(limits.assembledBytes.rest == 64 << 10)
  }

  /// What waits for its rest, and what of it is reported.
  private static let unfinished: [(octets: [UInt8], reported: String)] = [
    (Array("GET /ws HTTP/1.1\r\nX-Y: ".utf8) + filler, "an HTTP head is given up"),
    (preface + [0, 0x3F, 0xFC, 1, 4, 0, 0, 0, 1] + filler, "an HTTP/2 frame is given up"),
    // A whole section, of which the table of fields may keep much.
    (
      preface + [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x82],
      "HTTP/2 fields of the client can no longer be read"
    ),
  ]
  private static let filler = [UInt8](repeating: 0x61, count: 9000)
  private static let preface =
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

  @Test("halves in many connections", arguments: unfinished)
  func halves(_ half: (octets: [UInt8], reported: String)) {
    var attack = HostileTraffic { $0.unfinishedBytes = Allowance(64 << 10) }
    for number in 0..<20 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.connect()
      for start in stride(from: 0, to: half.octets.count, by: 1400) {
        talk.send(.toServer, Array(half.octets[start...].prefix(1400)))
      }
      attack.show(talk.packets)
    }
    let limits = attack.limits
    let seen = attack.finish()
    // Each takes 16 KiB.
    #expect(seen.lines.count { $0.contains(half.reported) } == 16)
    #expect(limits.unfinishedBytes.rest == 64 << 10)
  }

  /// Without their secrets, that they stay closed is all that is reported of them.
  @Test("halves of TLS records") func records() {
    var attack = HostileTraffic { $0.unfinishedBytes = Allowance(64 << 10) }
    for number in 0..<20 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.connect()
      talk.send(.toServer, [0x16, 3, 3, 0x40, 0, 1, 0, 0x3F, 0xFC] + Self.filler)
      attack.show(talk.packets)
      #expect(attack.limits.unfinishedBytes.rest == max(0, 64 - 16 * (number + 1)) << 10)
    }
    let limits = attack.limits
    let seen = attack.finish()
    #expect(seen.summary[.streamTLS] == 20)
    #expect(limits.unfinishedBytes.rest == 64 << 10)
  }
}
