// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

/// Lines of programs that name packets, and what they are reported as.
@Suite("Logs that name packets of MQTT") struct MQTTLogTests {
  /// What lines report, one line each: `sub → {"mqtt":…}`, `sub | toServer closed`.
  static func reported(_ lines: String) -> [String] {
    var log = MQTTLog(limits: Limits())
    var reported: ContiguousArray<Narration> = []
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false).map {
      Array($0.utf8)
    }
    for line in lines where log.mayReport(line.span.bytes) { _ = log.look(at: line.span.bytes) }
    if !log.isKnown { return ["unknown"] }
    for line in lines where log.waiting != nil || log.mayReport(line.span.bytes) {
      _ = log.read(line.span.bytes, Origin(), &reported)
    }
    log.settle(&reported)
    return reported.map { one in
      switch one.event {
      case .message(let text):
        let arrow = one.origin.direction == .toServer ? "→" : "←"
        return "\(one.connection) \(arrow) \(String(decoding: text, as: Unicode.UTF8.self))"
      case .end(let by, let words):
        return "\(one.connection) | \(by) \(String(decoding: words, as: Unicode.UTF8.self))"
      case .octets(let bytes):
        let arrow = one.origin.direction == .toServer ? "→" : "←"
        return "\(one.connection) \(arrow) \(bytes)"
      case .remark(let words): return String(decoding: words, as: Unicode.UTF8.self)
      case .unread: return "unread"
      case .mixed, .alsoMixed, .abridged: return "mixed"
      }
    }
  }

  /// Whether the layer shows what stands for a packet as one.
  static func isReplayed(_ text: [UInt8]) -> Bool {
    var replay = MQTTReplay(limits: Limits())
    return replay.read(text.span.bytes, level: 0) != nil && replay.packet.type != nil
  }

  /// One that shows whose log it is.
  private static let mosquitto = "Sending CONNACK to x (0, 0)\n"

  /// Lines with the time that mosquitto puts ahead of them.
  private static func timed(_ lines: String) -> String {
    lines.split(separator: "\n").map { "1795217929: \($0)" }.joined(separator: "\n")
  }

  @Test("gmqtt")
  func gmqtt() {
    let handler = "gmqtt.mqtt.handler [MqttPackageHandler] cmd:"
    let lines = [
      "INFO gmqtt.mqtt.protocol [CONNECTION MADE]",
      "DEBUG \(handler) 0x20, packet: b'\\x00\\x00'",
      "DEBUG gmqtt.mqtt.package Sending PUBLISH (q1), 'b'a/two'', ... (21 bytes)",
      "DEBUG gmqtt.mqtt.utils NEW ID: 3",
      "DEBUG \(handler) 0x40, packet: b'\\x00\\x03'",
      "INFO gmqtt.mqtt.package [SEND SUB] 4 [b'b/x', b'c/y']",
      "DEBUG gmqtt.mqtt.utils NEW ID: 6",
      "INFO gmqtt.mqtt.package [SEND UNSUB] ['a/#']",
      "INFO gmqtt.mqtt.protocol [CONN CLOSE NORMALLY]",
      "DEBUG \(handler) 0xe0, packet: b''",
    ]
    #expect(
      Self.reported(lines.joined(separator: "\n")) == [
        " ← [32, 2, 0, 0]",
        #" → {"mqtt":"PUBLISH","ids":{"packet":3},"body":{"topic":"a/two","qos":1,"#
          + #""payloadBytes":21}}"#,
        " ← [64, 2, 0, 3]",
        #" → {"mqtt":"SUBSCRIBE","ids":{"packet":4},"body":{"subscriptions":["#
          + #"{"topicFilter":"b/x"},{"topicFilter":"c/y"}]}}"#,
        #" → {"mqtt":"UNSUBSCRIBE","ids":{"packet":6},"body":{"topicFilters":["a/#"]}}"#,
        " | unknown ",
      ])
  }

  @Test(
    "mosquitto",
    arguments: [
      (
        "New client connected from 127.0.0.1:56218 as sub-1 (p2, c1, k60).\n"
          + "No will message specified.",
        [
          #"sub-1 → {"mqtt":"CONNECT","body":{"clientId":"sub-1","protocolVersion":4,"#
            + #""cleanStart":true,"keepAlive":60}}"#
        ]
      ),
      (
        "New client connected from 1.2.3.4:5 as a (b (p5, c0, k0, u'o'neil').\n"
          + "Will message specified (4 bytes) (r1, q2).\n\tlast/will",
        [
          #"a (b → {"mqtt":"CONNECT","body":{"clientId":"a (b","protocolVersion":5,"#
            + #""cleanStart":false,"keepAlive":0,"will":{"topic":"last/will","payloadBytes":4,"#
            + #""qos":2,"retain":true},"username":"o'neil"}}"#
        ]
      ),
      (
        "Sending CONNACK to a (1, 0)",
        [#"a ← {"mqtt":"CONNACK","body":{"sessionPresent":true,"reasonCode":0}}"#]
      ),
      (
        "Sending CONNACK to 127.0.0.1 (0, 5)",
        [
          #"127.0.0.1 ← {"mqtt":"CONNACK","body":{"sessionPresent":false,"reasonCode":5}}"#,
          "127.0.0.1 | toClient ",
        ]
      ),
      (
        "Received PUBLISH from my pub (d0, q1, r0, m2, 'a', ... (b', ... (2 bytes))",
        [
          #"my pub → {"mqtt":"PUBLISH","ids":{"packet":2},"body":{"topic":"a', ... (b","qos":1,"#
            + #""retain":false,"dup":false,"payloadBytes":2}}"#
        ]
      ),
      (
        "Sending PUBLISH to s (d1, q0, r1, m0, 'a/b', ... (0 bytes))",
        [
          #"s ← {"mqtt":"PUBLISH","body":{"topic":"a/b","qos":0,"retain":true,"dup":true,"#
            + #""payload":""}}"#
        ]
      ),
      (
        "Denied PUBLISH from s (d0, q2, r0, m7, 'a/b', ... (1 bytes))",
        [
          #"s → {"mqtt":"PUBLISH","ids":{"packet":7},"body":{"topic":"a/b","qos":2,"#
            + #""retain":false,"dup":false,"payloadBytes":1}}"#
        ]
      ),
      (
        "Sending PUBACK to p (m2, rc16)",
        [#"p ← {"mqtt":"PUBACK","ids":{"packet":2},"body":{"reasonCode":16}}"#]
      ),
      (
        "Sending PUBREL to p (m2)\nSending PUBCOMP to p (m3)\n"
          + "Received PUBREC from p (Mid: 4)\nReceived PUBCOMP from p (Mid: 5, RC:0)",
        [
          #"p ← {"mqtt":"PUBREL","ids":{"packet":2},"body":{}}"#,
          #"p ← {"mqtt":"PUBCOMP","ids":{"packet":3},"body":{}}"#,
          #"p → {"mqtt":"PUBREC","ids":{"packet":4},"body":{}}"#,
          #"p → {"mqtt":"PUBCOMP","ids":{"packet":5},"body":{}}"#,
        ]
      ),
      (
        "Received SUBSCRIBE from a b\n\ta/# (QoS 1)\na b 0 a/#\n\tc (QoS 2)\na b 2 c\n"
          + "Sending SUBACK to a b",
        [
          #"a b → {"mqtt":"SUBSCRIBE","body":{"subscriptions":[{"topicFilter":"a/#","qos":1},"#
            + #"{"topicFilter":"c","qos":2}]}}"#,
          #"a b ← {"mqtt":"SUBACK","body":{"reasonCodes":[0,2]}}"#,
        ]
      ),
      (
        "Received SUBSCRIBE from a\n\ta/# (QoS 1)\n\tc (QoS 2)\na 2 c\n"
          + "Sending SUBACK to a",
        [
          #"a → {"mqtt":"SUBSCRIBE","body":{"subscriptions":[{"topicFilter":"a/#","qos":1},"#
            + #"{"topicFilter":"c","qos":2}]}}"#,
          #"a ← {"mqtt":"SUBACK","body":{}}"#,
        ]
      ),
      (
        "Received UNSUBSCRIBE from a\n\ta/#\na a/#\nSending UNSUBACK to a",
        [
          #"a → {"mqtt":"UNSUBSCRIBE","body":{"topicFilters":["a/#"]}}"#,
          #"a ← {"mqtt":"UNSUBACK","body":{}}"#,
        ]
      ),
      (
        "Received PINGREQ from a\nSending PINGRESP to a\nSending DISCONNECT to a (rc130)",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#, #"a ← {"mqtt":"PINGRESP","body":{}}"#,
          #"a ← {"mqtt":"DISCONNECT","body":{"reasonCode":130}}"#,
        ]
      ),
      (
        "Received PINGREQ from a\nClient a has exceeded timeout, disconnecting.",
        [#"a → {"mqtt":"PINGREQ","body":{}}"#, #"a | toClient {"mqtt":"","ended":"timeout"}"#]
      ),
      (
        "Received PINGREQ from a\nClient a [1.2.3.4:5] disconnected: malformed packet.",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#,
          #"a | toClient {"mqtt":"","ended":"malformed packet"}"#,
        ]
      ),
      (
        "Received DISCONNECT from a\nClient a [1.2.3.4:5] disconnected.",
        [#"a → {"mqtt":"DISCONNECT","body":{}}"#, "a | toServer "]
      ),
      (
        "Received PINGREQ from a\nClient a [::1:5] disconnected: bad socket read/write: Lost.",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#, #"a | unknown {"mqtt":"","ended":"Lost."}"#,
        ]
      ),
      (
        "Received PINGREQ from a\nBad socket read/write on client a: The connection was lost.",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#,
          #"a | unknown {"mqtt":"","ended":"The connection was lost"}"#,
        ]
      ),
      (
        "Received PINGREQ from a\nClient a disconnected due to QoS too high or retain not supported.",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#,
          #"a | toClient {"mqtt":"","ended":"QoS too high or retain not supported"}"#,
        ]
      ),
      (
        "Received PINGREQ from a\nClient a been disconnected by administrative action.",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#,
          #"a | toClient {"mqtt":"","ended":"administrative action"}"#,
        ]
      ),
      (
        "Received PINGREQ from a\nSocket error on client a, disconnecting.",
        [
          #"a → {"mqtt":"PINGREQ","body":{}}"#,
          #"a | unknown {"mqtt":"","ended":"socket error"}"#,
        ]
      ),
      ("Client b closed its connection.", []),
    ])
  func mosquitto(lines: String, wanted: [String]) {
    #expect(Array(Self.reported(Self.timed(Self.mosquitto + lines)).dropFirst()) == wanted)
  }

  @Test(
    "one word of a packet shows no program",
    arguments: [
      "PUBLISH", "Received PUBLISH from the queue", "Sending PUBACK to broker",
      "2026-01-01 INFO Received PINGREQ from a",
      "Sending CONNACK to x (0, 0) and more", "resending CONNACK to x (0, 0)",
    ])
  func unknown(line: String) {
    #expect(Self.reported(line) == ["unknown"])
  }

  @Test(
    "what other programs print beside mosquitto is none of its packets",
    arguments: [
      // Java.
      (
        ["1: New client connected from 1.2.3.4:5 as a (p2, c1, k60).", "\tat com.foo.Bar(1)"],
        [
          #"a → {"mqtt":"CONNECT","body":{"clientId":"a","protocolVersion":4,"cleanStart":true,"#
            + #""keepAlive":60}}"#
        ]
      ),
      (
        [
          "1: Sending CONNACK to a (0, 0)", "1: Received UNSUBSCRIBE from a", "\tat com.foo.Bar(1)",
          "1: \tb/#", "a is b",
        ],
        [
          #"a ← {"mqtt":"CONNACK","body":{"sessionPresent":false,"reasonCode":0}}"#,
          #"a → {"mqtt":"UNSUBSCRIBE","body":{"topicFilters":["b/#"]}}"#,
        ]
      ),
      (
        [
          "1: Sending CONNACK to a (0, 0)", "2026-11-26T10:00:00Z INFO Received DISCONNECT from a",
          "INFO [web] Client a disconnected.", "Received PINGREQ from b",
        ],
        [#"a ← {"mqtt":"CONNACK","body":{"sessionPresent":false,"reasonCode":0}}"#]
      ),
    ])
  func others(lines: [String], wanted: [String]) {
    #expect(Self.reported(lines.joined(separator: "\n")) == wanted)
  }

  private static let publish = "mqttjs:client sendPacket :: packet: "

  @Test(
    "an object of which lines are missing tells what came",
    arguments: [
      (
        [publish + "{", "  cmd: 'publish',", "  topic: 'a',", "  payload: 'cut"],
        [#" → {"mqtt":"PUBLISH","body":{"topic":"a"}}"#]
      ),
      (
        [publish + "{", "INFO another line", publish + "{ cmd: 'pingreq' }"],
        [#" → {"mqtt":"PINGREQ","body":{}}"#]
      ),
      (
        [publish + "{", "  cmd: 'puback', messageId: 7, b: 'cut", publish + "{ cmd: 'pingreq' }"],
        [
          #" → {"mqtt":"PUBACK","ids":{"packet":7},"body":{}}"#,
          #" → {"mqtt":"PINGREQ","body":{}}"#,
        ]
      ),
    ])
  func cut(lines: [String], wanted: [String]) {
    #expect(Self.reported(lines.joined(separator: "\n")) == wanted)
  }

  @Test(
    "what stands ahead of all lines is not of an object",
    arguments: ["", "2026-11-20T23:34:50.5Z stdout F ", "  mqttjs:client "])
  func ahead(words: String) {
    let first = words.contains("mqttjs") ? "  " : words
    let lines = [
      first + Self.publish + "{", words + "  cmd: 'puback',", words + "  messageId: 7", words + "}",
    ]
    #expect(
      Self.reported(lines.joined(separator: "\n")) == [
        #" → {"mqtt":"PUBACK","ids":{"packet":7},"body":{}}"#
      ])
  }

  @Test("two clients of MQTT.js in one log are not told apart") func mixed() {
    let name = "mqttjs:client MqttClient :: clientId "
    let lines = [
      name + "a", Self.publish + "{ cmd: 'connect' }", name + "b",
      Self.publish + "{ cmd: 'connect' }",
    ]
    #expect(
      Self.reported(lines.joined(separator: "\n")) == [
        #"a → {"mqtt":"CONNECT","body":{"clientId":"a"}}"#, "mixed",
        #"b → {"mqtt":"CONNECT","body":{"clientId":"b"}}"#,
      ])
  }
}
