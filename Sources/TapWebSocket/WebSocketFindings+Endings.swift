// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// No PONG came for a PING before the connection or the evidence ended (RFC 6455 §5.5.2).
  static let pingUnanswered: Self = "websocket.ping-unanswered"
  /// A reset, of TCP or of a stream of HTTP/2, ended the connection and no CLOSE frame was sent
  /// (RFC 6455 §7.1.5).
  static let connectionReset: Self = "websocket.connection-reset"
}

extension WebSocketFindings {
  static let endings: [Explanation] = [
    Explanation(
      .pingUnanswered, .warning,
      "A PING was never answered, and the connection ended, or the evidence did.",
      cause: """
        The peer hangs or is gone (a phone asleep, a cable pulled), or a proxy in between holds \
        the connection open for it.
        """,
      remedy: """
        See what the peer sent last. Where this is frequent, ping more often than proxies and NATs \
        forget, and close after one or two missing PONGs.
        """,
      source: "RFC 6455 §5.5.2"),
    Explanation(
      .connectionReset, .warning,
      "One side broke the connection off with a reset, of TCP or its stream; there was no CLOSE.",
      cause: """
        A process that crashed or was killed, a time limit of a proxy or a load balancer, or \
        octets that were left unread when the socket was closed.
        """,
      remedy: """
        Look into the log of the side that sent the reset at that time. Applications see the close \
        code 1006.
        """,
      source: "RFC 6455 §7.1.5, RFC 9293 §3.5.2"),
  ]
}
