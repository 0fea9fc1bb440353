// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// python-engineio with `engineio_logger`, server and client, below python-socketio. It prints
  /// types as words, and of bytes that there were some.
  ///
  ///     FpoB8_KfMxVyonAqAAAA: Sending packet MESSAGE data 2["chat",{"text":"hi"}]
  static let pythonEngineIO = LogFormat(
    name: "python-engineio", title: "python-engineio",
    rules: [
      LogRule(
        "Sending packet ", .sent, .packet(packets), writer: .secret(lengths: ids), of: "engineio"),
      LogRule(
        "Received packet ", .received, .packet(packets), writer: .secret(lengths: ids),
        of: "engineio"),
      LogRule(
        " connection accepted with ", .received, .packet([LogRule.PacketHead("", "0")]),
        writer: .secret(lengths: ids)),
    ],
    traits: [.partial, .ownHandler], family: "websockets", library: "websockets",
    anchors: [
      "OPEN data ", "CLOSE data ", "PING data ", "PONG data ", "AGE data ", "UPGRADE data ",
      "OOP data ", "pted with {",
    ])

  /// Characters of its ids: in hexadecimal up to 3.14, then in base64.
  private static let ids = [20, 32]

  /// What socket.io prints with `DEBUG=engine*,socket.io*`, a client or a server, each packet
  /// several times: it is read where it is nearest to the wire. What a client sends is read where
  /// its parser prints it, as its engine prints only what is sent by polling. Every server prints
  /// what it sends as its socket does; the answer to a probe, old ones print below that. The client
  /// in Dart prints the same lines, and in Java the same in its own words.
  ///
  ///     engine:ws received "42["hi"]" +2s
  ///     engine:socket sending packet "message" (2["hi"]) +2s
  ///     engine.io-client:polling polling got data 42["hi"] +2s
  ///     engine.io-client:socket socket receive: type "message", data "2["hi"]" +0ms
  ///     socket.io-parser encoded {"type":2,"nsp":"/","data":["hi"]} as 2["hi"] +0ms
  ///     socket.io-parser decoded 2["hi"] as {"type":2,"nsp":"/","data":["hi"]} +0ms
  ///     FINE: socket received: type 'message', data '2["hi"]'
  ///     FINE: encoded io.socket.parser.Packet@1b2c3d as 2["hi"]
  static let socketIO = LogFormat(
    name: "socket.io", title: "socket.io",
    rules: [
      LogRule("socket.io-parser encoding packet ", .sent, .ignored),
      LogRule("encoding packet {type: ", .sent, .ignored),
      LogRule("decoded ", .received, .packet(texts, until: " as {"), layer: 3, of: "engineio"),
      LogRule(
        "decoded ", .received, .packet(texts, until: " as io.socket.parser.Packet@"), by: .client,
        layer: 3, of: "engineio"),
      LogRule(
        "encoded io.socket.parser.Packet@", .sent, .packet(texts, behind: " as "), by: .client,
        layer: 3, of: "engineio"),
      // Behind the first rule of `decoded`: what was decoded may be an object as well.
      LogRule("} as ", .sent, .packet(texts), layer: 3, of: "engineio"),
      LogRule("engine:ws received ", .received, quoted, by: .server, layer: 1, of: "engineio"),
      LogRule("engine:polling received ", .received, quoted, by: .server, layer: 1, of: "engineio"),
      LogRule(
        "engine:socket sending packet ", .sent, sending, by: .server, layer: 1, of: "engineio"),
      LogRule("engine:ws writing \"3probe", .sent, probe, by: .server, of: "engineio"),
      LogRule("engine:ws writing ", .sent, quoted, by: .server, layer: 2, of: "engineio"),
      LogRule("engine:polling writing ", .sent, quoted, by: .server, layer: 2, of: "engineio"),
      // No parser prints it.
      LogRule(
        "socket receive: type \"open\", data ", .received, open, by: .client, of: "engineio"),
      LogRule(
        "socket received: type 'open', data ", .received, openInJava, by: .client, of: "engineio"),
      LogRule(
        "socket receive: type \"message\", data ", .received, quotedTexts, by: .client, layer: 2,
        of: "engineio"),
      LogRule(
        "socket received: type 'message', data ", .received, textsInJava, by: .client, layer: 2,
        of: "engineio"),
      LogRule(
        "-client:polling xhr data ", .sent, .packet(whole), by: .client, layer: 4, of: "engineio"),
      LogRule(
        "-client:polling-xhr xhr data ", .sent, .packet(whole), by: .client, layer: 4,
        of: "engineio"),
      LogRule(
        "polling got data ", .received, .packet(whole), by: .client, layer: 4, of: "engineio"),
      LogRule("socket.io:server ", .unsaid, .aside, by: .server),
      LogRule("socket.io:client ", .unsaid, .aside, by: .server),
      LogRule("socket.io:socket ", .unsaid, .aside, by: .server),
      LogRule("socket.io:namespace ", .unsaid, .aside, by: .server),
      LogRule("socket.io-client:manager ", .unsaid, .aside, by: .client),
      LogRule("socket.io-client:socket ", .unsaid, .aside, by: .client),
    ],
    traits: [.partial, .wrapping, .layered, .namesEnds, .showsSideElsewhere],
    anchors: [
      "-parser ", "e:ws ", "e:polling ", "e:socket sending ", "e: type ", "d: type '",
      "-client:polling", "-client:manager ", "-client:socket ", "{type: ", ".Packet@",
      ".io:server ", ".io:client ", ".io:socket ", ".io:namespace ", "got data ",
    ])

  /// netty-socketio, a server in Java: what it sends and receives, as frames and by polling. What
  /// stands behind that differs by transport and release.
  ///
  ///     InPacketHandler - In message: 42["msg"] sessionId: 6f0c8d2e-3f0b-4d0e-9f6e-0c3b1d9b3a11
  static let nettySocketIO = LogFormat(
    name: "netty-socketio", title: "netty-socketio",
    rules: [" - sessionId: ", ", sessionId: ", " sessionId: "].flatMap { words in
      [
        LogRule(
          "Out message: ", .sent, .packet(whole, until: words), writer: .secretBehind(words),
          of: "engineio"),
        LogRule(
          "In message: ", .received, .packet(whole, until: words), writer: .secretBehind(words),
          of: "engineio"),
      ]
    },
    side: .server, traits: .partial, anchors: ["Out message: ", "In message: "])

  /// SocketIOClient, in .NET.
  ///
  ///     [WebSocket⬆] 42["hi"]
  static let socketIODotNet = LogFormat(
    name: "socketioclient", title: "SocketIOClient",
    rules: [
      LogRule("[WebSocket⬆] ", .sent, .packet(whole), of: "engineio"),
      LogRule("[WebSocket⬇] ", .received, .packet(whole), of: "engineio"),
      LogRule("[Polling⬆] ", .sent, .packet(whole), of: "engineio"),
      LogRule("[Polling⬇] ", .received, .packet(whole), of: "engineio"),
    ],
    side: .client, traits: .partial,
    anchors: ["[WebSocket⬆", "[WebSocket⬇", "[Polling⬆", "[Polling⬇"])

  private static let whole = [LogRule.PacketHead("", "")]
  private static let open = LogRule.Form.packet([LogRule.PacketHead("\"", "0")], until: "\"")
  private static let openInJava = LogRule.Form.packet([LogRule.PacketHead("'", "0")], until: "'")
  private static let probe = LogRule.Form.packet([LogRule.PacketHead("", "3probe")], until: "\"")
  private static let quoted = LogRule.Form.packet([LogRule.PacketHead("\"", "")], until: "\"")
  private static let quotedTexts = LogRule.Form.packet(
    [
      LogRule.PacketHead("\"5", "45", lacksBytes: true),
      LogRule.PacketHead("\"6", "46", lacksBytes: true),
      LogRule.PacketHead("\"", "4", mayBeBytes: true),
    ], until: "\"")
  private static let textsInJava = LogRule.Form.packet(
    [
      LogRule.PacketHead("'5", "45", lacksBytes: true),
      LogRule.PacketHead("'6", "46", lacksBytes: true),
      LogRule.PacketHead("'", "4", mayBeBytes: true),
    ], until: "'")
  /// A heart-beat has no data.
  private static let sending = LogRule.Form.packet(
    [
      LogRule.PacketHead("\"open\" (", "0"),
      LogRule.PacketHead("\"ping\" (undefined", "2"),
      LogRule.PacketHead("\"pong\" (undefined", "3"),
      LogRule.PacketHead("\"message\" (5", "45", lacksBytes: true),
      LogRule.PacketHead("\"message\" (6", "46", lacksBytes: true),
      LogRule.PacketHead("\"message\" (", "4", mayBeBytes: true),
    ], until: ")")

  /// socket.io-client-swift with `.log(true)`, below the prefix of `NSLog`. It prints a message
  /// three times: what it receives is read as it comes, what it sends where it leaves.
  ///
  ///     LOG SocketEngine: Got message: 42["news",{"a":1}]
  ///     LOG SocketEngineWebSocket: Sending ws: 20["chat","hi"] as type: 4
  static let socketIOSwift = LogFormat(
    name: "socket.io-client-swift", title: "socket.io-client-swift",
    rules: [
      LogRule(
        "LOG SocketEngine: Got message: ", .received, .packet(received), of: "engineio"),
      LogRule(
        "LOG SocketEngineWebSocket: Sending ws: ", .sent, .packet(texts, until: " as type: 4"),
        of: "engineio"),
      LogRule(
        "LOG SocketEnginePolling: Sending poll: ", .sent, .packet(texts, until: " as type: 4"),
        of: "engineio"),
      LogRule("LOG Socket", .unsaid, .ignored),
    ],
    side: .client, traits: .partial, anchors: ["LOG Socket"])

  private static let received = [
    LogRule.PacketHead("45", "45", lacksBytes: true),
    LogRule.PacketHead("46", "46", lacksBytes: true),
    LogRule.PacketHead("", ""),
  ]

  /// Those of types 5 and 6 have attachments.
  private static let texts = [
    LogRule.PacketHead("5", "45", lacksBytes: true),
    LogRule.PacketHead("6", "46", lacksBytes: true),
    LogRule.PacketHead("", "4"),
  ]

  private static let packets: [LogRule.PacketHead] = [
    LogRule.PacketHead("OPEN data ", "0"),
    LogRule.PacketHead("CLOSE data ", "1"),
    LogRule.PacketHead("PING data ", "2"),
    LogRule.PacketHead("PONG data ", "3"),
    LogRule.PacketHead("MESSAGE data <binary>", nil),
    LogRule.PacketHead("MESSAGE data ", "4"),
    LogRule.PacketHead("UPGRADE data ", "5"),
    LogRule.PacketHead("NOOP data ", "6"),
  ]
}
