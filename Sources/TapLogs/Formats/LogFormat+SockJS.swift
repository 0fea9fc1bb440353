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
    side: .client, anchors: ["s-client:"])

  /// Frames of a server, as `SockJsFrame` prints them, and as the session below it prints the same.
  static let framesOfSpring = [
    LogRule(
      "SockJsFrame content='", .toClient,
      .packet(frames, until: "'", cut: "...(truncated)"), layer: 1, of: "sockjs"),
    LogRule(
      "Sending TextMessage payload=[o], ", .toClient,
      .packet([LogRule.PacketHead("byteCount=1,", "o")], until: " last="), layer: 2, of: "sockjs"),
    LogRule(
      "Sending TextMessage payload=[h], ", .toClient,
      .packet([LogRule.PacketHead("byteCount=1,", "h")], until: " last="), layer: 2, of: "sockjs"),
    LogRule("Sending TextMessage payload=[a[", .toClient, .packet(unread), layer: 2, of: "sockjs"),
    LogRule("Sending TextMessage payload=[c[", .toClient, .packet(unread), layer: 2, of: "sockjs"),
  ]

  private static let unread = [LogRule.PacketHead("", nil)]
  private static let frames = [LogRule.PacketHead("", "")]
}
