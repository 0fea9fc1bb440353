// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Lines of clients of MQTT and of EMQX, and what they are reported as.
@Suite("Programs that name packets of MQTT") struct MQTTLogProgramTests {
  private static let clean = #""cleanStart":true,"keepAlive":60"#

  @Test(
    "paho.mqtt.python",
    arguments: [
      (
        "Sending CONNECT (u1, p1, wr1, wq1, wf1, c1, k60) client_id=b'caf\\xc3\\xa9'",
        [
          #"café → {"mqtt":"CONNECT","body":{"clientId":"café","#
            + #""cleanStart":true,"keepAlive":60,"will":{"qos":1,"retain":true}}}"#
        ]
      ),
      (
        "Sending CONNECT (u0, p0, wr0, wq0, wf0, c1, k60) client_id=b'a' properties=None\n"
          + "Received CONNACK (0, Not authorized) properties=[ReasonString : no, go away]",
        [
          #"a → {"mqtt":"CONNECT","body":{"clientId":"a","protocolVersion":5,\#(clean)}}"#,
          #"a ← {"mqtt":"CONNACK","body":{"sessionPresent":false,"reasonCode":135,"#
            + #""properties":{"reasonString":"no, go away"}}}"#,
          "a | toClient ",
        ]
      ),
      (
        "Sending PUBLISH (d0, q0, r0, m3), 'b'a/y'', ... (2 bytes)\n"
          + "Sending PUBLISH (d0, q1, r1, m4), 'b'a/y'' (NULL payload)\n"
          + "Sending PUBLISH (d1, q1, r0, m5), 'b'a'', properties=[ResponseTopic : r/1, "
          + "CorrelationData : b'\\x00\\xff'], ... (4 bytes)",
        [
          #" → {"mqtt":"PUBLISH","body":{"topic":"a/y","qos":0,"retain":false,"dup":false,"#
            + #""payloadBytes":2}}"#,
          #" → {"mqtt":"PUBLISH","ids":{"packet":4},"body":{"topic":"a/y","qos":1,"#
            + #""retain":true,"dup":false,"payload":""}}"#,
          #" → {"mqtt":"PUBLISH","ids":{"packet":5},"body":{"topic":"a","qos":1,"#
            + #""retain":false,"dup":true,"payloadBytes":4,"properties":{"#
            + #""responseTopic":"r/1","correlationData":{"base64":"AP8="}}}}"#,
        ]
      ),
      (
        "Received PUBLISH (d0, q1, r0, m1), 'a/x', ...  (7 bytes)\nSending PUBACK (Mid: 1)",
        [
          #" ← {"mqtt":"PUBLISH","ids":{"packet":1},"body":{"topic":"a/x","qos":1,"#
            + #""retain":false,"dup":false,"payloadBytes":7}}"#,
          #" → {"mqtt":"PUBACK","ids":{"packet":1},"body":{}}"#,
        ]
      ),
      (
        "Sending SUBSCRIBE (d0, m1) [(b'a/#', 2), (b'b', {QoS=1, noLocal=False})]\n"
          + "Received SUBACK\nSending UNSUBSCRIBE (d0, m3) None [b'a/#', b'zz']",
        [
          #" → {"mqtt":"SUBSCRIBE","ids":{"packet":1},"body":{"subscriptions":["#
            + #"{"topicFilter":"a/#","qos":2},{"topicFilter":"b","qos":1}]}}"#,
          #" ← {"mqtt":"SUBACK","body":{}}"#,
          #" → {"mqtt":"UNSUBSCRIBE","ids":{"packet":3},"body":{"topicFilters":["a/#","zz"]}}"#,
        ]
      ),
    ])
  func pahoPython(lines: String, wanted: [String]) {
    #expect(MQTTLogTests.reported(lines) == wanted)
  }

  @Test("two clients that lines do not tell apart") func mixed() {
    let connect = "Sending CONNECT (u0, p0, wr0, wq0, wf0, c1, k60) client_id=b'"
    let reported = MQTTLogTests.reported(connect + "a'\n" + connect + "b'\nSending PINGREQ")
    #expect(reported.map { $0.prefix(5) } == [#"a → {"#, "mixed", #"b → {"#, #"b → {"#])
  }

