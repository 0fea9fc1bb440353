// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Packet identifiers. `>` is sent by the client, `<` by the server; behind the type stand the
/// identifier, and a reason code, or the number of filters or codes.
@Suite("Exchanges of MQTT") struct MQTTExchangeRulesTests {
  private static let types: [Substring: (MQTTType, MQTTExchangeRules.Step?, UInt8)] = [
    "PUBLISH1": (.publish, .puback, 1), "PUBLISH2": (.publish, .pubrec, 2),
    "AGAIN1": (.publish, .puback, 1 | 4), "AGAIN2": (.publish, .pubrec, 2 | 4),
    "ASKAGAIN": (.subscribe, .suback, 1 | 4), "SUBSCRIBE": (.subscribe, .suback, 1),
    "UNSUBSCRIBE": (.unsubscribe, .unsuback, 1), "PUBACK": (.puback, nil, 0),
    "PUBREC": (.pubrec, nil, 0), "PUBREL": (.pubrel, nil, 1), "PUBCOMP": (.pubcomp, nil, 0),
    "SUBACK": (.suback, nil, 0), "UNSUBACK": (.unsuback, nil, 0), "PINGREQ": (.pingreq, nil, 0),
  ]

  /// The findings until the connection was closed, an hour later.
  private func findings(
    _ lines: [String], taken: Int = .max, limits: Limits = Limits(),
    _ begun: MQTTSessionContext = mqttContext()
  ) -> [String] {
    var (rules, context) = (MQTTExchangeRules(limits: limits), begun)
    let recorder = Recorder()
    for line in lines {
      let words = line.split(separator: " ")
      let origin = mqttOrigin(words[0] == ">" ? .toServer : .toClient)
      let (type, step, flags) = Self.types[words[1]]!
      var packet = MQTTPacket(
        type, id: words.count > 2 ? UInt16(words[2]) : nil, qos: flags, level: begun.level)
      let number = words.count > 3 ? Int(words[3])! : 0
      rules.reconsider(packet, origin, recorder)
      if let step {
        rules.open(packet, step, filters: number, taken: taken, origin, &context, recorder)
      } else if type == .suback || type == .unsuback {
        packet.codes = .init(0, number)
        _ = rules.answer(type, toFilters: packet, origin, context, recorder)
      } else if type != .pingreq {
        packet.reason = UInt8(number)
        rules.answer(type, packet, origin, context, recorder)
      }
    }
    rules.reportPending(recorder)
    rules.reportOpen(
      isEnd: false, isNote: false, mqttOrigin(.unknown, second: 3600), context, recorder)
    return recorder.mqttFindings
  }

  @Test(
    "an identifier that is used again may be that of a lost PUBLISH",
    arguments: [
      ([7, 7], .toServer, true), ([7, 7], .toClient, false), ([7, 8], .toServer, false),
      ([1, 2, 3, 1], .toServer, true), ([7, 7], .unknown, false),
    ] as [([UInt16], Direction, Bool)])
  func reuse(ids: [UInt16], lost: Direction, isDoubtful: Bool) {
    var (rules, context) = (MQTTExchangeRules(limits: Limits()), mqttContext())
    let recorder = Recorder()
    for (place, id) in ids.enumerated() {
      let packet = MQTTPacket(.publish, id: id, qos: 1)
      rules.open(packet, .puback, mqttOrigin(.toServer), &context, recorder)
      if place == ids.count - 1 { break }
      rules.answer(.puback, MQTTPacket(.puback, id: id), mqttOrigin(.toClient), context, recorder)
    }
    if lost != .unknown { rules.miss(lost) }
    #expect(rules.isDoubtful(MQTTPacket(.puback, id: ids.last), .toClient) == isDoubtful)
  }

