// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// mitmdump with `flow_detail` 3 and more; the raw export has a word before each message.
  ///
  ///     127.0.0.1:53868 -> WebSocket text message -> 127.0.0.1:9100/ws
  ///
  ///         [32,1,{},"com.example.onhello"]
  ///
  /// Messages of bytes are dumps, or, if text is most of them, have escapes.
  static let mitmdump = LogFormat(
    name: "mitmdump", title: "mitmdump",
    rules: [
      LogRule("-> WebSocket text message ->", .toServer, at: .below, writer: .firstWord),
      LogRule("<- WebSocket text message <-", .toClient, at: .below, writer: .firstWord),
      LogRule(
        "-> WebSocket binary message ->", .toServer, .block, at: .below, writer: .firstWord),
      LogRule(
        "<- WebSocket binary message <-", .toClient, .block, at: .below, writer: .firstWord),
      LogRule("[OUTGOING] ", .toServer),
      LogRule("[INCOMING] ", .toClient),
    ],
    anchors: ["WebSocket text message ", "WebSocket binary message "])
}
