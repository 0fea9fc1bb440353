// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Connections of MQTT whose packets break rules together.
extension Crafted {
  /// Packet identifiers that are used again, unknown or wrong answers, what stays open.
  static func mqttExchanges() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.say(connectV311)
    talk.say(["> 82 0c 00 01 00 03 61 2f 23 02 00 01 62 00", "< 90 04 00 01 01 80"])
    // QoS 1, QoS 2 and their answers; one again with DUP; one identifier twice.
    talk.say(["> 32 08 00 03 61 2f 62 00 02 31", "< 40 02 00 02"])
    talk.say(["> 34 08 00 03 61 2f 62 00 03 32", "> 3c 08 00 03 61 2f 62 00 03 32"])
    talk.say(["< 50 02 00 03", "> 62 02 00 03", "< 70 02 00 03"])
    talk.say(["< 30 06 00 03 61 2f 62 31", "< 30 04 00 01 78 31"])
    talk.say(["> 32 08 00 03 61 2f 62 00 04 33", "> 32 08 00 03 61 2f 62 00 04 34"])
    talk.say(["< 40 02 00 04", "< 40 02 00 09", "> c0 00", "< d0 00"])
    // PUBACK for QoS 2, PUBREC for QoS 1, another number of codes than filters.
    talk.say(["> 34 08 00 03 61 2f 62 00 05 35", "< 40 02 00 05"])
    talk.say(["> 32 08 00 03 61 2f 62 00 06 36", "< 50 02 00 06", "> 62 02 00 06"])
    talk.say(["< 70 02 00 06", "> 82 06 00 07 00 01 63 00", "< 90 04 00 07 00 00"])
    // Nobody answers these.
    talk.say(["> 32 08 00 03 61 2f 62 00 08 37", "> 34 08 00 03 61 2f 62 00 09 38"])
    talk.say(["< 50 02 00 09", "> 62 02 00 09"])
    talk.wait(milliseconds: 4000)
    talk.say(["> e0 00", "> c0 00"])
    talk.end()
    return talk.pcap()
  }

  /// How sessions begin and end.
  static func mqttSessions() -> [UInt8] {
    let refused = mqtt(
      ["> 10 13 00 04 4d 51 54 54 04 c2 00 3c 00 01 72 00 01 75 00 01 70", "< 20 02 00 05"],
      port: 50_002)
    let first = mqtt(["> 30 05 00 01 61 68 69", "> c0 00", "> e0 00"], port: 50_003)
    let twice = mqtt(
      connectV311 + [
        "> 10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 63", "< c0 00", "> d0 00", "< e0 00",
      ],
      port: 50_004)
    let silent = mqtt(["> 10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 73"], port: 50_005)
    let early = mqtt(
      ["> 10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 65", "< d0 00", "< 20 02 00 00", "> e0 00"],
      port: 50_006)
    // A client identifier that another connection takes.
    var old = Dialogue.from(50_007)
    old.connect()
    old.say(["> 10 0e 00 04 4d 51 54 54 05 02 00 3c 00 00 01 74", "< 20 03 00 00 00"])
    var young = Dialogue.from(50_008)
    young.connect()
    young.say(["> 10 0e 00 04 4d 51 54 54 05 02 00 3c 00 00 01 74", "< 20 03 00 00 00"])
    let began = old.packets.count
    old.say(["< e0 0f 8e 0d 1f 00 0a 74 61 6b 65 6e 20 6f 76 65 72"])
    old.endByServer()
    var rest = old
    rest.packets.removeFirst(began)
    old.packets.removeLast(old.packets.count - began)
    var last = Dialogue.from(50_008)
    last.conversation = young.conversation
    last.say(["> e0 00"])
    last.end()
    return Dialogue.pcap(
      [refused, first, twice, silent, early, old, young, rest, last])
  }

  /// Keep alive 2 s: a pause of the client, and one that the server ends, so that the will is due;
  /// then a PINGREQ that nobody answers.
  static func mqttKeepAlive() -> [UInt8] {
    let connect = "> 10 16 00 04 4d 51 54 54 04 06 00 02 00 01 6b 00 01 77 00 04 67 6f 6e 65"
    var slow = Dialogue.from(50_000)
    slow.connect()
    slow.say([connect, "< 20 02 00 00"])
    slow.wait(milliseconds: 3500)
    slow.say(["> c0 00", "< d0 00"])
    slow.wait(milliseconds: 3500)
    slow.endByServer()
    var hanging = Dialogue.from(50_001)
    hanging.clock = slow.clock + 1_000_000_000
    hanging.connect()
    hanging.say(["> 10 0d 00 04 4d 51 54 54 04 02 00 05 00 01 68", "< 20 02 00 00", "> c0 00"])
    hanging.wait(milliseconds: 5000)
    hanging.say(["> c0 00"])
    hanging.wait(milliseconds: 1000)
    hanging.end()
    slow.packets += hanging.packets
    return slow.pcap()
  }

  /// What a server says that it takes, and a client that does not look at it.
  static func mqttLimits() -> [UInt8] {
    let maximums = "< 20 18 00 00 15 21 00 01 22 00 02 24 00 25 00 27 00 00 00 14 28 00 29 00 2a 00"
    return mqttTalks([
      [
        "> 10 0e 00 04 4d 51 54 54 05 02 00 3c 00 00 01 63", maximums,
        "> 32 07 00 01 61 00 01 00 31", "> 32 07 00 01 61 00 02 00 32", "< 40 03 00 01 10",
        "< 40 03 00 02 97", "> 31 05 00 01 61 00 33", "> 30 08 00 01 61 03 23 00 03 34",
        "> 30 1a 00 01 61 00 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35 35",
        "> 82 12 00 03 02 0b 07 00 0a 24 73 68 61 72 65 2f 67 2f 61 01", "< 90 04 00 03 00 9e",
        "> 82 09 00 05 02 0b 07 00 01 23 01", "< 90 04 00 05 00 a2",
        "> a2 06 00 06 00 00 01 78", "< b0 04 00 06 00 87", "> 30 07 00 01 61 02 0b 01 36",
        "< e0 02 9b 00",
      ]
    ])
  }
}

extension Dialogue {
  /// The server ends the connection first.
  mutating func endByServer() {
    capture(conversation.fin(.toClient))
    capture(conversation.fin(.toServer))
    capture(conversation.acknowledge(.toClient))
  }
}
