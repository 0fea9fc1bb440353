// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of SockJS.
enum SockJSGuide {
  static let frames = Topic.Group("SockJS frames", "SockJS frame")

  static let topics: [Topic] = [
    topic(
      "OPEN", "o", "Opens a session.",
      [
        .layout(["o"]), .sender("the server, first"),
        .beware("A second one in a session says that the server lost it."),
      ]),
    topic(
      "HEARTBEAT", "h", "Says that the server is there; nothing answers it.",
      [
        .layout(["h"]), .sender("the server, every 25 seconds if nobody chose otherwise"),
        .beware("sockjs-node sends pings of WebSocket instead, where there is one."),
      ]),
    topic(
      "MESSAGE", "a", "A text that nothing here reads; what is read has names of its own.",
      [
        .layout([#"a["text","text"]"#, #"["text"] of a client"#]),
        .beware(
          "Each string is a message. Two JSON texts stand in each other: STOMP's NUL is \\u0000."),
        .example([#"a["CONNECTED\nversion:1.2\n\n\u0000"]"#]),
      ]),
    topic(
      "CLOSE", "c", "Closes a session.",
      [
        .layout([#"c[code,"reason"]"#]), .sender("the server; clients close what carries them"),
        .beware("The CLOSE of the WebSocket behind it has 1000, whatever the code."),
        .example([#"c[3000,"Go away!"]"#]),
      ]),
  ]

  private static func topic(
    _ name: String, _ letter: String, _ summary: String, _ parts: [Topic.Part]
  ) -> Topic {
    Topic(
      frames, name, summary, label: "SockJS frame \(letter)", parts,
      source: "SockJS protocol 0.3.4, \"Framing and encoding\"")
  }
}
