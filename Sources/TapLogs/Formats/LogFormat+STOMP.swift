// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// What the lines of stomp.js begin with: a command, or what it calls a heart-beat.
  static let stompCommands: [StaticString] = [
    "CONNECT", "STOMP", "CONNECTED", "SEND", "SUBSCRIBE", "UNSUBSCRIBE", "ACK", "NACK", "BEGIN",
    "COMMIT", "ABORT", "DISCONNECT", "MESSAGE", "RECEIPT", "ERROR", "PING", "PONG",
  ]

  /// What stomp.js gives to its `debug`, over several lines: in version 2 frames as they are sent,
  /// with NUL at their end; from version 5 on without their bodies.
  ///
  ///     >>> SEND
  ///     destination:/topic/chat
  ///
  ///     hello^@
  static let stompJS = LogFormat(
    name: "stomp.js", title: "stomp.js",
    rules: [
      LogRule(">>> ", .sent, .frameLines, of: "stomp"),
      LogRule("<<< ", .received, .frameLines, of: "stomp"),
    ],
    side: .client, traits: .keyed, anchors: [">>> ", "<<< ", endInString])

  /// What ends a frame in a string of JSON, whichever program prints it.
  private static let endInString: StaticString = "\\u0000"

  /// stomp.py at DEBUG: what it sends byte by byte, what it receives by its parts. Up to version 7
  /// its lines begin with a capital.
  ///
  ///     sending frame: [b'SEND', b'\n', b'destination:/queue/a\n', b'\n', b'hello', b'\x00']
  ///     received frame: 'RECEIPT', headers={'receipt-id': 'r-1'}, body=''
  static let stompPy = LogFormat(
    name: "stomp.py", title: "stomp.py",
    rules: [
      LogRule("sending frame: [", .sent, .pieces, of: "stomp"),
      LogRule("Sending frame: [", .sent, .pieces, of: "stomp"),
      LogRule("received frame: '", .received, .frameParts, of: "stomp"),
      LogRule("Received frame: '", .received, .frameParts, of: "stomp"),
      LogRule("stablished connection to host ", .sent, .request),
      LogRule("io loop ended", .unsaid, .ended),
      LogRule("eceiver loop ended", .unsaid, .ended),
    ],
    side: .client,
    anchors: [
      "frame: [b'", "frame: '", "blished connection to host ", "oop ended",
    ])
}
