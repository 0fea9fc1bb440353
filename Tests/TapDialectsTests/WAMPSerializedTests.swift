// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

@Suite("WAMP in other serializers, and in batches") struct WAMPSerializedTests {
  private static let subscribed = #"[33,11,5862354]"#
  private static let number = wire(0, 0x59, 0x73, 0xD2)

  static let forms: [(subprotocol: String, octets: [UInt8])] = [
    ("wamp.2.msgpack", wire(0x93, 33, 11, 0xCE, number)),
    ("wamp.2.cbor", wire(0x83, 0x18, 33, 11, 0x1A, number)),
    ("wamp.2.ubjson", wire("[i", 33, "i", 11, "l", number, "]")),
    ("wamp.2.ubjson", wire("[i", 33, "i", 11, "l", Array(number.reversed()), "]")),
    (
      "wamp.2.flatbuffers", FlatBufferNode.message(33, [1: .u64(11), 2: .u64(5_862_354)])
    ),
    ("wamp.2.json.batched", wire(subscribed, 0x1E)),
    ("wamp.2.msgpack.batched", wire(0, 0, 0, 8, 0x93, 33, 11, 0xCE, number)),
    ("wamp.2.cbor.batched", wire(0, 0, 0, 9, 0x83, 0x18, 33, 11, 0x1A, number)),
    ("wamp.2.ubjson.batched", wire(0, 0, 0, 11, "[i", 33, "i", 11, "l", number, "]")),
  ]

  private static func kind(_ subprotocol: String) -> Delivery.Kind {
    subprotocol.contains(".json.") ? .text : .binary
  }

