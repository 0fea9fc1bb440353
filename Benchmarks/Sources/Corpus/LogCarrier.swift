// SPDX-License-Identifier: Apache-2.0

/// A program that logs the messages of one session, each in its own notation, which distinguishes
/// the sessions.
enum LogCarrier: Int, CaseIterable {
  /// autobahn-js, on a browser console.
  case browser
  /// A Java application that marks directions with `>>` and `<<`.
  case arrows
  /// Starscream, collected as JSON records: the message is in a string.
  case record
  /// Autobahn|Python, which prints Python lists.
  case python

  /// A line with a message, without its line end.
  func append(
    _ message: [UInt8], isUp: Bool, at time: LogTime, to text: inout [UInt8]
  ) {
    switch self {
    case .browser:
      time.appendISO(0x54, 0x2E, to: &text)
      text.append("Z app.bundle.js:4410 WebSocket transport ")
      text.append(isUp ? "send " : "receive ")
      text.append(contentsOf: message)
    case .arrows:
      time.appendISO(0x20, 0x2E, to: &text)
      text.append(" DEBUG 4711 --- [ws-client-1] c.example.realtime.WampTransport : ")
      text.append(isUp ? ">> " : "<< ")
      text.append(contentsOf: message)
    case .record:
      text.append("{\"ts\":\"")
      time.appendISO(0x54, 0x2E, to: &text)
      text.append("Z\",\"level\":\"debug\",\"logger\":\"app.ws\",\"msg\":\"")
      text.append(isUp ? "Sent text: " : "Received text: ")
      for byte in message {
        if byte == 0x22 { text.append(0x5C) }
        text.append(byte)
      }
      text.append("\",\"connection\":17}")
    case .python:
      time.appendISO(0x20, 0x2C, to: &text)
      text.append(" DEBUG [autobahn.wamp.websocket] ")
      text.append(isUp ? "TX WAMP: " : "RX WAMP: ")
      Self.appendLiteral(message, to: &text)
    }
  }

  /// In the notation of Python's `repr`.
  private static func appendLiteral(_ message: [UInt8], to text: inout [UInt8]) {
    var isInside = false
    var at = 0
    while at < message.count {
      let byte = message[at]
      at += 1
      switch byte {
      case 0x22:
        isInside.toggle()
        text.append(0x27)
      case 0x2C, 0x3A:
        text.append(byte)
        if !isInside { text.append(0x20) }
      case UInt8(ascii: "t") where !isInside:
        text.append("True")
        at += 3
      case UInt8(ascii: "n") where !isInside:
        text.append("None")
        at += 3
      default: text.append(byte)
      }
    }
  }
}
