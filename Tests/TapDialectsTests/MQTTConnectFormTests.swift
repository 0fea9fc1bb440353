// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Streams that begin with a CONNECT that has no name of MQTT, and such that only look like it.
@Suite("A CONNECT by its form") struct MQTTConnectFormTests {
  private func recognise(_ bytes: [UInt8]) -> Bool? {
    MQTTStreamRecogniser(limits: Limits()).recognise(first: bytes.span.bytes, .toServer)
  }

  @Test(
    "its fields tell, and not its name, however it is cut",
    arguments: [
      ("10 14 00 04 4d 51 54 58 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", true),
      ("10 14 00 05 4d 51 54 54 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", true),
      ("10 14 04 00 4d 51 54 54 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", true),
      ("10 12 4d 51 54 54 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", true),
      ("10 14 00 04 4d 51 54 fe 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", true),
      ("10 14 00 04 4d 51 ff fe 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", true),
      ("12 13 00 04 41 42 43 44 05 82 00 3c 00 00 02 61 62 00 02 75 73", true),
      // Another length, a flag without its field, a reserved flag, a version, zeros.
      ("10 13 00 04 41 42 43 44 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 14 00 04 41 42 43 44 04 82 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 14 00 04 41 42 43 44 04 03 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 14 00 04 41 42 43 44 06 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 08 00 00 04 00 00 00 00 00", false),
      // No name, a name that is no text, one letter, no flags, little text.
      ("10 10 00 00 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 0c 00 00 03 00 00 00 00 04 61 62 63 64", false),
      ("10 12 00 02 80 00 04 00 00 00 00 08 75 73 65 72 2d 61 62 63", false),
      ("10 11 00 01 41 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 14 00 04 41 42 43 44 04 00 00 3c 00 08 73 65 6e 73 6f 72 2d 37", false),
      ("10 0c 00 04 41 42 43 44 04 02 00 3c 00 00", false),
      ("10 0a 00 04 41 42 43 44 00 00 00 00", false),
    ])
  func form(_ hex: String, _ isConnect: Bool) {
    let bytes = MQTTPacketTests.bytes(hex)
    #expect(recognise(bytes) == isConnect)
    for count in 1..<bytes.count where isConnect {
      #expect(recognise(Array(bytes.prefix(count))) == nil, "\(count) bytes")
    }
  }

  @Test(
    "in the middle of a stream, another name is no proof",
    arguments: [("58", nil), ("74", nil), ("54", Direction.toServer)] as [(String, Direction?)])
  func midstream(_ letter: String, _ found: Direction?) {
    var recogniser = MQTTStreamRecogniser(limits: Limits())
    let bytes = MQTTPacketTests.bytes(
      "10 14 00 04 4d 51 54 \(letter) 04 02 00 3c 00 08 73 65 6e 73 6f 72 2d 37")
    var delivery = Delivery(Origin(record: 1, flow: 1, direction: .toServer))
    delivery.edges = [.start, .end]
    #expect(recogniser.recognise(midstream: bytes.span.bytes, delivery)?.direction == found)
  }

  @Test("lengths and texts of other protocols are no CONNECT") func others() {
    var state: UInt64 = 3
    func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<200_000 {
      // A type, a length, then texts with lengths, small numbers and zeros; none begins with MQ.
      var content: [UInt8] = []
      while content.count < 6 + below(24) {
        switch below(4) {
        case 0:
          let count = below(9)
          content += [0, UInt8(count)] + (0..<count).map { _ in UInt8(0x61 + below(12)) }
        case 1: content.append(UInt8(below(6)))
        case 2: content += [0, 0, 0, UInt8(below(8))]
        default: content.append(UInt8(below(256)))
        }
      }
      let bytes = [0x10, UInt8(content.count)] + content
      guard recognise(bytes) == true else { continue }
      // Only what can be read as one to its end.
      let fits = MQTTConnectForm.fits(content.span.bytes)
      #expect(fits)
      let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt")
      talk.say(bytes, .toServer)
      let codes = Set(talk.recorder.findings.map(\.code.name))
      let reported = [
        "protocol-name", "client-id", "utf8", "password-in-cleartext", "connect-flags",
      ]
      #expect(codes.isSubset(of: reported.map { "mqtt.\($0)" }))
    }
  }
}
