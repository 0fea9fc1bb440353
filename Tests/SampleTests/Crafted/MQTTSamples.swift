// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Packets of MQTT that break rules, and captures that lack bytes.
extension Crafted {
  static let mqtt = [
    Crafted("mqtt/packets-v311/input.pcap", packetsV311),
    Crafted("mqtt/packets-v5/input.pcap", packetsV5),
    Crafted("mqtt/gaps/input.pcap", mqttGaps),
    Crafted("mqtt/midstream/input.pcap", mqttMidstream),
    Crafted("mqtt/websocket-text/input.pcap", mqttText),
    Crafted("mqtt/exchanges/input.pcap", mqttExchanges),
    Crafted("mqtt/sessions/input.pcap", mqttSessions),
    Crafted("mqtt/keep-alive/input.pcap", mqttKeepAlive),
    Crafted("mqtt/limits-v5/input.pcap", mqttLimits),
  ]

  /// CONNECT and CONNACK: clean, keep alive 60, client `c`.
  static let connectV311 = ["> 10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 63", "< 20 02 00 00"]
  static let connectV5 = [
    "> 10 0e 00 04 4d 51 54 54 05 02 00 3c 00 00 01 63", "< 20 03 00 00 00",
  ]
  static let disconnect = ["> e0 00"]

  /// One segment for each line: `> c0 00`.
  static func mqtt(_ lines: [String], port: UInt16 = 50_000) -> Dialogue {
    var talk = Dialogue.from(port)
    talk.connect()
    talk.say(lines)
    talk.end()
    return talk
  }

  static func mqttTalks(_ all: [[String]]) -> [UInt8] {
    Dialogue.pcap(
      all.enumerated().map { number, lines in mqtt(lines, port: 50_000 + UInt16(number)) })
  }

  private static func packetsV311() -> [UInt8] {
    mqttTalks([
      connectV311 + [
        // PUBREL with wrong flags, and its PUBCOMP; id 0; QoS 3; DUP of QoS 0; a wildcard.
        "> 34 07 00 01 61 00 07 68 69", "< 50 02 00 07", "> 60 02 00 07", "< 70 02 00 07",
        "> 32 07 00 01 61 00 00 68 69", "> 36 07 00 01 61 00 09 68 69",
        "> 38 05 00 01 61 68 69", "> 30 07 00 03 61 2f 2b 68 69", "> 30 04 00 00 68 69",
        // UTF-8 that is none, and U+0000.
        "> 30 06 00 02 c3 28 68 69", "> 30 06 00 02 61 00 68 69",
        // Filters: none, empty, with # in the middle, + beside others; QoS 3, reserved bits.
        "> 82 02 00 02", "> 82 05 00 03 00 00 01", "> 82 0a 00 04 00 05 61 2f 23 2f 62 01",
        "> 82 07 00 05 00 02 61 2b 01", "> 82 06 00 06 00 01 61 03",
        "> 82 06 00 07 00 01 61 05", "< 90 03 00 07 05", "> a2 02 00 08", "< 90 02 00 06",
        // Lengths: a topic that is too long, bytes behind the end, more bytes than needed.
        "> 30 04 00 05 61 62", "> c0 01 00", "> 30 85 00 00 01 61 68 69",
        // Types that do not exist, behind which reading goes on.
        "> f0 00", "> 00 02 00 00 c0 00",
      ] + disconnect,
      ["> 10 0d 00 04 4d 51 54 54 06 02 00 3c 00 01 63", "< 20 02 00 01"],
      ["> 10 0d 00 04 4d 51 54 58 04 02 00 3c 00 01 63"],
      ["> 10 0d 00 04 4d 51 54 54 04 03 00 3c 00 01 63", "< 20 02 02 00"],
      // Will flags without a will, a password without a user name, an empty client identifier.
      ["> 10 0d 00 04 4d 51 54 54 04 3a 00 3c 00 01 63"],
      ["> 10 10 00 04 4d 51 54 54 04 42 00 3c 00 01 63 00 01 70", "< 20 02 00 05"],
      ["> 10 0c 00 04 4d 51 54 54 04 00 00 3c 00 00", "< 20 02 00 02"],
      ["> 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00", "< 20 02 00 00"] + disconnect,
      // Flags beside the type, a packet that ends behind the name, and one that ends in it.
      ["> 11 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 63", "< 20 02 00 00"] + disconnect,
      ["> 10 06 00 04 4d 51 54 54"], ["> 10 05 00 06 4d 51 49"],
      // MQTT 3.1 does not use these bits.
      [
        "> 10 0f 00 06 4d 51 49 73 64 70 03 03 00 3c 00 01 63", "< 20 02 02 00",
      ] + disconnect,
    ])
  }

