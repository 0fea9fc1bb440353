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
      "OPEN data ", "CLOSE data ", "PING data ", "PONG data ", "MESSAGE data ", "UPGRADE data ",
      "NOOP data ", "accepted with {",
    ])

  /// Characters of its ids: in hexadecimal up to 3.14, then in base64.
  private static let ids = [20, 32]

  /// The parser of socket.io with `DEBUG=socket.io*`, of a client or a server; below it, what the
  /// server of engine.io prints with `DEBUG=engine*`. What its client prints of packets is read
  /// where the parser prints none: it has what is sent by polling alone.
  ///
  ///     engine:ws received "42["hi"]" +2s
  ///     engine.io-client:polling polling got data 42["hi"] +2s
  ///     engine.io-client:socket socket receive: type "message", data "2["hi"]" +0ms
  ///     socket.io-parser encoded {"type":2,"nsp":"/","data":["hi"]} as 2["hi"] +0ms
  ///     socket.io-parser decoded 2["hi"] as {"type":2,"nsp":"/","data":["hi"]} +0ms
  static let socketIO = LogFormat(
    name: "socket.io", title: "socket.io",
    rules: [
      LogRule("socket.io-parser encoding packet ", .sent, .ignored),
      LogRule(
        "socket.io-parser decoded ", .received,
        .packet(texts, until: " as {"), layer: 2, of: "engineio"),
      // Behind the rule above: what was decoded may be an object as well.
      LogRule("} as ", .sent, .packet(texts), layer: 2, of: "engineio"),
      LogRule("engine:ws received ", .received, quoted, layer: 1, of: "engineio"),
      LogRule("engine:ws writing ", .sent, quoted, layer: 1, of: "engineio"),
      LogRule("engine:polling received ", .received, quoted, layer: 1, of: "engineio"),
      LogRule("engine:polling writing ", .sent, quoted, layer: 1, of: "engineio"),
      // No parser prints it.
      LogRule("socket receive: type \"open\", data ", .received, open, of: "engineio"),
      LogRule(
        "socket receive: type \"message\", data ", .received, quotedTexts, layer: 3,
        of: "engineio"),
      LogRule("-client:polling xhr data ", .sent, .packet(whole), layer: 3, of: "engineio"),
      LogRule(
        "-client:polling-xhr xhr data ", .sent, .packet(whole), layer: 3, of: "engineio"),
      LogRule(
        "-client:polling polling got data ", .received, .packet(whole), layer: 4, of: "engineio"),
    ],
    sideWords: [
      ("engine:ws ", .server), ("engine:polling ", .server), ("engine.io-client:", .client),
    ],
    traits: [.partial, .wrapping, .layered],
    anchors: ["-parser ", "e:ws ", "e:polling ", "e: type ", "-client:polling"])

  private static let whole = [LogRule.PacketHead("", "")]
  private static let open = LogRule.Form.packet([LogRule.PacketHead("\"", "0")], until: "\"")
  private static let quotedTexts = LogRule.Form.packet(
    [
      LogRule.PacketHead("\"5", "45", lacksBytes: true),
      LogRule.PacketHead("\"6", "46", lacksBytes: true),
      LogRule.PacketHead("\"", "4", mayBeBytes: true),
    ], until: "\"")

  private static let quoted = LogRule.Form.packet(
    [LogRule.PacketHead("\"", "")], until: "\"")

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
