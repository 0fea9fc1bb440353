// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Single packets, field by field: what they are reported as, and what is wrong with them.
@Suite("Packets of MQTT") struct MQTTPacketTests {
  /// Packets as hexadecimal, reported on a connection of this level.
  private func reported(
    _ hex: String, level: UInt8 = 4, _ direction: Direction = .toServer,
    limits: Limits = Limits()
  ) -> (body: String, ids: [String], codes: [String]) {
    let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt", limits: limits)
    let connect = hex.hasPrefix("f") && level == 5 ? 3 : Int(level) - 3
    talk.say(Self.bytes(Self.connects[connect]), .toServer)
    let accepted = level == 5 ? "20 03 00 00 00" : "20 02 00 00"
    if !hex.hasPrefix("2") { talk.say(Self.bytes(accepted), .toClient) }
    let before = (talk.reported.count, talk.recorder.findings.count)
    talk.say(Self.bytes(hex), direction)
    let last = talk.reported.count > before.0 ? talk.reported.last : nil
    return (
      last.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } ?? "", last?.links ?? [],
      talk.recorder.findings.dropFirst(before.1).filter { $0.severity > .note }
        .map(\.code.name).filter { $0 != "mqtt.delivery-unmatched" }
    )
  }

  private static let connects = [
    "10 0f 00 06 4d 51 49 73 64 70 03 02 00 3c 00 01 63",
    "10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 63",
    "10 0e 00 04 4d 51 54 54 05 02 00 3c 00 00 01 63",
    // AUTH needs a method in CONNECT.
    "10 16 00 04 4d 51 54 54 05 02 00 3c 08 15 00 05 50 4c 41 49 4e 00 01 63",
  ]

  static func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").map { UInt8($0, radix: 16)! }
  }

  @Test(
    "bodies",
    arguments: [
      ("20 02 00 00", 4, Direction.toClient, #"{"sessionPresent":false,"reasonCode":0}"#),
      (
        "20 09 00 00 06 22 00 0a 21 00 14", 5, .toClient,
        #"{"sessionPresent":false,"reasonCode":0,"properties":{"topicAliasMaximum":10,"#
          + #""receiveMaximum":20}}"#
      ),
      (
        "30 07 00 03 61 2f 62 68 69", 4, .toServer,
        #"{"topic":"a/b","qos":0,"retain":false,"dup":false,"payload":"hi"}"#
      ),
      (
        "3d 08 00 01 61 00 0a 00 ff fe", 4, .toServer,
        #"{"topic":"a","qos":2,"retain":true,"dup":true,"payload":{"base64":"AP/+"}}"#
      ),
      (
        "30 07 00 01 61 7b 22 7d 22", 4, .toServer,
        #"{"topic":"a","qos":0,"retain":false,"dup":false,"payload":"{\"}\""}"#
      ),
      (
        "30 0f 00 01 61 0b 26 00 01 6b 00 01 76 01 01 0b 07", 5, .toClient,
        #"{"topic":"a","qos":0,"retain":false,"dup":false,"properties":"#
          + #"{"payloadFormatIndicator":1,"subscriptionIdentifier":7,"#
          + #""userProperties":[["k","v"]]},"payload":""}"#
      ),
      ("40 02 00 07", 4, .toClient, "{}"), ("40 02 00 07", 5, .toClient, #"{"reasonCode":0}"#),
      ("40 03 00 07 10", 5, .toClient, #"{"reasonCode":16}"#),
      (
        "50 09 00 07 80 05 1f 00 02 6e 6f", 5, .toClient,
        #"{"reasonCode":128,"properties":{"reasonString":"no"}}"#
      ),
      (
        "82 0a 00 01 00 01 61 01 00 01 62 02", 4, .toServer,
        #"{"subscriptions":[{"topicFilter":"a","qos":1},{"topicFilter":"b","qos":2}]}"#
      ),
      (
        "82 09 00 01 02 0b 07 00 01 61 2d", 5, .toServer,
        #"{"properties":{"subscriptionIdentifier":7},"subscriptions":[{"topicFilter":"a","#
          + #""qos":1,"noLocal":true,"retainAsPublished":true,"retainHandling":2}]}"#
      ),
      ("90 04 00 01 01 80", 4, .toClient, #"{"reasonCodes":[1,128]}"#),
      ("90 04 00 01 00 02", 5, .toClient, #"{"properties":{},"reasonCodes":[2]}"#),
      ("a2 05 00 01 00 01 61", 4, .toServer, #"{"topicFilters":["a"]}"#),
      ("b0 02 00 01", 4, .toClient, "{}"),
      ("b0 04 00 01 00 11", 5, .toClient, #"{"properties":{},"reasonCodes":[17]}"#),
      ("c0 00", 4, .toServer, "{}"), ("d0 00", 4, .toClient, "{}"),
      ("e0 00", 4, .toServer, "{}"), ("e0 00", 5, .toServer, #"{"reasonCode":0}"#),
      ("e0 01 04", 5, .toServer, #"{"reasonCode":4}"#),
      (
        "f0 0a 18 08 15 00 05 50 4c 41 49 4e", 5, .toClient,
        #"{"reasonCode":24,"properties":{"authenticationMethod":"PLAIN"}}"#
      ),
    ])
  func body(_ hex: String, _ level: UInt8, _ direction: Direction, _ body: String) {
    let found = reported(hex, level: level, direction)
    #expect(found.body == body)
    #expect(found.codes == [])
  }

  @Test("CONNECT with all there is") func connect() {
    let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt")
    let packet = talk.say(
      Self.bytes(
        "10 2c 00 04 4d 51 54 54 05 f6 00 3c 05 11 00 00 0e 10 00 01 63"
          + " 05 18 00 00 00 0a 00 01 77 00 02 00 ff 00 04 61 6e 6e 61 00 04 70 61 73 73"),
      .toServer)
    #expect(
      packet.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) }
        == #"{"protocolName":"MQTT","protocolVersion":5,"cleanStart":true,"keepAlive":60,"#
        + #""properties":{"sessionExpiryInterval":3600},"clientId":"c","#
        + #""will":{"topic":"w","payload":{"base64":"AP8="},"qos":2,"retain":true,"#
        + #""properties":{"willDelayInterval":10}},"username":"anna","password":"pass"}"#)
    #expect(packet?.shown.contains("secret password pass") == true)
    #expect(talk.recorder.findings.map(\.code.name) == ["mqtt.password-in-cleartext"])
  }

  /// What another decoder refuses, and the findings here.
  @Test(
    "what is wrong",
    arguments: [
      ("40 01 00", 4, "mqtt.length"), ("41 02 00 01", 4, "mqtt.reserved-bits"),
      ("63 02 00 01", 4, "mqtt.reserved-bits"),
      ("80 06 00 01 00 01 61 00", 4, "mqtt.reserved-bits"),
      ("a0 05 00 01 00 01 61", 4, "mqtt.reserved-bits"), ("c1 00", 4, "mqtt.reserved-bits"),
      ("e2 00", 4, "mqtt.reserved-bits"), ("3e 05 00 01 61 00 01", 4, "mqtt.publish-qos3"),
      ("38 03 00 01 61", 4, "mqtt.dup-qos0"), ("30 02 00 00", 4, "mqtt.topic-empty"),
      ("30 03 00 01 23", 4, "mqtt.topic-wildcard"), ("82 02 00 01", 4, "mqtt.filter-list-empty"),
      ("a2 02 00 01", 4, "mqtt.filter-list-empty"),
      ("82 06 00 01 00 01 61 03", 4, "mqtt.reserved-bits"),
      ("82 06 00 01 00 01 61 08", 4, "mqtt.reserved-bits"),
      ("82 07 00 01 00 00 01 61 40", 5, "mqtt.reserved-bits"),
      ("82 07 00 01 00 00 01 61 30", 5, "mqtt.reserved-bits"),
      ("90 03 00 01 03", 4, "mqtt.reason-code"), ("90 02 00 01", 4, "mqtt.suback-length"),
      ("40 03 00 01 55", 5, "mqtt.reason-code"), ("e0 01 55", 5, "mqtt.reason-code"),
      ("f0 01 55", 5, "mqtt.reason-code"), ("f0 00", 4, "mqtt.type-reserved"),
      ("00 00", 4, "mqtt.type-reserved"), ("30 80 80 80 80 01", 4, "mqtt.length"),
      ("30 04 00 01 61 80", 5, "mqtt.length"),
      ("30 06 00 01 61 02 04 00", 5, "mqtt.property-invalid"),
      ("30 08 00 01 61 04 01 00 01 00", 5, "mqtt.property-invalid"),
      ("20 02 02 00", 4, "mqtt.reserved-bits"), ("20 02 00 06", 4, "mqtt.reason-code"),
      ("20 01 00", 4, "mqtt.length"), ("c0 81 00 00", 4, "mqtt.length"),
      ("32 05 00 01 61 00 00", 4, "mqtt.id-zero"), ("32 03 00 01 61", 4, "mqtt.length"),
      ("30 03 00 01 ff", 4, "mqtt.utf8"), ("30 03 00 01 00", 4, "mqtt.utf8"),
    ])
  func fault(_ hex: String, _ level: UInt8, _ code: String) {
    let type = hex.prefix(1)
    let direction: Direction = "29b".contains(type) ? .toClient : .toServer
    #expect(reported(hex, level: level, direction).codes.contains(code), "\(hex)")
  }

  @Test(
    "CONNECT that breaks a rule",
    arguments: [
      ("10 0d 00 04 4d 51 54 58 04 02 00 3c 00 01 63", "mqtt.protocol-name"),
      ("10 0d 00 04 4d 51 54 54 07 02 00 3c 00 01 63", "mqtt.protocol-name"),
      ("10 0d 00 04 4d 51 54 54 04 03 00 3c 00 01 63", "mqtt.reserved-bits"),
      ("10 0d 00 04 4d 51 54 54 04 0a 00 3c 00 01 63", "mqtt.connect-flags"),
      ("10 0d 00 04 4d 51 54 54 04 22 00 3c 00 01 63", "mqtt.connect-flags"),
      ("10 10 00 04 4d 51 54 54 04 42 00 3c 00 01 63 00 01 70", "mqtt.connect-flags"),
      ("10 0c 00 04 4d 51 54 54 04 00 00 3c 00 00", "mqtt.client-id"),
      ("10 0e 00 06 4d 51 49 73 64 70 03 00 00 3c 00 00", "mqtt.client-id"),
      ("10 0d 00 04 4d 51 54 54 04 c2 00 3c 00 01 63", "mqtt.length"),
      ("10 0d 00 04 4d 51 54 54 04 06 00 3c 00 01 63", "mqtt.length"),
      ("10 0a 00 04 4d 51 54 54 04 02 00 3c", "mqtt.length"),
      ("10 05 00 04 4d 51 54", "mqtt.length"),
    ])
  func connectFault(_ hex: String, _ code: String) {
    let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt")
    talk.say(Self.bytes(hex), .toServer)
    #expect(talk.recorder.findings.contains { $0.code.name == code })
  }

  /// MQTT 5.0 table 2-4: each property in each packet.
  @Test("properties where they belong, and where they do not", arguments: MQTTProperty.allCases)
  func property(_ property: MQTTProperty) {
    let values: [UInt8] =
      switch property.entry.form {
      case .bit, .flag: [1]
      case .uint16: [0, 9]
      case .uint32: [0, 0, 0, 9]
      case .variable: [9]
      case .string, .binary: [0, 1, 0x78]
      case .pair: [0, 1, 0x6B, 0, 1, 0x76]
      }
    let bytes = [UInt8(values.count + 1), property.rawValue] + values
    for type in MQTTType.allCases {
      guard let packet = Self.packet(type, bytes) else { continue }
      let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt")
      if type != .connect { talk.say(Self.bytes(Self.connects[2]), .toServer) }
      let before = talk.recorder.findings.count
      // Only a server refers to another.
      let isDown =
        [.connack, .suback, .unsuback, .publish].contains(type)
        || type == .disconnect && property == .serverReference
      talk.say(packet, isDown ? .toClient : .toServer)
      let found = talk.recorder.findings.dropFirst(before).filter {
        $0.code.name == "mqtt.property-invalid" && !$0.text.contains("needs an")
          && !$0.text.contains("must be 0")
      }
      #expect(found.isEmpty == property.entry.places.contains(type), "\(type)")
      let body = talk.reported.last.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } ?? ""
      #expect(body.contains("\"\(property.entry.key)\":"), "\(type)")
    }
  }

  /// A packet of this type with these properties.
  private static func packet(_ type: MQTTType, _ properties: [UInt8]) -> [UInt8]? {
    let content: [UInt8]
    switch type {
    case .connect:
      content = [0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 60] + properties + [0, 1, 0x63]
    case .connack: content = [0, 0] + properties
    case .publish: content = [0, 1, 0x61] + properties
    case .puback, .pubrec, .pubrel, .pubcomp: content = [0, 1, 0] + properties
    case .subscribe: content = [0, 1] + properties + [0, 1, 0x61, 0]
    case .suback, .unsuback: content = [0, 1] + properties + [0]
    case .unsubscribe: content = [0, 1] + properties + [0, 1, 0x61]
    case .disconnect, .auth: content = [0] + properties
    case .pingreq, .pingresp: return nil
    }
    return [type.rawValue << 4 | type.fixedFlags, UInt8(content.count)] + content
  }

  /// MQTT 5.0 table 2-6: each code in each packet.
  @Test("reason codes") func reasonCodes() {
    let types: [MQTTType] = [
      .connack, .puback, .pubrec, .pubrel, .pubcomp, .suback, .unsuback, .disconnect, .auth,
    ]
    for type in types {
      for code in UInt8.min...UInt8.max {
        guard var packet = Self.packet(type, [0]) else { continue }
        let place = type == .connack ? 3 : type == .disconnect || type == .auth ? 2 : 4
        packet[type == .suback || type == .unsuback ? 5 : place] = code
        let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt")
        talk.say(Self.bytes(Self.connects[2]), .toServer)
        let isOfClient = MQTTReason.isOnly(code, from: .toServer, in: type)
        talk.say(packet, isOfClient ? .toServer : .toClient)
        let isUnknown = talk.recorder.findings.contains { $0.code.name == "mqtt.reason-code" }
        let isKnown = MQTTReason.all.contains { $0.code == code && $0.places.contains(type) }
        #expect(isUnknown != isKnown, "\(type) \(code)")
        #expect(talk.reported.last?.bytes.isEmpty == false)
      }
    }
    #expect(Set(MQTTReason.all.map(\.code)).count == 43)
  }

  @Test("packets do not align with messages") func cuts() {
    let all = Self.bytes(
      Self.connects[1] + " c0 00 32 07 00 01 61 00 07 68 69 30 05 00 01 61 68 69 e0 00")
    let whole = bodies([all])
    #expect(whole.count == 5)
    for cut in 1..<all.count {
      #expect(bodies([Array(all[..<cut]), Array(all[cut...])]) == whole)
    }
    #expect(bodies(all.map { [$0] }) == whole)
  }

  private func bodies(_ pieces: [[UInt8]]) -> [String] {
    let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt")
    for piece in pieces { talk.say(piece, .toServer) }
    return talk.reported.map { $0.name + String(decoding: $0.bytes, as: Unicode.UTF8.self) }
  }

  @Test("a packet larger than the limit is passed over") func tooLarge() {
    let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt", limits: Self.small)
    talk.say(Self.bytes(Self.connects[1]), .toServer)
    talk.say([0x30, 0x84, 0x40, 0, 1, 0x61] + [UInt8](repeating: 0x78, count: 4096), .toServer)
    #expect(talk.recorder.findings.map(\.code.name) == ["mqtt.not-read"])
    talk.say([UInt8](repeating: 0x78, count: 4097) + [0xC0, 0], .toServer)
    #expect(talk.reported.map(\.name) == ["CONNECT", "PINGREQ"])
  }

  @Test("more filters than are read") func filters() {
    let talk = WAMPConversation(MQTTDialect(), subprotocol: "mqtt", limits: Self.small)
    talk.say(Self.bytes(Self.connects[1]), .toServer)
    talk.say(Self.bytes("82 0e 00 01 00 01 61 00 00 01 61 00 00 01 61 00"), .toServer)
    #expect(talk.recorder.findings.map(\.code.name) == ["mqtt.too-many-filters"])
  }

  private static var small: Limits {
    var limits = Limits()
    (limits.messageBytes, limits.mqttFilters) = (4096, 2)
    return limits
  }

  /// MQTT 5.0 §4.7, §4.8.
  @Test(
    "filters and topics",
    arguments: [
      ("sport/tennis/player1/#", "sport/tennis/player1", true),
      ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true),
      ("sport/tennis/player1/#", "sport/tennis/player10", false),
      ("sport/+", "sport/", true), ("sport/+", "sport", false), ("sport/+", "sport/x/y", false),
      ("+/+", "/finance", true), ("/+", "/finance", true), ("+", "/finance", false),
      ("+", "finance", true), ("#", "a/b", true), ("#", "$SYS/x", false),
      ("+/monitor/Clients", "$SYS/monitor/Clients", false), ("$SYS/#", "$SYS/broker/uptime", true),
      ("$share/g/a/+", "a/b", true), ("$share/c//finance", "/finance", true), ("a/b", "a/b", true),
      ("a/b", "a/bc", false), ("a/+/c", "a//c", true), ("a/#", "a", true), ("a/#", "ab", false),
    ])
  func matching(_ filter: String, _ topic: String, _ matches: Bool) {
    let (filter, topic) = (Array(filter.utf8), Array(topic.utf8))
    #expect(MQTTTopic.matches(filter.span.bytes, topic.span.bytes) == matches)
    #expect(MQTTTopic.problem(ofFilter: filter.span.bytes) == nil)
  }

  @Test(
    "filters that are none",
    arguments: ["sport/tennis#", "sport/#/ranking", "sport+", "a/+b", "$share/g", "$share//a"])
  func invalid(_ filter: String) {
    #expect(MQTTTopic.problem(ofFilter: Array(filter.utf8).span.bytes) != nil)
  }
}
