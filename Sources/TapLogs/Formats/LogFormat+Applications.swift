// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// What listeners of Starscream and SocketRocket, and tasks of URLSession, are usually made to
  /// print on Apple's platforms.
  ///
  ///     Received text: [33,1,5862354]
  ///     Received string("[33,1,5862354]")
  static let apple = LogFormat(
    name: "apple", title: "Starscream or URLSession",
    rules: [
      LogRule("Received text: ", .received),
      LogRule("Sent text: ", .sent),
      LogRule("string(\"", .unsaid),
    ],
    side: .client, traits: [.partial, .generic])

  /// Spring's WebSocket classes at TRACE. They print ten characters of a text; what a server of
  /// SockJS sends, its own classes print before it, eighty characters of it.
  ///
  ///     Handling TextMessage payload=[[33,1,5862..], byteCount=14, last=true] in …
  ///     Preparing to write SockJsFrame content='a["hello"]'
  static let spring = LogFormat(
    name: "spring", title: "Spring",
    rules: framesOfSpring + [
      LogRule("Handling TextMessage payload=[", .received, .clipped),
      LogRule("Sending TextMessage payload=[", .sent, .clipped),
    ],
    traits: [.partial, .layered], anchors: ["Frame content='", "sage payload=["])

  /// The listener of OkHttp's examples, which many applications have copied. Bytes are
  /// hexadecimal.
  static let okHttp = LogFormat(
    name: "okhttp", title: "OkHttp",
    rules: [
      LogRule("MESSAGE: ", .received),
      LogRule("MESSAGE: ", .received, .frame(.hexadecimal)),
      LogRule("CLOSE: ", .received, .frame(.closing)),
    ],
    side: .client, traits: [.partial, .generic],
    rareAnchors: ["MESSAGE: ", "CLOSE: "])

  /// A script that prints what a browser tells it of frames by the Chrome DevTools Protocol: the
  /// name of the event, and the text of the frame. Whole events are an export.
  ///
  ///     Network.webSocketFrameSent: [33,1,5862354]
  static let browser = LogFormat(
    name: "browser-frames", title: "frames of a browser",
    rules: [
      LogRule("Network.webSocketFrameSent: ", .sent),
      LogRule("Network.webSocketFrameReceived: ", .received),
    ],
    side: .client, traits: .ofObjects, anchors: ["webSocketFrameSent: ", "FrameReceived: "])

  /// No program's: words that say who sends what stands right behind them.
  static let words = LogFormat(
    name: "words", title: "lines that say who sends", rules: [],
    traits: .generic)
}
