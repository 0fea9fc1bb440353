// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

extension LogFormat {
  /// The Python library `websockets`, at DEBUG. It prints 75 characters of a message at most, and
  /// how many bytes it has; old versions print frames as Python does.
  ///
  ///     DEBUG:websockets.client:< TEXT '[33,1,5862354]' [14 bytes]
  ///     DEBUG:websockets.protocol:client < Frame(fin=True, opcode=1, data=b'[33,1,5862354]', …
  static let websockets = LogFormat(
    name: "websockets", title: "websockets (Python)",
    rules: [
      LogRule("< TEXT '", .received, .measured),
      LogRule("> TEXT '", .sent, .measured),
      LogRule("< TEXT \"", .received, .measured),
      LogRule("> TEXT \"", .sent, .measured),
      LogRule("> Sec-WebSocket-Protocol: ", .sent, .subprotocol),
      LogRule("< Sec-WebSocket-Protocol: ", .received, .subprotocol),
      LogRule("< GET /", .received, .request),
      LogRule("> GET /", .sent, .request),
      LogRule("= connection is CLOSED", .unsaid, .ended),
      LogRule("> Frame(", .sent, .frame(.data)),
      LogRule("< Frame(", .received, .frame(.data)),
    ] + frames,
    sideWords: [
      ("websockets.server", .server), ("websockets.client", .client),
      ("server > Frame(", .server), ("server < Frame(", .server),
      ("client > Frame(", .client), ("client < Frame(", .client),
    ], traits: [.keyed, .library, .namesEnds], family: "websockets",
    anchors: ["WebSocket-Protocol: ", "Frame(fin=", "< GET /", "> GET /", "CLOSED"])

  /// What is no message of text by itself: pieces of one, bytes, and control frames.
  private static let frames: [LogRule] = [
    LogRule("< TEXT ", .received, .frame(.sized(.text))),
    LogRule("> TEXT ", .sent, .frame(.sized(.text))),
    LogRule("< BINARY ", .received, .frame(.sized(.binary))),
    LogRule("> BINARY ", .sent, .frame(.sized(.binary))),
    LogRule("< CONT ", .received, .frame(.sized(.continuation))),
    LogRule("> CONT ", .sent, .frame(.sized(.continuation))),
    LogRule("< CLOSE ", .received, .frame(.sized(.close))),
    LogRule("> CLOSE ", .sent, .frame(.sized(.close))),
    LogRule("< PING ", .received, .frame(.sized(.ping))),
    LogRule("> PING ", .sent, .frame(.sized(.ping))),
    LogRule("< PONG ", .received, .frame(.sized(.pong))),
    LogRule("> PONG ", .sent, .frame(.sized(.pong))),
  ]

  /// uvicorn at TRACE prints what it and its application send each other, beside what websockets
  /// prints of the messages.
  ///
  ///     TRACE:    ASGI [1] Receive {'type': 'lifespan.startup'}
  ///     TRACE:    127.0.0.1:40830 - ASGI [2] Receive {'type': 'websocket.receive', 'text': …
  static let uvicorn = LogFormat(
    name: "uvicorn", title: "uvicorn",
    rules: [
      LogRule("] Receive ", .received, event), LogRule("] Send ", .sent, event),
      LogRule("] Started scope=", .unsaid, event),
    ], requiredWord: "ASGI", anchors: [])

  private static let event = LogRule.Form.ignoredBefore("{'type': '")

  /// websocket-client in Python with `enableTrace`, and its tool wsdump. The raw lines are the same
  /// messages as frames.
  ///
  ///     ++Rcv decoded: fin=1 opcode=1 data=b'[33,1,5862354]'
  static let websocketClient = LogFormat(
    name: "websocket-client", title: "websocket-client",
    rules: [
      LogRule("--- request header ---", .sent, .request),
      LogRule("++Sent raw: ", .sent, .ignored),
      LogRule("++Rcv raw: ", .received, .ignored),
      LogRule("++Sent decoded: ", .sent, .frame(.data)),
      LogRule("++Rcv decoded: ", .received, .frame(.data)),
      // Releases before 1.0 print what they send as frames only.
      LogRule("send: b", .sent, .frame(.wire)),
      // Of Python 2, without the b.
      LogRule("send: '", .sent, .frame(.wire)),
      LogRule("send: \"", .sent, .frame(.wire)),
      LogRule("< text: ", .received),
      LogRule(": text: ", .received),
      LogRule("< binary: ", .received, .frame(.octets)),
      LogRule(": binary: ", .received, .frame(.octets)),
    ],
    side: .client, traits: [.ownHandler, .generic, .library], family: "prompt",
    anchors: ["++Sent ", "++Rcv ", "\\x", "- request header ---"])

  /// websocat 1.x with the overlay `log:`, below which messages are frames, and before them the
  /// heads of HTTP.
  ///
  ///     READ 16 "\x81\x0e[33,1,5862354]"
  static let websocat = LogFormat(
    name: "websocat", title: "websocat",
    rules: [
      LogRule("READ ", .received, .octets),
      LogRule("WRITE ", .sent, .octets),
      LogRule("READ ", .received),
      LogRule("WRITE ", .sent),
    ],
    anchors: ["WRITE ", "WebSocket-Accept: ", "\\x"])

  /// wscat and others that show what they receive behind `<` and what is typed behind `>`.
  static let wscat = LogFormat(
    name: "wscat", title: "wscat",
    rules: [LogRule("< ", .received, at: .first), LogRule("> ", .sent, at: .first)],
    traits: [.partial, .generic], family: "prompt")
}
