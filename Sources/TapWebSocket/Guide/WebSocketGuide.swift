// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What `wamptap explain` knows of WebSocket: opcodes, close codes, compression parameters.
public enum WebSocketGuide {
  public static let topics: [Topic] = opcodes + closeCodes + compression

  static let opcodes: [Topic] =
    [
      opcode(
        0, "CONTINUATION", "A further part of a fragmented message; the last one has FIN set.",
        [
          .sender("either side, after a TEXT or BINARY without FIN" + masked), .answered("nothing"),
          .beware(
            """
            Control frames may come in between, frames of another message may not. wamptap shows \
            the message, not its frames.
            """),
        ], source: "RFC 6455 §5.4"),
      opcode(
        1, "TEXT", "A message of UTF-8 text, or its first part.",
        [
          .sender("either side" + masked), .answered("nothing"),
          .beware("WAMP over JSON uses it, all other serializers use BINARY."),
        ], source: "RFC 6455 §5.6"),
      opcode(
        2, "BINARY", "A binary message, or its first part.",
        [
          .sender("either side" + masked), .answered("nothing"),
          .beware("WAMP over JSON may not use it."),
        ], source: "RFC 6455 §5.6"),
      opcode(
        8, "CLOSE", "The sender closes the connection, perhaps with a code and a reason.",
        [
          .sender("either side" + masked), .answered("CLOSE, after which the server closes TCP"),
          .beware(
            """
            Nothing may follow it from the same side. A connection that ends without it is what \
            applications call 1006.
            """),
        ], source: "RFC 6455 §5.5.1"),
      opcode(
        9, "PING", "Is the other side alive?",
        [
          .sender("either side; browsers never" + masked), .answered("PONG with the same payload"),
          .beware(
            """
            Shown in the output of -o ndjson. Without an answer, the peer or a proxy has gone; \
            many routers then drop the connection.
            """),
        ], source: "RFC 6455 §5.5.2"),
      opcode(
        10, "PONG", "The sender is alive.",
        [
          .sender("either side" + masked), .answers("PING"), .answered("nothing"),
          .beware("An unsolicited one is allowed: it is a heartbeat in one direction."),
        ], source: "RFC 6455 §5.5.3"),
    ] + (3...7).map { reserved($0, "data") } + (11...15).map { reserved($0, "control") }

  private static let masked = "; masked if and only if the client sends it"

  private static func opcode(
    _ code: UInt64, _ name: String, _ summary: String, _ parts: [Topic.Part], source: String
  ) -> Topic {
    let isControl = code >= 8
    return Topic(
      Topic.Group("WebSocket opcodes", "WebSocket opcode"), name, summary,
      label: "WebSocket opcode 0x\(hexadecimal(code))", numbers: code...code,
      [
        .layout([
          "FIN|1 RSV1|1 RSV2|1 RSV3|1 opcode|4", "MASK|1 length|7, 7+16 or 7+64",
          "masking key|32, if MASK is set", code == 8 ? "code|16 reason, or nothing" : "payload",
        ]),
        Topic.Part(
          "Kind",
          .prose(
            isControl
              ? "control frame: at most 125 bytes, never fragmented" : "data frame")),
      ] + parts, source: source)
  }

  private static func reserved(_ code: UInt64, _ kind: String) -> Topic {
    return Topic(
      Topic.Group("WebSocket opcodes", "WebSocket opcode"), "reserved",
      "Reserved for a \(kind) frame that does not exist yet.",
      label: "WebSocket opcode 0x\(hexadecimal(code))", numbers: code...code,
      [
        .causes("A broken sender, or bytes that are no frame."),
        .remedy("The receiver must fail the connection. See websocket.unknown-opcode."),
      ], source: "RFC 6455 §5.2")
  }

  private static func hexadecimal(_ code: UInt64) -> String {
    String(code, radix: 16, uppercase: true)
  }
}
