// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What `wamptap explain` knows of RawSocket: its handshake, frame types, serializers and errors.
public enum RawSocketGuide {
  public static let topics: [Topic] = [handshake] + types + serializers + errors

  private static let source = "WAMP, \"RawSocket Transport\""

  private static let handshake = Topic(
    Topic.Group("WAMP RawSocket", "WAMP transport"), "RawSocket",
    "WAMP over TCP without WebSocket: four bytes from each side, then frames.",
    aliases: ["raw socket", "rawsocket handshake"],
    [
      .layout([
        "0x7F|8 limit|4 serializer|4 0x0000|16, from the client",
        "0x7F|8 limit|4 serializer|4 0x0000|16, when the router agrees",
        "0x7F|8 error|4 0|4 0x0000|16, when it does not",
      ]),
      Topic.Part(
        "Limit",
        .prose(
          """
          the side that sends it takes messages of at most 2 to the power of 9 + limit bytes: 512 \
          for 0, 16 MiB for 15
          """)),
      .beware(
        """
        The limit holds for what the sender of the handshake receives, not for what it sends. No \
        request of HTTP begins with 0x7F, so one port may serve both.
        """),
    ], source: source)

  private static let types: [Topic] = [
    type(
      0, "rawsocket.message", "One WAMP message; there are no fragments.",
      sentBy: "either side"),
    type(
      1, "rawsocket.ping", "Is the other side alive?", sentBy: "either side",
      answeredBy: "PONG with the same payload"),
    type(
      2, "rawsocket.pong", "The sender is alive.", sentBy: "either side", answers: "PING"),
  ]

  private static func type(
    _ code: UInt64, _ name: String, _ summary: String, sentBy: String, answers: String = "",
    answeredBy: String = ""
  ) -> Topic {
    Topic(
      Topic.Group("RawSocket frame types", "RawSocket frame type"), name, summary,
      label: "RawSocket frame type \(code)", numbers: code...code,
      aliases: [name.replacing(".", with: " ")],
      [
        .layout(["reserved|4 X|1 type|3 length|24", "payload"]),
        .sender(sentBy), .answers(answers), .answered(answeredBy),
        .beware("X stands for a length of exactly 16 MiB; older peers do not know it."),
      ], source: source)
  }

  private static let serializers: [Topic] = (1...5).map { (number: UInt8) in
    let serializer = Serializer(number: number)
    return Topic(
      Topic.Group("RawSocket serializers", "RawSocket serializer"),
      "rawsocket.\(serializer.name.lowercased())",
      "The messages of the connection are written in \(serializer.name).",
      label: "RawSocket serializer \(number)", aliases: ["rawsocket \(serializer.name)"],
      [
        Topic.Part("Handshake", .prose("7F F\(number) 00 00 asks for it, and takes 16 MiB")),
        Topic.Part("Subprotocol", .prose(serializer.subprotocol)),
      ], source: source)
  }

  private static let errors: [Topic] = (1...4).map { (number: UInt8) in
    Topic(
      Topic.Group("RawSocket errors", "RawSocket error"), "rawsocket.error-\(number)",
      "The router refuses the handshake: \(Handshake.error(number)).",
      aliases: ["rawsocket error \(number)"],
      [
        Topic.Part("Handshake", .prose("7F \(number)0 00 00, from the router, which then closes")),
        .causes(causes[Int(number) - 1]),
      ], source: source)
  }

  private static let causes = [
    "The router is not configured for this serializer, or was built without it.",
    "The client takes less than the router may have to send.",
    "The last two bytes of the client's handshake are not zero.",
    "Too many clients, or clients that connect again and again without closing.",
  ]
}
