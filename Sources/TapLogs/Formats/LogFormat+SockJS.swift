// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// sockjs-client with `DEBUG=sockjs-client:*`. It prints a message several times: what it
  /// receives is read where all transports meet, what it sends where it leaves.
  ///
  ///     sockjs-client:main _transportMessage a["hello"]
  ///     sockjs-client:websocket send ["hello"]
  static let sockJS = LogFormat(
    name: "sockjs-client", title: "sockjs-client",
    rules: [
      LogRule("js-client:main _transportMessage ", .received, .packet(frames), of: "sockjs"),
      LogRule("js-client:websocket send ", .sent, .packet(frames), of: "sockjs"),
      LogRule("/xhr_send ", .sent, .packet(frames), of: "sockjs"),
      LogRule("sockjs-client:", .unsaid, .ignored),
    ],
    side: .client, anchors: ["js-client:"])

  private static let frames = [LogRule.PacketHead("", "")]
}
