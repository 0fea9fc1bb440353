// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPSubprotocolTopics {
  static let all: [Topic] = [
    subprotocol(
      "wamp.2.json", "WAMP v2 in JSON.", "one JSON array in a text message", aliases: ["json"]),
    subprotocol(
      "wamp.2.msgpack", "WAMP v2 in MessagePack.", "one MessagePack array in a binary message",
      aliases: ["msgpack"]),
    subprotocol(
      "wamp.2.cbor", "WAMP v2 in CBOR.", "one CBOR array in a binary message", aliases: ["cbor"]),
    subprotocol(
      "wamp.2.json.batched", "WAMP v2 in JSON, several messages at a time.",
      "in a text message, one or more JSON arrays, each followed by the byte 0x1E",
      beware: "Autobahn for Python separates with 0x18 instead."),
    subprotocol(
      "wamp.2.msgpack.batched", "WAMP v2 in MessagePack, several messages at a time.",
      "in a binary message, one or more arrays, each behind its length in four bytes, big-endian"),
    subprotocol(
      "wamp.2.cbor.batched", "WAMP v2 in CBOR, several messages at a time.",
      "in a binary message, one or more arrays, each behind its length in four bytes, big-endian",
      beware: "Autobahn for Python offers it first, so it is what Crossbar and Autobahn speak."),
    subprotocol(
      "wamp.2.ubjson", "WAMP v2 in UBJSON, of Autobahn.", "one array in a binary message",
      isStandard: false,
      beware: "From 2026 on, Autobahn writes BJData under this name, which is little-endian."),
    subprotocol(
      "wamp.2.ubjson.batched", "WAMP v2 in UBJSON, of Autobahn, several messages at a time.",
      "in a binary message, one or more arrays, each behind its length in four bytes, big-endian",
      isStandard: false),
    subprotocol(
      "wamp.2.flatbuffers", "WAMP v2 in FlatBuffers, of Autobahn.",
      "one FlatBuffers Message in a binary message: no array, but a table by a schema",
      isStandard: false, aliases: ["flatbuffers"],
      beware: "Fields that were not sent read as their defaults."),
    subprotocol(
      "wamp", "WAMP v1, of 2012 to 2013: another protocol with other messages.",
      "one JSON array in a text message; the server speaks first, with [0,",
      isStandard: false, aliases: ["wampv1", "wamp v1"],
      beware: "Its codes, 0 to 8, mean something else there: see wamptap explain 2."),
  ]

  private static func subprotocol(
    _ name: String, _ summary: String, _ content: String, isStandard: Bool = true,
    aliases: [String] = [], beware: String = ""
  ) -> Topic {
    Topic(
      Topic.Group("WebSocket subprotocols of WAMP", "WebSocket subprotocol"), name, summary,
      aliases: aliases,
      [
        Topic.Part("A message", .prose(content)),
        Topic.Part(
          "Negotiated",
          .prose(
            """
            in Sec-WebSocket-Protocol: the client offers a list, the server answers with one, \
            which holds for both directions
            """)),
        .beware(beware),
      ],
      source: isStandard
        ? "WAMP, \"WebSocket Transport\"" : "not in the specification; seen in implementations")
  }
}
