// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// CONNECT names the method PLAIN, or none.
@Suite("Authentication in MQTT") struct MQTTAuthenticationRulesTests {
  private func rules(_ method: String, _ context: MQTTSessionContext) -> MQTTAuthenticationRules {
    var rules = MQTTAuthenticationRules()
    let bytes = Array(method.utf8)
    if !method.isEmpty { rules.begin(bytes.span.bytes, context) }
    return rules
  }

  @Test(
    "the method",
    arguments: [
      ("PLAIN", .auth, "PLAIN", 0, 0), ("PLAIN", .auth, "OTHER", 0, 1),
      ("PLAIN", .connack, "PLAIN", 0, 0), ("PLAIN", .connack, "PLAINER", 0, 1),
      // A CONNACK that accepts has it, one that refuses need not.
      ("PLAIN", .connack, "", 0, 1), ("PLAIN", .connack, "", 0x87, 0),
      ("PLAIN", .connack, "OTHER", 0x87, 1), ("PLAIN", .auth, "", 0, 0),
      ("", .auth, "PLAIN", 0, 1), ("", .connack, "PLAIN", 0, 1), ("", .connack, "", 0, 0),
    ] as [(String, MQTTType, String, UInt8, Int)])
  func method(connect: String, type: MQTTType, sent: String, reason: UInt8, count: Int) {
    let (recorder, context) = (Recorder(), mqttContext())
    var packet = MQTTPacket(type)
    packet.reason = reason
    let bytes = Array(sent.utf8)
    if !sent.isEmpty {
      packet.properties.keep(
        MQTTPropertyValue(
          property: .authenticationMethod, number: 0, range: ByteRange(0, bytes.count)))
    }
    rules(connect, context).judge(
      methodOf: packet, bytes.span.bytes, mqttOrigin(.toClient), context, recorder)
    #expect(recorder.mqttFindings == [String](repeating: "error authentication", count: count))
  }

  @Test(
    "until CONNACK the client sends only AUTH and DISCONNECT",
    arguments: [
      (.auth, 0), (.disconnect, 0), (.publish, 1), (.subscribe, 1), (.pingreq, 1),
    ] as [(MQTTType, Int)])
  func early(type: MQTTType, count: Int) {
    let recorder = Recorder()
    var context = mqttContext()
    context.hasConnack = false
    var rules = rules("PLAIN", context)
    #expect(rules.isGoingOn)
    rules.judge(early: MQTTPacket(type), mqttOrigin(.toServer), context, recorder)
    #expect(recorder.mqttFindings == [String](repeating: "error authentication", count: count))
    rules.end()
    #expect(!rules.isGoingOn)
  }
}
