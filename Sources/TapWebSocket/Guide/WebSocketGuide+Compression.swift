// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension WebSocketGuide {
  static let compression: [Topic] = [
    parameter(
      "permessage-deflate", "The extension that compresses messages with deflate.",
      """
      The client offers it, the server accepts it with parameters of its own. A compressed message \
      has RSV1 set in its first frame.
      """,
      """
      Unless there is no context takeover, a message may refer to all messages before it: when one \
      of them was not captured, its text cannot be known (websocket.context-lost).
      """, label: "WebSocket extension", source: "RFC 7692"),
    parameter(
      "server_no_context_takeover", "The server compresses each message by itself.",
      "Asked for by the client, or chosen by the server.",
      "Each message of the server can be read alone, also after a gap.",
      source: "RFC 7692 §7.1.1.1"),
    parameter(
      "client_no_context_takeover", "The client compresses each message by itself.",
      "Chosen by the server; the client may hint that it can.",
      "Each message of the client can be read alone, also after a gap.",
      source: "RFC 7692 §7.1.1.2"),
    parameter(
      "server_max_window_bits", "The server looks back at most 2^N bytes: 8 to 15.",
      "Asked for by the client, or chosen by the server.",
      "Not all servers can; zlib cannot compress with 8.", source: "RFC 7692 §7.1.2.1"),
    parameter(
      "client_max_window_bits", "The client looks back at most 2^N bytes: 8 to 15.",
      "Chosen by the server, but only if the client offered the parameter.",
      "In the offer it may stand without a value: the client can do it.",
      source: "RFC 7692 §7.1.2.2"),
  ]

  private static func parameter(
    _ name: String, _ summary: String, _ negotiation: String, _ beware: String,
    label: String? = nil, source: String
  ) -> Topic {
    Topic(
      Topic.Group("WebSocket compression", "parameter of permessage-deflate"), name, summary,
      label: label,
      [
        Topic.Part("Stands in", .prose("Sec-WebSocket-Extensions of the HTTP upgrade")),
        Topic.Part("Negotiated", .prose(negotiation)), .beware(beware),
      ], source: source)
  }
}