  @Test(
    "exchanges that end say nothing",
    arguments: [
      ["> PUBLISH1 7", "< PUBACK 7"],
      ["< PUBLISH2 7", "> PUBREC 7", "< PUBREL 7", "> PUBCOMP 7"],
      // Each side has identifiers of its own.
      ["> PUBLISH1 7", "< PUBLISH1 7", "< PUBACK 7", "> PUBACK 7"],
      ["> PUBLISH1 7", "> AGAIN1 7", "< PUBACK 7"],
      ["> PUBLISH1 7", "< PUBACK 7", "> PUBLISH1 7", "< PUBACK 7"],
      ["> SUBSCRIBE 7 2", "< SUBACK 7 2", "> UNSUBSCRIBE 8 1", "< UNSUBACK 8 1"],
      // A PUBREC that refuses ends it.
      ["> PUBLISH2 7", "< PUBREC 7 146"],
    ])
  func inOrder(lines: [String]) { #expect(findings(lines) == []) }

  @Test(
    "what is broken",
    arguments: [
      (["> PUBLISH1 7"], ["warning ack-missing"]),
      // It is of a session before this one, and is answered all the same.
      (["> PUBREL 7", "< PUBCOMP 7"], ["warning ack-unknown"]),
      (["> PUBREL 7"], ["warning ack-unknown", "warning exchange-unfinished"]),
      (["> PUBLISH2 7"], ["warning ack-missing"]),
      (["> PUBLISH2 7", "< PUBREC 7"], ["warning exchange-unfinished"]),
      (["> PUBLISH2 7", "< PUBREC 7", "> PUBREL 7"], ["warning exchange-unfinished"]),
      (["> SUBSCRIBE 7 1"], ["warning ack-missing"]),
      (["> UNSUBSCRIBE 7 1"], ["warning ack-missing"]),
      (["> PUBLISH1 7", "> PUBLISH1 7", "< PUBACK 7"], ["error id-in-use"]),
      (["> PUBLISH2 7", "< PUBACK 7"], ["warning ack-wrong"]),
      (["> PUBLISH2 7", "< PUBREC 7", "< PUBCOMP 7", "> PINGREQ"], ["warning ack-wrong"]),
      (
        ["> PUBLISH1 7", "< PUBREC 7", "> PUBREL 7", "< PUBCOMP 7"], ["warning ack-wrong"]
      ),
      (["< PUBACK 7", "> PINGREQ"], ["warning ack-unknown"]),
      (["< SUBACK 7 1", "> PINGREQ"], ["warning ack-unknown"]),
      (["> SUBSCRIBE 7 1", "< UNSUBACK 7 1"], ["warning ack-unknown", "warning ack-missing"]),
      (["> SUBSCRIBE 7 2", "< SUBACK 7 1"], ["error suback-length"]),
      (["> PUBLISH1 7", "< PUBACK 7 135"], ["warning ack-failed"]),
      (["> PUBLISH1 7", "< PUBACK 7 16"], ["note no-subscriber"]),
    ])
  func broken(lines: [String], found: [String]) { #expect(findings(lines) == found) }

  /// MQTT 5.0 forbids it.
  @Test(
    "what is sent again on a connection may be answered again",
    arguments: [
      (["> PUBLISH1 7", "> AGAIN1 7", "< PUBACK 7", "< PUBACK 7"], [3, 4], []),
      (
        ["> PUBLISH1 7", "> AGAIN1 7", "< PUBACK 7", "< PUBACK 7", "> PINGREQ"], [5],
        ["warning ack-unknown"]
      ),
      (
        ["> PUBLISH1 7", "> AGAIN1 7", "< PUBACK 7", "< PUBACK 7", "< PUBACK 7", "> PINGREQ"],
        [3, 4], ["warning ack-unknown"]
      ),
      (
        [
          "> PUBLISH2 7", "> AGAIN2 7", "< PUBREC 7", "> PUBREL 7", "< PUBREC 7", "< PUBCOMP 7",
          "> PINGREQ",
        ], [3, 4, 5], []
      ),
      (
        [
          "> PUBLISH2 7", "> AGAIN2 7", "< PUBREC 7", "> PUBREL 7", "< PUBREC 7", "> PUBREL 7",
          "< PUBCOMP 7", "< PUBCOMP 7", "> PINGREQ",
        ], [3, 4], []
      ),
      (
        [
          "> PUBLISH2 7", "> AGAIN2 7", "< PUBREC 7", "> PUBREL 7", "< PUBCOMP 7", "< PUBREC 7",
          "> PUBREL 7", "< PUBCOMP 7", "> PINGREQ",
        ], [3, 4], []
      ),
      (
        [
          "> PUBLISH1 7", "> AGAIN1 7", "< PUBACK 7", "> PUBLISH2 7", "< PUBACK 7", "< PUBREC 7",
          "> PUBREL 7", "< PUBCOMP 7", "> PINGREQ",
        ], [3, 4], []
      ),
      (
        ["> SUBSCRIBE 7 1", "> ASKAGAIN 7 1", "< SUBACK 7 1", "< SUBACK 7 1", "> PINGREQ"], [3], []
      ),
      (["> SUBSCRIBE 7 1", "> ASKAGAIN 7 1", "< SUBACK 7 1"], [4], ["error id-in-use"]),
    ] as [([String], [UInt8], [String])])
  func again(lines: [String], levels: [UInt8], found: [String]) {
    for level in levels { #expect(findings(lines, mqttContext(level: level)) == found) }
  }

  @Test("an answer may be reported before what it answers") func late() {
    #expect(findings(["< PUBACK 7", "> PUBLISH1 7", "< PUBACK 7"]) == [])
    #expect(findings(["< PUBACK 7", "> PUBLISH1 8", "< PUBACK 8"]) == ["warning ack-unknown"])
  }

  @Test("more messages than the other side takes are reported once") func receiveMaximum() {
    let answers = (1...4).map { "< PUBACK \($0)" }
    let two = ["> PUBLISH1 1", "> PUBLISH1 2"]
    #expect(findings(two + answers.prefix(2), taken: 2) == [])
    #expect(
      findings(two + ["> PUBLISH1 3", "> PUBLISH1 4"] + answers, taken: 2)
        == ["error over-receive-maximum"])
    // What was answered makes room.
    #expect(findings(two + ["< PUBACK 1", "> PUBLISH1 3"] + answers[1...2], taken: 2) == [])
  }

  @Test("of a connection with holes, or a session of before, no answer is unknown")
  func unknown() {
    var (holes, before) = (mqttContext(), mqttContext())
    (holes.knowsAll, before.goesOn) = (false, true)
    let lines = ["< PUBACK 7", "> PINGREQ"]
    #expect(findings(lines, holes) == [])
    #expect(findings(lines, before) == [])
  }

  @Test("beyond the limit exchanges are forgotten, and nothing is said of them") func bound() {
    var limits = Limits()
    limits.mqttExchanges = 2
    let lines = ["> PUBLISH1 1", "> PUBLISH1 2", "> PUBLISH1 3", "< PUBACK 1", "< PUBACK 3"]
    #expect(findings(lines, limits: limits) == [])
  }
}