  private static func packetsV5() -> [UInt8] {
    mqttTalks([
      connectV5 + [
        // Properties: unknown, misplaced, twice, out of range; a response topic with a wildcard.
        "> 30 07 00 01 61 02 04 00 78", "> 30 0a 00 01 61 05 11 00 00 00 05 78",
        "> 30 09 00 01 61 04 01 01 01 01 78", "> 30 07 00 01 61 02 01 02 78",
        "> 30 0c 00 01 61 07 08 00 04 72 2f 2b 23 78", "> 30 08 00 01 61 03 23 00 00 78",
        // An alias that is set and used, and one that was never set.
        "> 30 08 00 01 61 03 23 00 01 31", "> 30 07 00 00 03 23 00 01 32",
        "> 30 07 00 00 03 23 00 02 33", "> 30 04 00 00 00 34",
        // Subscriptions: a share without a name, No Local, reserved bits, retain handling 3.
        "> 82 0e 00 02 00 00 08 24 73 68 61 72 65 2f 61 01",
        "> 82 10 00 03 00 00 0a 24 73 68 61 72 65 2f 67 2f 61 05",
        "> 82 07 00 04 00 00 01 61 81", "> 82 07 00 05 00 00 01 61 31",
        // A code that SUBACK does not have; a reason code of another packet.
        "< 90 04 00 05 00 03", "< 40 03 00 09 18", "< e0 01 04",
        // A payload that is not what its properties say.
        "> 30 09 00 01 61 02 01 01 ff fe 00",
        "> 30 1a 00 01 61 13 03 00 10"
          + " 61 70 70 6c 69 63 61 74 69 6f 6e 2f 6a 73 6f 6e 68 69 21",
        // A property length with more bytes than it needs.
        "> 30 06 00 01 61 80 00 78",
        // A response topic that is empty.
        "> 30 08 00 01 61 03 08 00 00 78",
      ] + disconnect,
      [
        // A will whose payload is no UTF-8, and whose response topic has a wildcard.
        "> 10 1b 00 04 4d 51 54 54 05 06 00 3c 00 00 01 63 06 01 01 08 00 01 23 00 01 77 00 01 ff",
        // AUTH without a method, and with a code that a client may not send; what a server alone
        // may say in DISCONNECT.
        "< 20 03 00 00 00", "< f0 00", "> f0 06 00 04 15 00 01 6d", "> e0 06 8b 04 1c 00 01 61",
      ],
      // A server may not set the expiry of a session.
      connectV5 + ["< e0 07 00 05 11 00 00 00 01"],
    ])
  }

  /// Holes in a packet and between packets, and an end inside of one.
  private static func mqttGaps() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.say(connectV311)
    talk.say(["> 30 1d 00 03 61 2f 62 68 65 6c 6c 6f"])
    talk.say(["> 20 6c 6f 73 74 20 6c 6f 73"])
    talk.drop()
    talk.say(["> 74 20 6c 6f 73 74 20", "> 6f 75 74", "> 32 07 00 01 61 00 07 68 69"])
    talk.say(["< 40 02 00 07"])
    talk.say(["> 30 07 00 01 61 31 32 33 34", "> 30 07 00 01 61 35 36 37 38"])
    talk.drop()
    talk.say(["> 34 07 00 01 61 00 08 68 69", "< 50 02 00 08", "> 62 02 00 08", "< 70 02 00 08"])
    talk.wait(milliseconds: 6000)
    talk.say(["> c0 00", "< d0 00", "> 30 20 00 01 61 31"])
    talk.end()
    return talk.pcap()
  }

  /// A capture that begins inside of a packet of a connection.
  private static func mqttMidstream() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.say(connectV5)
    talk.say(["> 82 09 00 01 00 00 03 61 2f 23 01", "< 90 04 00 01 00 01"])
    talk.dropAll()
    talk.say([
      "< 70 69 63 00 03 71 32 30 08 00 03 61 2f 62 00 68 69",
      "< 32 0a 00 03 61 2f 62 00 05 00 68 6f", "> 40 02 00 05", "> c0 00", "< d0 00",
      "> 32 0a 00 03 61 2f 63 00 09 00 68 65", "< 40 03 00 09 10", "< 30 07 00 00 03 23 00 04 79",
    ])
    talk.end()
    return talk.pcap()
  }

  /// Packets in text messages.
  private static func mqttText() -> [UInt8] {
    var talk = Dialogue()
    talk.open("mqtt", path: "/mqtt")
    let connect: [UInt8] = [0x10, 13, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 1, 0x63]
    talk.frame(.toServer, opcode: 1, connect)
    talk.frame(.toClient, opcode: 2, [0x20, 2, 0, 0])
    talk.frame(.toServer, opcode: 2, [0x30, 5, 0, 1, 0x61])
    talk.frame(.toServer, opcode: 2, [0x68, 0x69, 0xE0, 0])
    talk.close()
    return talk.pcap()
  }
}

extension Dialogue {
  /// A segment for each line: `> c0 00` of the client, `< d0 00` of the server.
  mutating func say(_ lines: [String]) {
    for line in lines {
      let bytes = line.dropFirst().split(separator: " ").map { UInt8($0, radix: 16)! }
      send(line.hasPrefix(">") ? .toServer : .toClient, bytes)
    }
  }
}
