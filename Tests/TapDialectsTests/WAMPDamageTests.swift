// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// Hostile and broken messages in each serializer: a finding says at which byte, and what follows
/// is read.
@Suite("WAMP: damage in each serializer") struct WAMPDamageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var subprotocol: String
    var what: String
    var octets: [UInt8]
    /// In the words of the finding.
    var says: String
    var code = "wamp.decode-failed"
    /// UNSUBSCRIBED, to be read behind it.
    var next: [UInt8]
    var testDescription: String { "\(subprotocol): \(what)" }
  }

  private static let huge = [UInt8](repeating: 0xFF, count: 8)

  private static func cases(
    _ name: String, next: [UInt8], deep: ([UInt8], String), claimed: ([UInt8], String),
    invalid: ([UInt8], String), cut: ([UInt8], String)
  ) -> [Case] {
    let isText = name == "json"
    return [
      Case(
        subprotocol: "wamp.2.\(name)", what: "nesting", octets: deep.0, says: deep.1, next: next),
      Case(
        subprotocol: "wamp.2.\(name)", what: "a claimed length", octets: claimed.0,
        says: claimed.1, next: next),
      Case(
        subprotocol: "wamp.2.\(name)", what: "no UTF-8", octets: invalid.0, says: invalid.1,
        code: isText ? "wamp.decode-failed" : "wamp.invalid-utf8", next: next),
      Case(
        subprotocol: "wamp.2.\(name)", what: "a cut", octets: cut.0, says: cut.1, next: next),
    ]
  }

  static let all: [Case] =
    cases(
      "json", next: wire("[35,1]"),
      deep: ([UInt8](repeating: 0x5B, count: 600), "byte 512"),
      // JSON claims no length; an escape claims digits.
      claimed: (wire(#"[35,1,"\u00"]"#), "byte 11"),
      invalid: (wire("[35,", 0xFF, "1]"), "byte 4"), cut: (wire("[35,"), "byte 4"))
    + cases(
      "msgpack", next: wire(0x92, 35, 1),
      deep: ([UInt8](repeating: 0x91, count: 600) + [1], "byte 512"),
      claimed: (wire(0x92, 35, 0xDD, 0xFF, 0xFF, 0xFF, 0xFF), "byte 2"),
      invalid: (wire(0x94, 50, 1, 0x80, 0x91, 0xA2, 0xC3, 0x28), "byte 6"),
      cut: (wire(0x92, 35, 0xCD, 1), "byte 2"))
    + cases(
      "cbor", next: wire(0x82, 0x18, 35, 1),
      deep: ([UInt8](repeating: 0x81, count: 600) + [1], "byte 512"),
      claimed: (wire(0x82, 0x18, 35, 0x9B, huge), "byte 3"),
      invalid: (wire(0x84, 0x18, 50, 1, 0xA0, 0x81, 0x62, 0xC3, 0x28), "byte 7"),
      cut: (wire(0x82, 0x18, 35, 0x19, 1), "byte 3"))
    + cases(
      "ubjson", next: wire("[U", 35, "U", 1, "]"),
      deep: ([UInt8](repeating: 0x5B, count: 600), "byte 512"),
      claimed: (wire("[U", 35, "SL", [UInt8](repeating: 0x7F, count: 8)), "byte 3"),
      invalid: (wire("[U", 50, "U", 1, "{}[SU", 2, 0xC3, 0x28, "]]"), "byte 11"),
      cut: (wire("[U", 35, "I", 1), "byte 3"))
    + [
      Case(
        subprotocol: "wamp.2.ubjson", what: "a length of BJData with 64 bits",
        octets: wire("[m", 35, 0, 0, 0, "SM", huge), says: "byte 6",
        next: wire("[U", 35, "U", 1, "]")),
      Case(
        subprotocol: "wamp.2.flatbuffers", what: "a claimed length",
        octets: FlatBufferNode.message(5, [1: .string("s")]).dropLast(4) + [0xFF, 0xFF],
        says: "claims more", next: FlatBufferNode.message(35, [1: .u64(1)])),
      Case(
        subprotocol: "wamp.2.flatbuffers", what: "a cut",
        octets: Array(FlatBufferNode.message(33, [1: .u64(1), 2: .u64(2)]).dropLast(9)),
        says: "byte", next: FlatBufferNode.message(35, [1: .u64(1)])),
      Case(
        subprotocol: "wamp.2.flatbuffers", what: "nesting in the arguments",
        octets: FlatBufferNode.message(
          50, [1: .u64(1), 2: .octets([UInt8](repeating: 0x81, count: 600) + [1])]),
        says: "cannot be read at byte", code: "wamp.beyond-json",
        next: FlatBufferNode.message(35, [1: .u64(1)])),
    ]

  @Test("a finding says where, and what follows is read", arguments: all)
  func damage(_ one: Case) {
    let talk = WAMPConversation(subprotocol: one.subprotocol, isFromStart: false)
    let kind: Delivery.Kind = one.subprotocol == "wamp.2.json" ? .brokenText : .binary
    talk.say(one.octets, .toClient, kind: kind)
    let found = talk.recorder.findings.first { $0.code.name == one.code }
    #expect(found?.text.contains(one.says) == true)
    let count = talk.recorder.codes.count
    let next = talk.say(one.next, .toClient, kind: kind == .binary ? .binary : .text)
    #expect(next?.name == "UNSUBSCRIBED")
    #expect(talk.recorder.codes.count == count)
  }
}
