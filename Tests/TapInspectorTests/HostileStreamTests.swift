// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTesting
import TapTraffic
import Testing

/// Streams that want more of us than they have: memory, time, or a crash.
@Suite("Hostile streams") struct HostileStreamTests {
  private static func reported(_ code: String, _ lines: [String]) -> Int {
    lines.count { $0.contains(" \(code) ") }
  }

  /// Very little that inflates to very much; what it leaves behind is known, or it is said.
  @Test("decompression bomb", arguments: [false, true]) func bomb(isEndless: Bool) {
    var talk = Dialogue()
    talk.open("chat.v1", extensions: "permessage-deflate")
    var deflater = Deflater()
    let zeros = [UInt8](repeating: 0x61, count: 20_000)
    let rounds = isEndless ? 20 : 2
    for round in 0..<rounds {
      talk.frame(
        .toServer, fin: round == rounds - 1, rsv: round == 0 ? 4 : 0, opcode: round == 0 ? 1 : 0,
        deflater.message(zeros) + (round == rounds - 1 ? [] : [0, 0, 0xFF, 0xFF]))
    }
    talk.frame(.toServer, rsv: 4, opcode: 1, deflater.message(Array("aaaaaaaaaaaa".utf8)))
    talk.close()
    let seen = HostileTraffic.read(talk) { $0.messageBytes = 10_000 }
    #expect(Self.reported("websocket.message-too-large", seen.lines) == 1)
    #expect(seen.summary.messages - seen.summary.controlFrames == 1)
    #expect(Self.reported("websocket.context-lost", seen.lines) == (isEndless ? 1 : 0))
  }

  @Test("frames that claim more bytes than there are", arguments: [0x7F, 0x40, 0x00] as [UInt8])
  func claims(first: UInt8) {
    var talk = Dialogue()
    talk.open("chat.v1")
    talk.send(.toServer, [0x82, 0xFF, first, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4])
    for _ in 0..<40 { talk.send(.toServer, [UInt8](repeating: 7, count: 1400)) }
    // A control frame of as many.
    talk.send(.toClient, [0x89, 0x7F, first, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE])
    for _ in 0..<40 { talk.send(.toClient, [UInt8](repeating: 7, count: 1400)) }
    talk.end()
    let seen = HostileTraffic.read(talk) { $0.messageBytes = 10_000 }
    #expect(Self.reported("websocket.message-incomplete", seen.lines) == 2)
    #expect(Self.reported("websocket.bad-control-frame", seen.lines) == 1)
    #expect(seen.summary[.incomplete] > 112_000)
  }

  @Test("tiny fragments without end", arguments: [0, 1]) func fragments(size: Int) {
    var talk = Dialogue()
    talk.open("chat.v1")
    let many = (1...100).flatMap {
      Dialogue.frame(
        fin: false, opcode: 0, masked: true, [UInt8](repeating: 0x61, count: size), number: $0)
    }
    talk.frame(.toServer, fin: false, opcode: 1, [])
    for _ in 0..<500 { talk.send(.toServer, many) }
    talk.frame(.toServer, opcode: 0, Array("!".utf8))
    talk.close()
    let seen = HostileTraffic.read(talk)
    #expect(seen.lines.count { $0.contains("TEXT") } == 1)
    #expect(seen.summary.errors + seen.summary.warnings == 0)
    #expect(seen.summary[.reported] > 500 * many.count)
  }