  @Test("one grammar for all of them", arguments: forms)
  func grammar(subprotocol: String, octets: [UInt8]) throws {
    let talk = WAMPConversation(subprotocol: subprotocol)
    let reported = try #require(talk.say(octets, kind: Self.kind(subprotocol)))
    #expect(reported.name == "SUBSCRIBED" && reported.message.dialect.description == "wamp")
    #expect(String(decoding: reported.bytes, as: Unicode.UTF8.self) == Self.subscribed)
    #expect(
      reported.links == ["answers request 11 @32", "names subscription 5862354 @200r"])
    // A transcoder does not say that there is no escape.
    let traits = reported.message.traits.subtracting(.isUnescaped)
    #expect(traits == [.isJSON, .isCompact, .isPlain, .isText])
    #expect(talk.recorder.codes == [])
  }

  @Test("recognised when nobody said so", arguments: forms)
  func recognised(subprotocol: String, octets: [UInt8]) {
    let kind = Self.kind(subprotocol)
    let claim = WAMPDialect().claim(opening(""), octets.span.bytes, kind)
    #expect(claim == .likely)
    let late = WAMPConversation(subprotocol: "", isFromStart: false)
    #expect(late.say(octets, kind: kind)?.name == "SUBSCRIBED")
    #expect(late.say(octets, kind: kind)?.name == "SUBSCRIBED")
    #expect(late.recorder.codes == ["wamp.serializer-recognised"])
    let bare = WAMPConversation(subprotocol: "")
    #expect(bare.say(octets, kind: kind)?.name == "SUBSCRIBED")
    #expect(bare.recorder.codes == ["wamp.subprotocol-missing"])
  }

  @Test("recognised as plain JSON, nothing is said of it") func plain() {
    let late = WAMPConversation(subprotocol: "", isFromStart: false)
    #expect(late.say("[33,1,2]")?.name == "SUBSCRIBED")
    #expect(late.say("[300]")?.name == "UNKNOWN")
    #expect(late.say("\u{1}", kind: .binary)?.name == "BINARY")
    #expect(late.recorder.codes == ["wamp.extension-code", "websocket.frame-opcode-mismatch"])
  }

  @Test("a marker of BJData tells, also after what looked like UBJSON") func bjdataMarker() {
    let talk = WAMPConversation(subprotocol: "wamp.2.ubjson")
    #expect(talk.say(wire("[U", 33, "I", 1, 2, "I", 1, 44, "]"))?.name == "SUBSCRIBED")
    let reported = talk.say(wire("[U", 33, "u", 1, 2, "m", 1, 0, 1, 0, "]"))
    #expect(String(decoding: reported?.bytes ?? [], as: Unicode.UTF8.self) == "[33,513,65537]")
  }

  @Test("bytes that are nothing are withheld, until something is recognised") func unknown() {
    let late = WAMPConversation(subprotocol: "", isFromStart: false)
    #expect(late.say([0xC1])?.shown == ["bulk not decoded \u{FFFD}"])
    #expect(late.say(wire(0x93, 33, 1, 2))?.name == "SUBSCRIBED")
  }

  static let oddities: [(subprotocol: String, octets: [UInt8], names: [String], codes: [String])] =
    [
      ("wamp.2.msgpack", wire(0x93, 33, 1), ["BINARY"], ["wamp.decode-failed"]),
      ("wamp.2.msgpack", wire(), ["BINARY"], ["wamp.decode-failed"]),
      ("wamp.2.flatbuffers", wire(1, 2, 3), ["BINARY"], ["wamp.decode-failed"]),
      ("wamp.2.ubjson", wire("["), ["BINARY"], ["wamp.decode-failed"]),
      ("wamp.2.cbor", wire(0x83, 0x18, 33, 1, 2, 0), ["SUBSCRIBED"], ["wamp.trailing-bytes"]),
      ("wamp.2.cbor", wire(0xA0), ["BINARY"], ["wamp.not-a-list"]),
      ("wamp.2.cbor", wire(0x80), ["UNKNOWN"], ["wamp.empty-list"]),
      ("wamp.2.cbor", wire(0x82, 0x18, 33, 1), ["SUBSCRIBED"], ["wamp.wrong-arity"]),
      (
        "wamp.2.msgpack", wire(0x93, 33, 1, 0xCB, 0x43, 0x0C, 0x80, 0, 0, 0, 0, 0),
        ["SUBSCRIBED"], ["wamp.id-float"]
      ),
      (
        "wamp.2.msgpack", wire(0x94, 50, 1, 0x80, 0x91, 0xCA, 0x7F, 0xC0, 0, 0), ["RESULT"],
        ["wamp.not-strict-json"]
      ),
      (
        "wamp.2.msgpack", wire(0x94, 50, 1, 0x80, 0x92, 0xA1, 0xFF, 0xA1, 0xFF), ["RESULT"],
        ["wamp.invalid-utf8"]
      ),
      (
        "wamp.2.msgpack", wire(0x94, 50, 1, 0x80, 0x91, 0x82, 1, 2, 1, 3), ["RESULT"],
        ["wamp.non-string-key", "wamp.duplicate-key"]
      ),
      (
        "wamp.2.cbor", wire(0x84, 0x18, 50, 1, 0xA0, 0x92) + [UInt8](repeating: 0xF7, count: 18),
        ["RESULT"], ["wamp.beyond-json", "wamp.beyond-json"]
      ),
      (
        "wamp.2.ubjson", wire("[i", 33, "I", 1, 2, "i", 3, "]"), ["SUBSCRIBED"],
        ["wamp.ubjson-ambiguous"]
      ),
      ("wamp.2.json.batched", wire(), ["TEXT"], ["wamp.batch-empty"]),
      (
        "wamp.2.json.batched", wire(0x1E, "[35,1]", 0x1E), ["UNSUBSCRIBED"], ["wamp.batch-empty"]
      ),
      (
        "wamp.2.json.batched", wire("[35,1]", 0x18, "[35,2]"), ["UNSUBSCRIBED", "UNSUBSCRIBED"],
        ["wamp.batch-separator-0x18", "wamp.batch-truncated"]
      ),
      ("wamp.2.json.batched", wire("no", 0x1E), ["TEXT"], ["wamp.decode-failed"]),
      ("wamp.2.msgpack.batched", wire(), ["BINARY"], ["wamp.batch-empty"]),
      (
        "wamp.2.msgpack.batched", wire(0, 0, 0, 3, 0x92, 35, 1, 0, 0, 0, 4, 0x92),
        ["UNSUBSCRIBED", "BINARY"], ["wamp.batch-truncated"]
      ),
      ("wamp.2.msgpack.batched", wire(0, 0, 0, 0), ["BINARY"], ["wamp.batch-empty"]),
      (
        "wamp.2.msgpack.batched", wire(0, 0, 0, 0, 0, 0, 0, 3, 0x92, 35, 1, 0, 0, 0, 1),
        ["UNSUBSCRIBED", "BINARY"], ["wamp.batch-truncated"]
      ),
      (
        "wamp.2.msgpack.batched", wire(0, 0, 0, 3, 0x92, 35, 1, 0, 0),
        ["UNSUBSCRIBED", "BINARY"], ["wamp.batch-truncated"]
      ),
      (
        "wamp.2.msgpack.batched", wire(0, 0, 0, 1, 0xC1, 0, 0, 0, 3, 0x92, 35, 1),
        ["BINARY", "UNSUBSCRIBED"], ["wamp.decode-failed"]
      ),
    ]

  @Test(arguments: oddities)
  func findings(subprotocol: String, octets: [UInt8], names: [String], codes: [String]) {
    let talk = WAMPConversation(subprotocol: subprotocol)
    talk.say(octets, kind: Self.kind(subprotocol))
    #expect(talk.reported.map(\.name) == names)
    #expect(talk.recorder.codes == codes)
    for reported in talk.reported
    where reported.name == "BINARY" && reported.bytes.contains(where: { $0 != 0 }) {
      #expect(reported.notes.map(\.kind) == [.bulk], "what is not understood is withheld")
    }
  }

  @Test func problemsSayWhere() {
    let talk = WAMPConversation(subprotocol: "wamp.2.msgpack.batched")
    talk.say(wire(0, 0, 0, 3, 0x92, 35, 1, 0, 0, 0, 3, 0x92, 35, 0xC1))
    talk.say(wire(0, 0, 0, 4, 0x92, 35, 1, 0))
    #expect(
      talk.recorder.findings.map(\.text) == [
        "not MessagePack: byte 13 is not expected there",
        "1 byte follows the end of the list, which is at byte 7",
      ])
  }

  @Test("text and binary messages are not confused") func opcodes() {
    for subprotocol in ["wamp.2.cbor", "wamp.2.msgpack.batched", "wamp.2.flatbuffers"] {
      let talk = WAMPConversation(subprotocol: subprotocol)
      talk.say("[33,1,2]", kind: .text)
      talk.say("\u{FFFD}", kind: .brokenText)
      #expect(talk.reported.map(\.name) == ["TEXT", "TEXT"])
      #expect(talk.reported.allSatisfy { $0.notes.map(\.kind) == [.bulk] })
      #expect(
        talk.recorder.codes
          == [String](repeating: "websocket.frame-opcode-mismatch", count: 2))
    }
    let json = WAMPConversation(subprotocol: "wamp.2.json.batched")
    json.say("[33,1,2]\u{1E}", kind: .binary)
    #expect(json.reported.map(\.name) == ["BINARY"])
    #expect(json.recorder.codes == ["websocket.frame-opcode-mismatch"])
  }

  @Test("secrets are found in what was made of the bytes") func secrets() {
    let talk = WAMPConversation(subprotocol: "wamp.2.cbor")
    let reported = talk.say(wire(0x83, 5, 0x69, "secret!!!", 0xA0), .toServer)
    #expect(reported?.shown == ["secret signature secret!!!"])
  }

  /// A login behind bytes that were lost or do not belong there may be read as another message, of
  /// which nothing is in its place.
  @Test("what breaks the rules and does not end where it says is withheld") func wrongMessage() {
    let talk = WAMPConversation(subprotocol: "wamp.2.msgpack")
    let broken = wire(0x94, 69, 1, 0x80, 0xA9, "secret!!!")
    let followed = talk.say(broken + [0x80], .toServer)?.shown ?? []
    #expect(followed.last?.hasPrefix("bulk message [69,") == true)
    let whole = talk.say(broken, .toServer)?.shown ?? []
    #expect(!whole.contains { $0.hasPrefix("bulk") })
  }

  @Test("a login in either UBJSON whose end is missing is withheld where nobody says it is WAMP")
  func unknownUBJSON() {
    func mayHold(_ code: [UInt8]) -> Bool {
      let octets = wire("[l", code, "SU", 9, "secret!!!", "{}")
      return WAMPDialect().mayHoldCredentials(octets.span.bytes, Delivery(Origin(), .binary))
    }
    #expect(mayHold([0, 0, 0, 5]) && mayHold([5, 0, 0, 0]))
    #expect(!mayHold([0, 0, 0, 33]) && !mayHold([33, 0, 0, 0]))
  }

  @Test("which UBJSON it is, is found once and kept") func dialect() {
    let talk = WAMPConversation(subprotocol: "wamp.2.ubjson")
    // The same in both, then little-endian, then either.
    talk.say(wire("[i", 35, "i", 1, "]"))
    talk.say(wire("[i", 33, "i", 1, "I", 0, 1, "]"))
    talk.say(wire("[i", 33, "i", 1, "l", 0xD2, 0x73, 0x59, 0, "]"))
    talk.say(wire("[i", 33, "i", 1, "I", 1, 2, "]"))
    #expect(talk.reported.last?.links.last == "names subscription 513 @200r")
    #expect(!talk.recorder.codes.contains("wamp.ubjson-ambiguous"))
  }

  @Test("limits hold for the text that is made") func limits() {
    var limits = Limits()
    (limits.messageBytes, limits.nesting) = (64, 8)
    let talk = WAMPConversation(subprotocol: "wamp.2.cbor", limits: limits)
    talk.say(wire(0x84, 0x18, 50, 1, 0xA0, 0x84) + [UInt8](repeating: 0xF6, count: 4))
    talk.say(wire(0x84, 0x18, 50, 1, 0xA0, 0x98, 20) + [UInt8](repeating: 0xF6, count: 20))
    talk.say([UInt8](repeating: 0x81, count: 9) + [0])
    #expect(talk.reported.map(\.name) == ["RESULT", "BINARY", "BINARY"])
    #expect(talk.recorder.codes == ["wamp.decode-failed", "wamp.decode-failed"])
  }
}
