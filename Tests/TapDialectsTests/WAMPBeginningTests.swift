// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Serialized messages that a logger has cut.
@Suite("WAMP that a logger cut") struct WAMPBeginningTests {
  private static let event = wire(0x95, 36, 0xCE, 0, 0x59, 0x73, 0xD2, 7, 0x80, 0x91, 0xA9, "abc")
  private static let words = "60 bytes, of which the log has 14"

  private static func said(_ talk: WAMPConversation, _ octets: [UInt8]) -> String {
    let bytes = octets + Array(words.utf8)
    var delivery = Delivery(Origin(), .withheld)
    delivery.certainBytes = UInt32(octets.count)
    guard let reported = talk.say(bytes, delivery) else { return "nothing" }
    return "\(reported.name) \(String(decoding: reported.bytes, as: Unicode.UTF8.self))"
  }

  @Test(
    "read where the conversation has told its serializer",
    arguments: [
      ("wamp.2.msgpack", #"EVENT [36,5862354,7,{},["abc…"]]"#),
      ("wamp.2.cbor", "BINARY \(words)"), ("wamp.2.json", "BINARY \(words)"),
      ("wamp.2.msgpack.batched", "BINARY \(words)"), ("", "BINARY \(words)"),
    ])
  func negotiated(subprotocol: String, expected: String) {
    let talk = WAMPConversation(subprotocol: subprotocol, isFromStart: false)
    #expect(Self.said(talk, Self.event) == expected)
    #expect(talk.recorder.codes == [])
  }

  @Test("a message before it tells, too") func recognised() {
    let talk = WAMPConversation(subprotocol: "", isFromStart: false)
    talk.say(wire(0x93, 33, 11, 0xCE, 0, 0x59, 0x73, 0xD2))
    #expect(Self.said(talk, Self.event).hasPrefix("EVENT "))
  }

  @Test("UBJSON or BJData: where both read alike, and where a message has told")
  func ubjson() {
    let subscribe = wire("[i", 32, "i", 1, "{}Si", 9, "com")
    let event = wire("[i", 36, "l", 0, 0x59, 0x73, 0xD2, "i", 7, "{}[")
    let talk = WAMPConversation(subprotocol: "wamp.2.ubjson")
    #expect(Self.said(talk, subscribe) == #"SUBSCRIBE [32,1,{},"com…"]"#)
    #expect(Self.said(talk, event) == "BINARY \(Self.words)")
    talk.say(wire("[i", 33, "i", 1, "l", 0, 0x59, 0x73, 0xD2, "]"))
    #expect(Self.said(talk, event) == #"EVENT [36,5862354,7,{},"…"]"#)
  }

  @Test("what HELLO and WELCOME may announce behind the cut is not missed", arguments: [1, 2])
  func announcements(cut: Int) {
    let (roles, rest) = (#""roles":{"caller":{},"broker":{}"#, #","…":"…"}}]"#)
    for isCut in [false, true] {
      let talk = WAMPConversation()
      for (code, start) in [(1, #"[1,"r",{"#), (2, "[2,7,{")] {
        let isThis = isCut && code == cut
        talk.say(
          start + roles + (isThis ? rest : "}}]"), code == 1 ? .toServer : .toClient,
          kind: isThis ? .abridged : .text)
      }
      talk.say(#"[48,1,{},"com.p"]"#, .toServer)
      #expect(talk.recorder.codes.contains("wamp.role-not-announced") == !isCut)
    }
  }

  @Test("what is no beginning of a message is none", arguments: ["9324", "9224", "9525", "a0"])
  func others(octets: String) {
    let digits = Array(octets.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    #expect(
      Self.said(WAMPConversation(subprotocol: "wamp.2.msgpack"), bytes) == "BINARY \(Self.words)")
  }
}
