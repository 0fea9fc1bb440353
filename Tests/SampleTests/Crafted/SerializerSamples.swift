// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// WAMP in other serializers than JSON, and in batches.
extension Crafted {
  static let serializers = [
    Crafted("wamp/ser-odd/input.pcap", odd),
    Crafted("wamp/ser-batches/input.pcap", batches),
    Crafted("wamp/ser-unknown/input.pcap", unknown),
    Crafted("wamp/ser-midstream/input.pcap", midstream),
    Crafted("wamp/ser-ambiguous/input.pcap", ambiguous),
    Crafted("wamp/ser-secrets/input.pcap", secrets),
  ]

  /// A session id as the float that JavaScript encoders make of it.
  private static var floatID: [UInt8] {
    let bits = 1_002_783_120_652_702.0.bitPattern
    return [0xCB] + stride(from: 56, through: 0, by: -8).map { UInt8(bits >> $0 & 0xFF) }
  }

  /// What JSON cannot say, and what no serializer can.
  private static func odd() -> [UInt8] {
    var talk = Dialogue()
    talk.open("wamp.2.msgpack")
    let messages: [[UInt8]] = [
      wire(0x93, 1, 0xA4, "chat", 0x81, 0xA5, "roles", 0x81, 0xA6, "caller", 0x80),
      wire(0x93, 2, floatID, 0x81, 0xA5, "roles", 0x81, 0xA6, "dealer", 0x80),
      wire(0x95, 16, 1, 0x80, 0xA5, "com.t", 0x91, 0xCB, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0),
      wire(0x95, 16, 2, 0x80, 0xA5, "com.t", 0x91, 0x82, 1, 0xA1, "a", 2, 0xA1, "b"),
      wire(0x95, 16, 3, 0x80, 0xA5, "com.t", 0x91, 0x82, 0xA1, "a", 1, 0xA1, "a", 2),
      wire(0x95, 16, 4, 0x80, 0xA5, "com.t", 0x92, 0xD6, 0xFF, 0x69, 0x55, 0xB9, 0, 0xD4, 0, 0),
      wire(0x95, 16, 5, 0x80, 0xA5, "com.t", 0x91, 0xA2, 0xC3, 0x28),
      wire(0x95, 16, 6, 0x80, 0xA5, "com.t", 0x91, 0xC4, 3, 1, 2, 3),
      wire(0x93, 33, 1), wire(0x93, 33, 1, 0xC1), wire(0x93, 33, 1, 2, 0), wire(0x81, 0xA1, "a", 1),
      wire(0x92, 33, 1),
    ]
    for (index, message) in messages.enumerated() {
      talk.frame(index & 1 == 0 ? .toServer : .toClient, opcode: 2, message)
    }
    talk.text(.toServer, "[33,1,2]")
    talk.close()
    var other = Dialogue.from(50_001)
    other.open("wamp.2.cbor")
    for message: [UInt8] in [
      wire(0x83, 1, 0x64, "chat", 0xA1, 0x65, "roles", 0xA1, 0x66, "caller", 0xA0),
      wire(
        0x85, 0x10, 1, 0xA0, 0x65, "com.t", 0x83, 0xC1, 0x1A, 0x69, 0x55, 0xB9, 0, 0xF7, 0xC2, 0x49,
        1, 0, 0, 0, 0, 0, 0, 0, 0),
      wire(0x9F, 0x18, 32, 2, 0xBF, 0xFF, 0x7F, 0x63, "com", 0x62, ".t", 0xFF, 0xFF),
      wire(0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x18),
    ] { other.frame(.toServer, opcode: 2, message) }
    other.close()
    return Dialogue.pcap([talk, other])
  }