  /// Messages that never end, in very many connections, each smaller than a message may be.
  @Test("messages without end in many connections") func messages() {
    var attack = HostileTraffic { $0.assembledBytes = Allowance(1 << 20) }
    for number in 0..<8 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.open("chat.v1")
      talk.frame(.toServer, fin: false, opcode: 1, [])
      for _ in 0..<5 {
        talk.frame(.toServer, fin: false, opcode: 0, [UInt8](repeating: 0x61, count: 30_000))
      }
      if number == 7 { talk.frame(.toServer, opcode: 0, []) }
      attack.show(talk.packets)
    }
    // The last has no room, though it came to its end; one that needs none is reported.
    var small = Dialogue(Conversation(clientPort: 51_000))
    small.open("chat.v1")
    small.text(.toServer, "small")
    attack.show(small.packets)
    let limits = attack.limits
    let seen = attack.finish()
    #expect(Self.reported("websocket.message-too-large", seen.lines) == 1)
    #expect(Self.reported("websocket.message-incomplete", seen.lines) == 7)
    #expect(seen.lines.contains { $0.contains("small") })
    #expect(limits.assembledBytes.take(1 << 20))
  }

  /// What may be held is what all connections may hold together, and is given back.
  @Test("streams of which nobody knows what they are") func undecided() {
    var attack = HostileTraffic { $0.undecided = Allowance(100 << 10) }
    for number in 0..<20 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      // In mid-course of what could still become a frame.
      for _ in 0..<30 { talk.send(.toServer, [UInt8](repeating: 0x30, count: 1400)) }
      attack.show(talk.packets)
    }
    let seen = attack.finish()
    #expect(seen.summary[.streamUnread] == 20)
    #expect(seen.summary[.unread] == 20 * 30 * 1400)
    #expect(attack.limits.undecided.take(100 << 10))
  }

  @Test("heads of HTTP without end", arguments: [Direction.toServer, .toClient])
  func heads(direction: Direction) {
    var talk = Dialogue()
    talk.connect()
    if direction == .toClient { talk.request() }
    talk.send(direction, direction == .toServer ? "GET / HTTP/1.1\r\n" : "HTTP/1.1 101 Yes\r\n")
    for _ in 0..<200 { talk.send(direction, "X: " + String(repeating: "y", count: 1000) + "\r\n") }
    talk.end()
    let seen = HostileTraffic.read(talk)
    #expect(Self.reported("http.bad-head", seen.lines) == 1)
    #expect(seen.summary[.http] < 70_000)
  }

  @Test("requests and chunks without end") func requests() {
    var talk = Dialogue()
    talk.connect()
    for _ in 0..<3000 { talk.send(.toServer, "GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    talk.send(.toClient, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<50 { talk.send(.toClient, String(repeating: "f", count: 1400)) }
    talk.end()
    let seen = HostileTraffic.read(talk)
    #expect(seen.summary[.httpRequest] == 3000)
    #expect(seen.summary[.http] == seen.summary[.payloadByte])
  }

  @Test("field sections of HTTP/2 without end") func continuations() {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    talk.send(.toClient, HTTP2Wire.settings)
    talk.send(.toServer, HTTP2Wire.frame(1, flags: 0, stream: 1, []))
    let part = HTTP2Wire.frame(9, stream: 1, [UInt8](repeating: 0, count: 1300))
    for _ in 0..<300 { talk.send(.toServer, part) }
    talk.end()
    let seen = HostileTraffic.read(talk)
    #expect(Self.reported("http2.headers-lost", seen.lines) == 1)
    // The rest does continue the section that was given up.
    #expect(Self.reported("http2.bad-frame", seen.lines) == 0)
    #expect(seen.summary.unreportedFindings == 0)
  }

  /// One large field that is put into the table, and very many references to it (RFC 7541 §7.3).
  @Test("a bomb of HPACK") func fields() {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    talk.send(.toClient, HTTP2Wire.settings)
    // A value of 3000 bytes: 127 and 2873 more, in groups of seven bits.
    let value: [UInt8] = [0x7F, 0xB9, 0x16] + [UInt8](repeating: 0x61, count: 3000)
    let field: [UInt8] = [0x40, 1, 0x61] + value
    talk.send(
      .toServer, HTTP2Wire.frame(1, flags: 5, stream: 1, field))
    let bomb = [UInt8](repeating: 0xBE, count: 16_000)
    talk.send(.toServer, HTTP2Wire.frame(1, flags: 5, stream: 3, bomb))
    talk.send(.toServer, HTTP2Wire.headers(stream: 5, HTTP2Wire.connect("/ws")))
    talk.end()
    let seen = HostileTraffic.read(talk)
    #expect(Self.reported("http2.headers-lost", seen.lines) == 1)
    #expect(seen.summary.connections == 0)
  }

  @Test("requests for WebSocket over HTTP/2 without end") func streams() {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    talk.send(.toClient, HTTP2Wire.settings)
    for stream in 0..<500 {
      let number = UInt32(2 * stream + 1)
      talk.send(.toServer, HTTP2Wire.headers(stream: number, HTTP2Wire.connect("/ws")))
      talk.send(.toServer, HTTP2Wire.data(stream: number, [UInt8](repeating: 1, count: 500)))
    }
    talk.end()
    let seen = HostileTraffic.read(talk) { $0.http2Streams = 20 }
    #expect(Self.reported("http2.too-many-streams", seen.lines) == 1)
    #expect(seen.summary[.unread] == 20 * 500)
  }

  /// Fewer than one connection may have, in many of them.
  @Test("requests for WebSocket in many connections of HTTP/2") func manyStreams() {
    var attack = HostileTraffic { $0.allHTTP2Streams = Allowance(100) }
    for number in 0..<10 {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + number)))
      talk.connect()
      talk.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
      talk.send(.toClient, HTTP2Wire.settings)
      for stream in 0..<20 {
        let number = UInt32(2 * stream + 1)
        talk.send(.toServer, HTTP2Wire.headers(stream: number, HTTP2Wire.connect("/ws")))
        talk.send(.toServer, HTTP2Wire.data(stream: number, [UInt8](repeating: 1, count: 500)))
      }
      attack.show(talk.packets)
    }
    let seen = attack.finish()
    #expect(Self.reported("http2.too-many-streams", seen.lines) == 5)
    #expect(seen.lines.count { $0.contains("all HTTP/2 connections together") } == 5)
    #expect(seen.summary[.unread] == 100 * 500)
  }

  @Test("records and messages of TLS that lie", arguments: [0, 1, 2, 3])
  func records(kind: Int) {
    var talk = Dialogue()
    talk.connect()
    let hello: [UInt8] = [3, 3] + [UInt8](repeating: 1, count: 32)
    switch kind {
    // A record of 65,535 bytes.
    case 0: talk.send(.toServer, [22, 3, 1, 0xFF, 0xFF, 1, 0, 0, 4])
    // A message of 16 MiB.
    case 1: talk.send(.toServer, [22, 3, 1, 0x05, 0x00, 1, 0xFF, 0xFF, 0xFF])
    // Vectors that reach behind the message.
    case 2: talk.send(.toServer, [22, 3, 1, 0, 39, 1, 0, 0, 35] + hello + [0xFF])
    // Extensions that do.
    default:
      talk.send(
        .toServer,
        [22, 3, 1, 0, 49, 1, 0, 0, 45] + hello + [0, 0, 2, 0x13, 1, 1, 0, 0xFF, 0xFF, 0, 0])
    }
    for _ in 0..<200 {
      talk.send(.toServer, [22, 3, 1, 5, 0] + [UInt8](repeating: 0, count: 1280))
    }
    talk.end()
    let seen = HostileTraffic.read(talk)
    #expect(seen.summary[.streamTLS] == 1)
    #expect(seen.summary.messages == 0 && seen.summary.errors == 0)
    #expect(kind != 0 || Self.reported("tls.bad-record", seen.lines) == 1)
  }
}