  @Test(
    "paho.mqtt.c",
    arguments: [
      (
        "-> CONNECT version 4 clean: 1 (0)",
        #"→ {"mqtt":"CONNECT","body":{"clientId":"my app","protocolVersion":4,"#
          + #""cleanStart":true}}"#
      ),
      ("<- CONNACK rc: 0", #"← {"mqtt":"CONNACK","body":{"reasonCode":0}}"#),
      (
        "-> PUBLISH msgid: 2 qos: 1 retained: 0 rc 0 payload len(2): hi",
        #"→ {"mqtt":"PUBLISH","ids":{"packet":2},"body":{"qos":1,"retain":false,"payload":"hi"}}"#
      ),
      (
        "-> PUBLISH qos: 0 retained: 1 rc: 0 payload len(60): {\"password\":\"h",
        #"→ {"mqtt":"PUBLISH","body":{"qos":0,"retain":true,"payloadBytes":60}}"#
      ),
      (
        "<- PUBLISH msgid: 0 qos: 0 retained: 0 payload len(4): \\x41",
        #"← {"mqtt":"PUBLISH","body":{"qos":0,"retain":false,"payloadBytes":4}}"#
      ),
      ("<- PUBREL msgid 3", #"← {"mqtt":"PUBREL","ids":{"packet":3},"body":{}}"#),
      ("<- PUBCOMP msgid:3", #"← {"mqtt":"PUBCOMP","ids":{"packet":3},"body":{}}"#),
      ("-> SUBSCRIBE msgid: 2 (0)", #"→ {"mqtt":"SUBSCRIBE","ids":{"packet":2},"body":{}}"#),
    ])
  func pahoC(line: String, wanted: String) {
    let known = "20261126 160330.914 3 x <- CONNACK rc: 0\n"
    let reported = MQTTLogTests.reported(known + "20261126 160330.914 3 my app " + line)
    #expect(reported.dropFirst() == ["my app " + wanted])
  }

  @Test("mosquitto's clients") func clients() {
    let reported = MQTTLogTests.reported(
      """
      Client (null) sending CONNECT
      Client (null) received CONNACK (0)
      Client (null) sending SUBSCRIBE (Mid: 1, Topic: a, QoS: 0, Options: 0x00)
      Client (null) sending SUBSCRIBE (Mid: 1, Topic: b, QoS: 1, Options: 0x00)
      Client (null) received SUBACK
      Subscribed (mid: 1): 0, 128
      Client (null) sending DISCONNECT
      """)
    #expect(
      reported == [
        #" → {"mqtt":"CONNECT","body":{}}"#, #" ← {"mqtt":"CONNACK","body":{"reasonCode":0}}"#,
        #" → {"mqtt":"SUBSCRIBE","ids":{"packet":1},"body":{"subscriptions":["#
          + #"{"topicFilter":"a","qos":0},{"topicFilter":"b","qos":1}]}}"#,
        #" ← {"mqtt":"SUBACK","ids":{"packet":1},"body":{"reasonCodes":[0,128]}}"#,
        #" → {"mqtt":"DISCONNECT","body":{}}"#, " | toServer ",
      ])
  }

  @Test(
    "CocoaMQTT",
    arguments: [
      (
        "SEND: CONNECT(id: app, username: nil, password: s3cret, keepAlive : 60, cleansess: true)",
        #"app → {"mqtt":"CONNECT","body":{"clientId":"app",\#(clean),"password":"s3cret"}}"#
      ),
      (
        "RECV: CONNACK(code: Optional(notAuthorized), sp: false)",
        #" ← {"mqtt":"CONNACK","body":{"sessionPresent":false}}"#
      ),
      (
        "SEND: PUBLISH(id: 0, topic: a/x, payload: [104, 105])",
        #" → {"mqtt":"PUBLISH","body":{"topic":"a/x","payload":"hi"}}"#
      ),
      (
        "RECV: PUBLISH(id: 7, topic: a/x, payload: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...])",
        #" ← {"mqtt":"PUBLISH","ids":{"packet":7},"body":{"topic":"a/x"}}"#
      ),
      (
        "SEND: SUBSCRIBE(id: 1, topics: a/#)  SUBSCRIBE(id: 1, topics: b)  ",
        #" → {"mqtt":"SUBSCRIBE","ids":{"packet":1},"body":{"subscriptions":["#
          + #"{"topicFilter":"a/#"},{"topicFilter":"b"}]}}"#
      ),
      ("RECV: UNSUBSACK(id: 2)", #" ← {"mqtt":"UNSUBACK","ids":{"packet":2},"body":{}}"#),
      ("RECV: PONG", #" ← {"mqtt":"PINGRESP","body":{}}"#),
    ])
  func cocoaMQTT(line: String, wanted: String) {
    #expect(MQTTLogTests.reported("CocoaMQTT(debug): " + line) == [wanted])
  }

  @Test(
    "EMQX",
    arguments: [
      (
        "CONNECT(Q0, R0, D0, ClientId=app, ProtoName=MQTT, ProtoVsn=5, CleanStart=true, "
          + "KeepAlive=60, Username=undefined, Password=******)",
        #"{"mqtt":"CONNECT","body":{"clientId":"app","protocolVersion":5,\#(clean)}}"#
      ),
      (
        "PUBLISH(Q0, R1, D0, Topic=t/1, PacketId=undefined, Payload(hex)=00ff)",
        #"{"mqtt":"PUBLISH","body":{"topic":"t/1","qos":0,"retain":true,"dup":false,"#
          + #""payload":{"base64":"AP8="}}}"#
      ),
      (
        "PUBLISH(Q1, R0, D0, Topic=t/1, PacketId=5, Payload(text)=aaaa...(2000 bytes))",
        #"{"mqtt":"PUBLISH","ids":{"packet":5},"body":{"topic":"t/1","qos":1,"#
          + #""retain":false,"dup":false,"payloadBytes":2000}}"#
      ),
      (
        "PUBLISH(Q1, R0, D0, Topic=t/1, PacketId=5, Payload(hidden)=******)",
        #"{"mqtt":"PUBLISH","ids":{"packet":5},"body":{"topic":"t/1","qos":1,"#
          + #""retain":false,"dup":false}}"#
      ),
      (
        "SUBSCRIBE(Q1, R0, D0, PacketId=1 TopicFilters=[a/#(#{nl => 0,qos => 1}), b(#{qos => 2})])",
        #"{"mqtt":"SUBSCRIBE","ids":{"packet":1},"body":{"subscriptions":["#
          + #"{"topicFilter":"a/#","qos":1},{"topicFilter":"b","qos":2}]}}"#
      ),
      (
        "PUBREC(Q0, R0, D0, PacketId=5, ReasonCode=135)",
        #"{"mqtt":"PUBREC","ids":{"packet":5},"body":{"reasonCode":135}}"#
      ),
    ])
  func emqx(packet: String, wanted: String) {
    let trace = "[MQTT] app@127.0.0.1:50000 msg: mqtt_packet_sent, packet: "
    let log =
      "[debug] tag: MQTT, clientid: app, msg: mqtt_packet_received, peername: 127.0.0.1:5, packet: "
    #expect(MQTTLogTests.reported(trace + packet) == ["app ← " + wanted])
    #expect(MQTTLogTests.reported(log + packet) == ["app → " + wanted])
  }

  @Test("MQTT.js tells each packet once") func mqttJS() {
    let reported = MQTTLogTests.reported(
      """
      mqttjs:client MqttClient :: clientId js +0ms
      mqttjs:client sendPacket :: packet: { cmd: 'connect' } +3ms
      mqtt-packet:parser _newPacket: parser emit packet: packet.cmd: connack, packet.payload: \
      null, packet.length: 2
      mqttjs:client _handleConnack
      mqttjs:client sendPacket :: packet: {
        cmd: 'subscribe',
        subscriptions: [ { topic: "o'a/#", qos: 1 }, { topic: 'b', qos: 2 } ],
        messageId: 61127
      }
      mqtt-packet:parser _parseMessageId: packet.messageId 7
      mqtt-packet:parser _newPacket: parser emit packet: packet.cmd: publish, packet.payload: \
      hi, packet.length: 7
      mqtt-packet:parser _parseMessageId: packet.messageId 61127
      mqtt-packet:parser _newPacket: parser emit packet: packet.cmd: suback, packet.payload: \
      null, packet.length: 4
      mqttjs:client _handlePublish: packet Packet { cmd: 'publish', qos: 1, topic: 'a', \
      payload: <Buffer 68 69 ... 30 more bytes>, messageId: 7 }
      mqttjs:client _handleAck :: packet type suback
      mqtt-packet:writeToStream writeString: hunter2
      """)
    #expect(
      reported == [
        #"js → {"mqtt":"CONNECT","body":{"clientId":"js"}}"#,
        #"js ← {"mqtt":"CONNACK","body":{}}"#,
        #"js → {"mqtt":"SUBSCRIBE","ids":{"packet":61127},"body":{"subscriptions":["#
          + #"{"topicFilter":"o'a/#","qos":1},{"topicFilter":"b","qos":2}]}}"#,
        #"js ← {"mqtt":"SUBACK","ids":{"packet":61127},"body":{}}"#,
        #"js ← {"mqtt":"PUBLISH","ids":{"packet":7},"body":{"topic":"a","qos":1,"#
          + #""payloadBytes":32}}"#,
      ])
  }

  @Test("the lower layer of MQTT.js alone") func mqttPacket() {
    let reported = MQTTLogTests.reported(
      """
      mqtt-packet:writeToStream generate: packet.cmd: connect
      mqtt-packet:writeToStream writeString: hunter2
      mqtt-packet:writeToStream generate: packet.cmd: publish
      mqtt-packet:writeToStream publish: packet: { cmd: 'publish', topic: 'a', payload: 'hi', \
      qos: 1, messageId: 5, dup: false }
      mqtt-packet:parser _parseMessageId: packet.messageId 5
      mqtt-packet:parser _newPacket: parser emit packet: packet.cmd: puback, packet.payload: \
      null, packet.length: 2
      mqtt-packet:parser _newPacket: parser emit packet: packet.cmd: publish, packet.payload: \
      {"n":1}, packet.length: 14
      """)
    #expect(
      reported == [
        #" → {"mqtt":"CONNECT","body":{}}"#,
        #" → {"mqtt":"PUBLISH","ids":{"packet":5},"body":{"topic":"a","qos":1,"dup":false,"#
          + #""payload":"hi"}}"#,
        #" ← {"mqtt":"PUBACK","ids":{"packet":5},"body":{}}"#,
        #" ← {"mqtt":"PUBLISH","body":{"payload":"{\"n\":1}"}}"#,
      ])
  }

  @Test("lines that are damaged at random are read or passed over") func damaged() {
    let lines = [
      "New client connected from 1.2.3.4:5 as a (p2, c1, k60, u'b').", "\tw/x",
      "Will message specified (4 bytes) (r1, q2).", "Received SUBSCRIBE from a", "\ta/# (QoS 1)",
      "a 1 a/#", "Sending SUBACK to a", "Client a [1.2.3.4:5] disconnected: malformed packet.",
      "Sending SUBSCRIBE (d0, m1) [(b'a\\xc3\\xa9', 2), (b\"b\", {QoS=1, x})]",
      "Sending PUBLISH (d1, q1, r0, m5), 'b'a'', properties=[ResponseTopic : r/1, "
        + "CorrelationData : b'\\x00'], ... (4 bytes)",
      "1 2 3 app <- CONNACK rc: 0",
      "1 2 3 app -> PUBLISH qos: 0 retained: 0 rc: 0 payload len(1): x",
      "CocoaMQTT(debug): SEND: SUBSCRIBE(id: 1, topics: a)  SUBSCRIBE(id: 1, topics: b)  ",
      "CocoaMQTT(debug): RECV: PUBLISH(id: 7, topic: a, payload: [1, 2, 300, ...])",
      "[MQTT] a@b msg: mqtt_packet_sent, packet: SUBSCRIBE(Q1, R0, D0, PacketId=1 "
        + "TopicFilters=[a/#(#{nl => 0,qos => 1}), b(#{})])",
      "mqttjs:client sendPacket :: packet: { cmd: 'subscribe', subscriptions: [ { topic: 'a', "
        + "qos: 1 } ], payload: <Buffer 68 69 ... 30 more bytes>, will: { topic: \"w\" },",
      "  messageId: 7 }",
    ].map { Array($0.utf8) }
    var random = Seeded(7)
    for _ in 0..<300 {
      var log = MQTTLog(limits: Limits())
      var reported: ContiguousArray<Narration> = []
      for line in lines {
        var damaged = line
        for _ in 0..<Int.random(in: 0..<3, using: &random) where !damaged.isEmpty {
          let place = Int.random(in: 0..<damaged.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
          case 1: damaged.remove(at: place)
          default: damaged.removeLast(damaged.count - place)
          }
        }
        _ = log.look(at: damaged.span.bytes)
        _ = log.read(damaged.span.bytes, Origin(), &reported)
      }
      log.settle(&reported)
      for one in reported {
        guard case .message(let text) = one.event else { continue }
        #expect(MQTTLogTests.isReplayed(text), "\(String(decoding: text, as: Unicode.UTF8.self))")
      }
    }
  }
}
