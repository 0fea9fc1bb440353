// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of STOMP.
enum STOMPGuide {
  private static let frames = Topic.Group("STOMP frames", "STOMP frame")
  private static let concepts = Topic.Group("STOMP", "STOMP")
  private static let headers = Topic.Group("STOMP headers", "STOMP header")

  static let topics: [Topic] = clientFrames + serverFrames + others + headerTopics

  private static func frame(
    _ name: String, _ summary: String, _ layout: [String], _ parts: [Topic.Part], _ source: String
  ) -> Topic {
    Topic(frames, name, summary, [.layout(layout)] + parts, source: "STOMP 1.2, \"\(source)\"")
  }

  private static let clientFrames: [Topic] = [
    frame(
      "CONNECT", "Opens a session: versions, virtual host, credentials, heart-beats.",
      [
        "CONNECT", "accept-version:1.0,1.1,1.2", "host:…", "login:…  passcode:…  heart-beat:0,0",
        "(blank line) NUL",
      ],
      [
        .sender("the client, first of all"), .answered("CONNECTED, or ERROR"),
        .beware("It is never escaped. STOMP, since 1.1, is the same under another name."),
        .example([#"CONNECT\naccept-version:1.2\nhost:/\nlogin:guest\npasscode:guest\n\n\0"#]),
      ], "CONNECT or STOMP Frame"),
    frame(
      "STOMP", "Opens a session, as CONNECT does, under a name that HTTP does not have.",
      ["STOMP", "accept-version:1.1,1.2", "host:…", "(blank line) NUL"],
      [.sender("the client, first of all"), .answered("CONNECTED, or ERROR")],
      "CONNECT or STOMP Frame"),
    frame(
      "SEND", "Sends a message to a destination.",
      [
        "SEND", "destination:…", "content-length:…  content-type:…  transaction:…  receipt:…",
        "(blank line) body NUL",
      ],
      [
        .sender("the client"), .answered("RECEIPT, if receipt asks for it"),
        .beware(
          "The MESSAGEs that come of it have no id in common with it: wamptap joins them by"
            + " destination and body, and marks that as inferred."),
        .example([#"SEND\ndestination:/queue/a\n\nhello\0"#]),
      ], "SEND"),
    frame(
      "SUBSCRIBE", "Asks for the messages of a destination.",
      [
        "SUBSCRIBE", "id:sub-0", "destination:…", "ack:auto|client|client-individual",
        "(blank line) NUL",
      ],
      [
        .sender("the client, after CONNECTED"), .answered("nothing, unless receipt asks for it"),
        .beware("Without CONNECT before it and NUL behind it, a server does nothing."),
        .example([#"SUBSCRIBE\nid:sub-0\ndestination:/topic/chat\n\n\0"#]),
      ], "SUBSCRIBE"),
    frame(
      "UNSUBSCRIBE", "Gives a subscription back.", ["UNSUBSCRIBE", "id:sub-0", "(blank line) NUL"],
      [
        .sender("the client"), .answered("nothing, unless receipt asks for it"),
        .beware("It names the id of the SUBSCRIBE, and not its destination."),
      ], "UNSUBSCRIBE"),
    frame(
      "ACK", "Says that a message was taken.",
      ["ACK", "id:… (1.2)  message-id:… (1.0, 1.1)  subscription:… (1.1)", "(blank line) NUL"],
      [
        .sender("the client"),
        .beware(
          "In 1.2, id is the ack header of the MESSAGE. In mode client, it counts for all earlier"
            + " messages of the subscription, too."),
      ], "ACK"),
    frame(
      "NACK", "Says that a message was not taken.",
      ["NACK", "id:… (1.2)  message-id:… (1.1)  subscription:… (1.1)", "(blank line) NUL"],
      [
        .sender("the client, since 1.1"),
        .beware("What happens to the message then, the server says."),
      ],
      "NACK"),
    frame(
      "BEGIN", "Begins a transaction.", ["BEGIN", "transaction:tx1", "(blank line) NUL"],
      [.sender("the client")], "BEGIN"),
    frame(
      "COMMIT", "Lets all frames of a transaction take effect.",
      ["COMMIT", "transaction:tx1", "(blank line) NUL"], [.sender("the client")], "COMMIT"),
    frame(
      "ABORT", "Undoes all frames of a transaction.",
      ["ABORT", "transaction:tx1", "(blank line) NUL"], [.sender("the client")], "ABORT"),
    frame(
      "DISCONNECT", "Ends a session.", ["DISCONNECT", "receipt:bye", "(blank line) NUL"],
      [
        .sender("the client"), .answered("RECEIPT, if receipt asks for it"),
        .beware("RabbitMQ over WebSocket closes without the RECEIPT."),
      ], "DISCONNECT"),
  ]

  private static let serverFrames: [Topic] = [
    frame(
      "CONNECTED", "The session is open: version, server, heart-beats.",
      ["CONNECTED", "version:1.2", "server:…  session:…  heart-beat:0,0", "(blank line) NUL"],
      [.sender("the server"), .answers("CONNECT or STOMP"), .beware("It is never escaped.")],
      "CONNECTED Frame"),
    frame(
      "MESSAGE", "A message of a destination, for one subscription.",
      [
        "MESSAGE", "destination:…  message-id:…  subscription:…", "ack:… (1.2)  content-length:…",
        "(blank line) body NUL",
      ],
      [.sender("the server"), .answered("ACK or NACK, unless the mode is auto")], "MESSAGE"),
    frame(
      "RECEIPT", "The frame that asked for it was taken.",
      ["RECEIPT", "receipt-id:…", "(blank line) NUL"],
      [.sender("the server"), .answers("the frame with that receipt")], "RECEIPT"),
    frame(
      "ERROR", "Something went wrong; the server closes the connection as a rule.",
      ["ERROR", "message:…  receipt-id:…", "(blank line) body NUL"],
      [
        .sender("the server"), .answers("the frame with that receipt, or CONNECT"),
        .beware("RabbitMQ sends no receipt-id, and goes on after most errors."),
      ], "ERROR"),
  ]

  private static let others: [Topic] = [
    Topic(
      concepts, "heart-beat",
      "Each side says how often it can send something, and how often it wants to get something.",
      label: "STOMP header of CONNECT and CONNECTED",
      aliases: ["heart-beats", "heart-beating"],
      [
        .layout(["heart-beat:CAN-SEND,WANTS   (milliseconds; 0 for neither)"]),
        Topic.Part(
          "Meaning",
          .prose(
            "The client sends every max(its first number, the server's second number), the server"
              + " every max(its first, the client's second); there are none where either is 0."
              + " Any byte counts; a heart-beat is a line end that is sent when there was nothing"
              + " else. A line end right behind a NUL is none.")),
        .beware("A PING of WebSocket does not count. Browsers slow down timers of hidden tabs."),
      ], source: "STOMP 1.2, \"Heart-beating\"")
  ]

  private static let headerTopics: [Topic] = STOMPHeader.allCases
    .filter { $0 != .other && $0 != .heartBeat }
    .map {
      Topic(
        headers, "\($0.name)", "Header: \($0.meaning).", [.layout(["\($0.name):VALUE"])],
        source: "STOMP 1.2, \"Frames and Headers\"")
    }
}
