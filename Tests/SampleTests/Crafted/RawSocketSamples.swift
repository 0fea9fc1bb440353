// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let rawSocket = [
    Crafted("rawsocket/rules/input.pcap", rules),
    Crafted("rawsocket/handshake/input.pcap", handshakes),
    Crafted("rawsocket/gaps/input.pcap", gaps),
    Crafted("rawsocket/midstream/input.pcap", midstream),
    Crafted("rawsocket/serializers/input.pcap", rawSocketSerializers),
  ]

  /// PING, PONG, and rules that a single frame breaks.
  private static func rules() -> [UInt8] {
    var talk = Dialogue()
    talk.greet()
    talk.joinRaw()
    talk.raw(.toClient, kind: 1, "beat 1")
    talk.raw(.toServer, kind: 2, "beat 1")
    talk.raw(.toClient, kind: 1, "beat 2")
    talk.raw(.toServer, kind: 2, "BEAT 2")
    talk.raw(.toServer, kind: 2, "")
    talk.raw(.toServer, kind: 0x40, #"[32,1,{},"com.chat.message"]"#)
    talk.raw(.toServer, kind: 5, "of no type that there is")
    talk.raw(.toClient, "[33,1,5862354]")
    talk.raw(.toClient, Dialogue.event(71, String(repeating: "x", count: 500)))
    talk.send(.toClient, Dialogue.rawFrame(0, wire(#"[36,5862354,72,{},[""#, 0xFF, #""]]"#)))
    talk.raw(.toClient, "[36,5862354,73,{}")
    talk.leaveRaw()
    return talk.pcap()
  }

  /// Handshakes that are refused, are not answered, or break a rule.
  private static func handshakes() -> [UInt8] {
    let greetings: [(client: [UInt8], server: [UInt8])] = [
      ([0x7F, 0xF3, 0, 0], [0x7F, 0x10, 0, 0]), ([0x7F, 0x01, 0, 0], [0x7F, 0x20, 0, 0]),
      ([0x7F, 0xF1, 0, 0], wire("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")),
      ([0x7F, 0xF2, 0, 0], [0x7F, 0xF1, 0, 0]), ([0x7F, 0xF1, 0, 1], [0x7F, 0xF1, 0, 0]),
      ([0x7F, 0xF1, 0, 0], []),
    ]
    return Dialogue.pcap(
      greetings.enumerated().map { number, greeting in
        var talk = Dialogue.from(50_000 + UInt16(number))
        talk.connect()
        talk.send(.toServer, greeting.client)
        if !greeting.server.isEmpty { talk.send(.toClient, greeting.server) }
        talk.end()
        return talk
      })
  }

  /// Holes within a message and across several, and one behind which there is nothing to see.
  private static func gaps() -> [UInt8] {
    var talk = Dialogue()
    talk.greet()
    talk.joinRaw()
    let frame = Dialogue.rawFrame(
      0, Array(Dialogue.event(71, String(repeating: "x", count: 300)).utf8))
    talk.send(.toClient, Array(frame[..<100]))
    talk.send(.toClient, Array(frame[100..<200]))
    talk.drop()
    talk.send(.toClient, Array(frame[200...]))
    let frames = (72...75).map { Dialogue.event($0, "message number \($0)") }
      .flatMap { Dialogue.rawFrame(0, Array($0.utf8)) }
    talk.wait(milliseconds: 6000)
    talk.send(.toClient, Array(frames[..<40]))
    talk.send(.toClient, Array(frames[40..<80]))
    talk.drop()
    talk.send(.toClient, Array(frames[80...]))
    talk.raw(.toClient, Dialogue.event(76))
    talk.wait(milliseconds: 6000)
    talk.send(.toServer, Dialogue.rawFrame(0, Array(Dialogue.event(77).utf8)))
    talk.drop()
    talk.send(.toServer, "no frame")
    talk.end()
    return talk.pcap()
  }

  /// The capture begins after the handshakes, and within a message.
  private static func midstream() -> [UInt8] {
    var talk = Dialogue()
    talk.greet()
    talk.joinRaw()
    let frame = Dialogue.rawFrame(0, Array(Dialogue.event(71).utf8))
    talk.send(.toClient, Array(frame[..<20]))
    talk.dropAll()
    talk.send(.toClient, Array(frame[20...]))
    talk.raw(.toClient, kind: 1, "beat")
    talk.raw(.toServer, kind: 2, "beat")
    talk.raw(.toClient, Dialogue.event(72))
    talk.raw(.toServer, #"[48,2,{},"com.user.get",[123]]"#)
    talk.raw(.toClient, #"[50,2,{},[],{"userid":123,"karma":10}]"#)
    talk.leaveRaw()
    return talk.pcap()
  }

  /// A serializer that is reserved.
  private static func rawSocketSerializers() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, [0x7F, 0xF9, 0, 0])
    talk.send(.toClient, [0x7F, 0xF9, 0, 0])
    talk.send(.toServer, Dialogue.rawFrame(0, wire(0xC0, "HELLO chat", 0)))
    talk.end()
    return talk.pcap()
  }
}

extension Dialogue {
  /// TCP's handshake, and those of RawSocket: JSON, 512 bytes to the client.
  fileprivate mutating func greet() {
    connect()
    send(.toServer, [0x7F, 0x01, 0, 0])
    send(.toClient, [0x7F, 0xF1, 0, 0])
  }

  fileprivate mutating func joinRaw() {
    raw(.toServer, #"[1,"chat",{"roles":{"subscriber":{},"caller":{}}}]"#)
    raw(.toClient, #"[2,1002783120652702,{"roles":{"broker":{},"dealer":{}}}]"#)
  }

  fileprivate mutating func leaveRaw() {
    raw(.toServer, #"[6,{},"wamp.close.close_realm"]"#)
    raw(.toClient, #"[6,{},"wamp.close.goodbye_and_out"]"#)
    end()
  }

  /// A frame of RawSocket in a segment of its own.
  fileprivate mutating func raw(_ direction: Direction, kind: UInt8 = 0, _ text: String) {
    send(direction, Self.rawFrame(kind, Array(text.utf8)))
  }

  fileprivate static func rawFrame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    return [kind, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)] + payload
  }
}
