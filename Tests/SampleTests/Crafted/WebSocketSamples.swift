// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let webSocket = [
    Crafted("websocket/rfc6455/input.pcap", examples),
    Crafted("websocket/rules/input.pcap", rules),
    Crafted("websocket/predictable/input.pcap", predictable),
    Crafted("websocket/fragments/input.pcap", fragments),
    Crafted("websocket/close/input.pcap", closes),
    Crafted("websocket/handshake/input.pcap", handshakes),
    Crafted("websocket/deflate/input.pcap", deflate),
    Crafted("websocket/deflate-broken/input.pcap", brokenDeflate),
    Crafted("websocket/deflate-rules/input.pcap", deflateRules),
    Crafted("websocket/endings/input.pcap", endings),
    Crafted("websocket/too-large/input.pcap.gz", tooLarge),
    Crafted("websocket/silent-peer/input.pcap", silentPeer),
    Crafted("websocket/reconnects/input-storm.pcap", storm),
    Crafted("websocket/reconnects/input-closed.pcap", closedPort),
    Crafted("websocket/reconnects/input-silent.pcap", silentPort),
    Crafted("websocket/reconnects/input-backoff.pcap", StatsSamples.backoff),
  ]

  /// RFC 6455 §5.7.
  private static func examples() -> [UInt8] {
    var talk = Dialogue()
    talk.open(nil)
    talk.text(.toClient, "Hello")
    talk.text(.toServer, "Hello")
    talk.frame(.toClient, fin: false, opcode: 1, wire("Hel"))
    talk.frame(.toClient, opcode: 0, wire("lo"))
    talk.ping(.toClient, "Hello")
    talk.pong(.toServer, "Hello")
    talk.frame(.toClient, opcode: 2, [UInt8](repeating: 0xA5, count: 256))
    talk.frame(.toClient, opcode: 2, [UInt8](repeating: 0x5A, count: 65536 / 32))
    talk.close()
    return talk.pcap()
  }

  /// Rules that a single frame breaks.
  private static func rules() -> [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1")
    talk.text(.toServer, "a frame as it should be")
    talk.frame(.toServer, rsv: 2, opcode: 1, wire("RSV2 is set"))
    talk.frame(.toServer, rsv: 4, opcode: 1, wire("RSV1 is set, but nothing was negotiated"))
    talk.frame(.toServer, opcode: 3, wire("opcode 3"))
    talk.frame(.toServer, opcode: 11, wire("opcode 11"))
    talk.frame(.toServer, opcode: 1, masked: false, wire("not masked"))
    talk.frame(.toClient, opcode: 1, masked: true, wire("masked"))
    talk.frame(.toServer, opcode: 9, [UInt8](repeating: 0x70, count: 126))
    talk.frame(.toServer, fin: false, opcode: 9, wire("in parts"))
    talk.send(
      .toClient, Dialogue.frame(opcode: 1, masked: false, wire("16 bits"), lengthOctets: 2))
    talk.frame(.toClient, opcode: 1, wire("no UTF-8: ", 0xC3, 0x28))
    talk.close()
    // The highest bit of a length: nothing can follow such a frame.
    var endless = Dialogue.from(50_001)
    endless.open("chat.v1")
    endless.send(.toClient, wire(0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 5, "Hello"))
    endless.end()
    return Dialogue.pcap([talk, endless])
  }

  /// A client that takes nothing by chance: its masking keys, and the keys of its handshakes.
  private static func predictable() -> [UInt8] {
    var first = Dialogue()
    first.open("chat.v1")
    for word in ["one", "two", "three", "four", "five"] {
      first.send(
        .toServer,
        Dialogue.frame(opcode: 1, masked: true, wire(word)))
      first.text(.toClient, word)
    }
    first.close()
    var second = Dialogue.from(50_001)
    second.connect()
    second.send(
      .toServer,
      "GET /ws HTTP/1.1\r\nHost: router.example:8080\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: \(Dialogue.key)\r\nSec-WebSocket-Protocol: chat.v1\r\n\r\n")
    second.respond("chat.v1", accept: Dialogue.accept)
    second.text(.toServer, "once more")
    second.close()
    return Dialogue.pcap([first, second])
  }

  /// Fragments that fit together, and some that do not.
  private static func fragments() -> [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1")
    talk.frame(.toServer, fin: false, opcode: 1, wire("in "))
    talk.ping(.toServer, "between")
    talk.frame(.toServer, fin: false, opcode: 0, wire("three "))
    talk.frame(.toServer, opcode: 0, wire("parts"))
    talk.frame(.toClient, opcode: 0, wire("the end of nothing"))
    talk.frame(.toClient, fin: false, opcode: 1, wire("the beginning of nothing"))
    talk.text(.toClient, "another message")
    // A frame whose header and payload lie in three segments.
    let frame = Dialogue.frame(opcode: 1, masked: true, wire("a frame in three segments"))
    talk.send(.toServer, Array(frame[..<1]))
    talk.send(.toServer, Array(frame[1..<9]))
    talk.send(.toServer, Array(frame[9...]))
    talk.close()
    return talk.pcap()
  }

  /// A server that stops to answer PINGs, and a client that has enough of it.
  private static func silentPeer() -> [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1")
    talk.ping(.toServer, "1")
    talk.pong(.toClient, "1")
    talk.text(.toClient, "the last that is heard")
    talk.wait(milliseconds: 10_000)
    talk.ping(.toServer, "2")
    talk.wait(milliseconds: 10_000)
    talk.ping(.toServer, "3")
    talk.wait(milliseconds: 10_000)
    talk.close(.toServer, 1011, "keepalive ping timeout")
    talk.end()
    return talk.pcap()
  }

  /// A server that turns a client away, and a client that comes back at once.
  private static func storm() -> [UInt8] {
    var all = Dialogue()
    for attempt in 0..<8 {
      var talk = Dialogue.from(50_000 + UInt16(attempt))
      talk.clock = all.clock
      talk.open("chat.v1")
      talk.text(.toServer, "let me in")
      talk.close(.toClient, 1008, "not logged in")
      talk.close(.toServer, 1008)
      talk.end()
      all.packets += talk.packets
      all.clock = talk.clock + 100_000_000
    }
    return all.pcap()
  }

  /// A client that finds a closed port again and again.
  private static func closedPort() -> [UInt8] {
    var all = Dialogue()
    for attempt in 0..<8 {
      var talk = Dialogue.from(50_000 + UInt16(attempt))
      talk.clock = all.clock
      talk.capture(talk.conversation.handshake()[0])
      talk.conversation.serverNext = 0
      talk.capture(talk.conversation.rst(.toClient))
      all.packets += talk.packets
      all.clock = talk.clock + 100_000_000
    }
    return all.pcap()
  }

  /// SYNs that nobody answers, sent again after 1, 3 and 7 s as TCP does.
  private static func silentPort() -> [UInt8] {
    var all = Dialogue()
    for attempt in 0..<3 {
      var talk = Dialogue.from(50_000 + UInt16(attempt))
      talk.clock = all.clock
      let syn = talk.conversation.handshake()[0]
      for wait in [0, 1000, 2000, 4000] as [UInt64] {
        talk.wait(milliseconds: wait)
        talk.capture(syn)
      }
      all.packets += talk.packets
      all.clock = talk.clock + 5_000_000_000
    }
    return all.pcap()
  }

  private static func closes() -> [UInt8] {
    var talks: [Dialogue] = []
    func talk(_ say: (inout Dialogue) -> Void) {
      var talk = Dialogue.from(50_000 + UInt16(talks.count))
      talk.open("chat.v1")
      talk.text(.toServer, "hello")
      say(&talk)
      talk.end()
      talks.append(talk)
    }
    talk {
      $0.close(.toClient, 1002, "unknown opcode 3")
      $0.close(.toServer, 1002)
    }
    talk { $0.frame(.toServer, opcode: 8, [3]) }
    talk { $0.close(.toServer, 1006, "I saw no CLOSE") }
    talk { $0.frame(.toServer, opcode: 8, wire(0x03, 0xE8, "bye", 0xFF)) }
    talk {
      $0.close(.toServer)
      $0.text(.toServer, "one more thing")
      $0.close(.toClient)
    }
    talk {
      $0.frame(.toServer, opcode: 8, [])
      $0.frame(.toClient, opcode: 8, [])
    }
    talk { _ in }
    return Dialogue.pcap(talks)
  }

  private static func handshakes() -> [UInt8] {
    var talks: [Dialogue] = []
    func talk(_ asked: (String?, String?), _ answered: (String?, String?)) {
      var talk = Dialogue.from(50_000 + UInt16(talks.count))
      talk.connect()
      talk.request(asked.0, extensions: asked.1)
      talk.respond(answered.0, extensions: answered.1)
      talk.text(.toServer, "hello")
      talk.close()
      talks.append(talk)
    }
    talk(("chat.v1, chat.v2", nil), ("chat.v3", nil))
    talk((nil, nil), (nil, "permessage-deflate"))
    talk((nil, "permessage-bzip2"), (nil, "permessage-bzip2"))
    talk(
      (nil, "permessage-deflate; client_max_window_bits"),
      (nil, "permessage-deflate; server_max_window_bits=16"))
    talk(
      (nil, "permessage-deflate; server_no_context_takeover; server_max_window_bits=10"),
      (nil, "permessage-deflate; server_no_context_takeover; server_max_window_bits=12"))
    return Dialogue.pcap(talks)
  }

  /// RFC 7692 §7.2.3.
  private static func deflate() -> [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1", extensions: "permessage-deflate")
    // One block.
    talk.frame(.toClient, rsv: 4, opcode: 1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
    // The same, of the window.
    talk.frame(.toClient, rsv: 4, opcode: 1, [0xF2, 0x00, 0x11, 0x00, 0x00])
    // In two fragments.
    talk.frame(.toServer, fin: false, rsv: 4, opcode: 1, [0xF2, 0x48, 0xCD])
    talk.frame(.toServer, opcode: 0, [0xC9, 0xC9, 0x07, 0x00])
    // A block without compression.
    talk.frame(.toServer, rsv: 4, opcode: 1, wire(0x00, 0x05, 0x00, 0xFA, 0xFF, "Hello", 0x00))
    // A block with BFINAL set.
    talk.frame(
      .toClient, rsv: 4, opcode: 1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00])
    // Two blocks.
    talk.frame(
      .toServer, rsv: 4, opcode: 1,
      [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00])
    talk.text(.toClient, "not compressed")
    talk.close()
    return talk.pcap()
  }

  private static func brokenDeflate() -> [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1", extensions: "permessage-deflate")
    talk.compressed(.toClient, "as it should be")
    // A block of the type that does not exist.
    talk.frame(.toClient, rsv: 4, opcode: 1, [0x06, 0x48, 0xCD, 0xC9])
    talk.text(.toClient, "not compressed")
    talk.close()
    return talk.pcap()
  }

  /// Senders that do not compress as was agreed on.
  private static func deflateRules() -> [UInt8] {
    var talks: [Dialogue] = []
    func talk(_ extensions: String?, _ say: (inout Dialogue) -> Void) {
      var talk = Dialogue.from(50_000 + UInt16(talks.count))
      talk.open("chat.v1", extensions: extensions)
      say(&talk)
      talk.close()
      talks.append(talk)
    }
    talk("permessage-deflate; server_no_context_takeover") {
      for _ in 0..<3 { $0.compressed(.toClient, "the same words again") }
    }
    talk("permessage-deflate; client_max_window_bits=9") {
      $0.compressed(.toServer, "far away: " + (0..<200).map(String.init).joined(separator: " "))
      $0.compressed(.toServer, "far away: 0 1 2 3 4 5 6 7 8 9 10")
    }
    let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    talk("permessage-deflate") {
      // The tail was not removed; nothing is compressed; and the end was cut off.
      $0.frame(.toClient, rsv: 4, opcode: 1, hello + [0x00, 0x00, 0xFF, 0xFF])
      $0.frame(.toClient, rsv: 4, opcode: 1, [])
      $0.frame(.toClient, rsv: 4, opcode: 1, Array(hello.dropLast()))
    }
    talk(nil) {
      for _ in 0..<2 { $0.compressed(.toClient, "nobody has agreed to this") }
      $0.frame(.toClient, rsv: 4, opcode: 1, wire("and this is not compressed"))
    }
    return Dialogue.pcap(talks)
  }

  /// Peers that do not answer as they should, or do not end.
  private static func endings() -> [UInt8] {
    var silent = Dialogue()
    silent.open("chat.v1")
    silent.text(.toServer, "hello")
    silent.close(.toServer)
    silent.endByServer()
    var other = Dialogue.from(50_001)
    other.clock = silent.clock
    other.open("chat.v1")
    other.ping(.toServer, "1")
    other.pong(.toClient, "one")
    other.wait(milliseconds: 6000)
    other.close()
    var waiting = Dialogue.from(50_002)
    waiting.clock = other.clock
    waiting.open("chat.v1")
    waiting.close(.toServer)
    waiting.close(.toClient)
    waiting.wait(milliseconds: 6000)
    waiting.end()
    silent.packets += other.packets + waiting.packets
    return silent.pcap()
  }

  /// 16 MiB and one byte, that compress well.
  private static func tooLarge() -> [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1", extensions: "permessage-deflate")
    talk.text(.toServer, "before")
    let frame = Dialogue.frame(
      rsv: 4, opcode: 1, masked: false, Deflater.message(repeating: 0x41, count: 16 << 20 | 1))
    for start in stride(from: 0, to: frame.count, by: 60_000) {
      talk.send(.toClient, Array(frame[start..<min(start + 60_000, frame.count)]))
    }
    talk.text(.toClient, "after")
    talk.close()
    return CaptureBuilder.deflatedGzip(talk.pcap())
  }
}
