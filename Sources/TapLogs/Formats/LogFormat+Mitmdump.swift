// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

extension LogFormat {
  /// mitmdump with `flow_detail` 3 and more; the raw export has a word before each message.
  ///
  ///     127.0.0.1:53868 -> WebSocket text message -> 127.0.0.1:9100/ws
  ///
  ///         [32,1,{},"com.example.onhello"]
  ///
  /// Messages of bytes are dumps, or, if text is most of them, have escapes. So are those of text,
  /// where much of it is no ASCII.
  static let mitmdump = LogFormat(
    name: "mitmdump", title: "mitmdump",
    rules: [
      LogRule("-> WebSocket text message ->", .toServer, .block(.text), writer: .firstWord),
      LogRule("<- WebSocket text message <-", .toClient, .block(.text), writer: .firstWord),
      LogRule("-> WebSocket binary message ->", .toServer, .block(.binary), writer: .firstWord),
      LogRule("<- WebSocket binary message <-", .toClient, .block(.binary), writer: .firstWord),
      LogRule("[OUTGOING] ", .toServer),
      LogRule("[INCOMING] ", .toClient),
    ],
    anchors: ["WebSocket text message ", "WebSocket binary message "])
}
