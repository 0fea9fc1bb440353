// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WebSocketFindings``.
extension Finding.Code {
  static let pingUnanswered: Self = "websocket.ping-unanswered"
  static let pongMismatch: Self = "websocket.pong-mismatch"
  static let closeUnanswered: Self = "websocket.close-unanswered"
  static let leftOpen: Self = "websocket.left-open"
  static let connectionReset: Self = "websocket.connection-reset"
}

extension WebSocketFindings {
  static let endings: [Explanation] = [
    Explanation(
      .pingUnanswered, .warning,
      "A PING was never answered before the connection or the capture ended.",
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
      .pongMismatch, .error,
      "A PONG carries other data than the PING that it should answer.",
      cause: """
        A peer that makes up its PONGs, or changes them, as a proxy may; or one that sends PONGs \
        of its own accord and does not answer PINGs.
        """,
      remedy: """
        A PONG must repeat the payload of the PING: a peer that compares them takes this one for \
        dead. Look at the sender.
        """,
      source: "RFC 6455 §5.5.3"),
    Explanation(
      .closeUnanswered, .warning,
      "A CLOSE was not answered by a CLOSE; one side ended the connection, or did nothing.",
      cause: """
        A process that ends without closing its connections, a library that closes the socket as \
        soon as it reads a CLOSE, or has sent one, or a peer that hangs.
        """,
      remedy: """
        Let the peer answer before it closes the socket: the other side waits for the answer until \
        a timeout, and applications see an unclean close.
        """,
      source: "RFC 6455 §5.5.1"),
    Explanation(
      .leftOpen, .warning,
      "Both sides have sent a CLOSE, and the server did not end the connection.",
      cause: "A server or a proxy that leaves it to the client, or holds the connection open.",
      remedy: """
        The server closes at once. When the client has to, the port stays in TIME-WAIT on its \
        side, and its application waits for the end meanwhile.
        """,
      source: "RFC 6455 §7.1.1"),
    Explanation(
      .connectionReset, .warning,
      "One side reset the connection, or its stream of HTTP/2, without a CLOSE.",
      cause: """
        A process that crashed or was killed, a time limit of a proxy or a load balancer, or \
        data that was left unread when the socket was closed.
        """,
      remedy: """
        Look into the log of the side that sent the reset at that time. Applications see the close \
        code 1006.
        """,
      source: "RFC 6455 §7.1.5, RFC 9293 §3.5.2"),
  ]
}