  private static func batches() -> [UInt8] {
    let publish = #"[16,1,{},"com.t",["one"]]"#
    var json = Dialogue()
    json.open("wamp.2.json.batched")
    json.text(.toServer, #"[1,"chat",{"roles":{"publisher":{}}}]"# + "\u{1E}")
    json.text(.toClient, #"[2,1002783120652702,{"roles":{"broker":{}}}]"# + "\u{1E}")
    json.text(.toServer, publish + "\u{1E}" + publish + "\u{1E}")
    json.text(.toServer, publish + "\u{18}" + publish)
    json.text(.toServer, publish + "\u{1E}\u{1E}")
    json.text(.toServer, "")
    json.text(.toServer, "\(publish)hello\u{1E}")
    json.close()
    var cbor = Dialogue.from(50_001)
    cbor.open("wamp.2.cbor.batched")
    let subscribe = wire(0x84, 0x18, 32, 1, 0xA0, 0x65, "com.t")
    let frames = [
      wire(0, 0, 0, subscribe.count, subscribe, 0, 0, 0, subscribe.count, subscribe),
      wire(0, 0, 0, subscribe.count, subscribe, 0, 0, 0, 200, subscribe),
      wire(0, 0, 0, subscribe.count, subscribe, 0, 0),
      subscribe, wire(0, 0, 0, 0),
    ]
    for frame in frames { cbor.frame(.toServer, opcode: 2, frame) }
    cbor.close()
    return Dialogue.pcap([json, cbor])
  }

  private static func unknown() -> [UInt8] {
    var talk = Dialogue()
    talk.open("wamp.2.bert")
    talk.frame(.toServer, opcode: 2, wire(0x83, 0x68, 3, 0x61, 1, 0x6D, 0, 0, 0, 4, "chat", 0x6A))
    talk.close()
    return talk.pcap()
  }

  /// Nobody says what is spoken: the handshake is missing, or the server chose nothing.
  private static func midstream() -> [UInt8] {
    var late = Dialogue()
    late.open("wamp.2.msgpack")
    late.dropAll()
    let talk: [(Direction, [UInt8])] = [
      (.toClient, wire(0x93, 33, 1, 0xCE, 0, 0x59, 0x73, 0xD2)),
      (
        .toServer,
        wire(0x95, 48, 2, 0x80, 0xAC, "com.user.get", 0x91, 123)
      ),
      (.toClient, wire(0x95, 50, 2, 0x80, 0x90, 0x81, 0xA5, "karma", 10)),
      (.toServer, wire(0x93, 6, 0x80, 0xB6, "wamp.close.close_realm")),
    ]
    for (direction, message) in talk { late.frame(direction, opcode: 2, message) }
    late.close()
    var bare = Dialogue.from(50_001)
    bare.connect()
    bare.request("wamp.2.cbor.batched")
    bare.respond(nil)
    let hello = wire(0x83, 1, 0x64, "chat", 0xA1, 0x65, "roles", 0xA1, 0x66, "caller", 0xA0)
    let welcome = wire(0x83, 2, 0x19, 1, 0xC8, 0xA1, 0x65, "roles", 0xA1, 0x66, "dealer", 0xA0)
    bare.frame(.toServer, opcode: 2, wire(0, 0, 0, hello.count, hello))
    bare.frame(.toClient, opcode: 2, wire(0, 0, 0, welcome.count, welcome))
    bare.close()
    var texts = Dialogue.from(50_002)
    texts.open("wamp.2.json.batched")
    texts.dropAll()
    texts.text(.toClient, "[33,1,5862354]\u{18}")
    texts.text(.toClient, Dialogue.event(71) + "\u{18}" + Dialogue.event(72) + "\u{18}")
    texts.text(.toServer, #"[34,2,5862354]"# + "\u{18}")
    texts.text(.toClient, "[35,2]\u{18}")
    texts.close()
    return Dialogue.pcap([late, bare, texts])
  }

  /// 258 in UBJSON, 513 in BJData.
  private static func ambiguous() -> [UInt8] {
    var talk = Dialogue()
    talk.open("wamp.2.ubjson")
    talk.frame(.toClient, opcode: 2, wire("[U", 36, "I", 1, 2, "U", 7, "{}]"))
    talk.close()
    return talk.pcap()
  }

  private static func secrets() -> [UInt8] {
    var talk = Dialogue()
    talk.open("wamp.2.cbor")
    talk.frame(
      .toClient, opcode: 2, wire(0x83, 4, 0x66, "ticket", 0xA0))
    talk.frame(.toServer, opcode: 2, wire(0x83, 5, 0x69, "secret!!!", 0xA0))
    talk.frame(.toServer, opcode: 2, wire(0x83, 5, 0x69, "secret!!!"))
    talk.close()
    return talk.pcap()
  }
}
