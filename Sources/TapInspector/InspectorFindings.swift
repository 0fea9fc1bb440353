// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``InspectorFindings``.
extension Finding.Code {
  static let dialectAmbiguous: Self = "dialect.ambiguous"
  static let dialectLate: Self = "dialect.recognised-late"
  static let handshakeMissing: Self = "websocket.handshake-missing"
  static let nonceReused: Self = "http.key-reused"
  static let reconnectStorm: Self = "connection.reconnect-storm"
  static let connectionRefused: Self = "connection.refused"
  static let connectionUnanswered: Self = "connection.unanswered"
  static let reconnectBackoff: Self = "connection.reconnect-backoff"
  static let overtaken: Self = "capture.out-of-time"
}

/// Explanations of the findings about the choice of layers.
enum InspectorFindings {
  static let all: [Explanation] = dialects + connections

  /// About the dialect of messages.
  static let dialects: [Explanation] = [
    Explanation(
      .dialectAmbiguous, .note, "By its message, a conversation may speak one dialect or another.",
      cause: "The message has a form that several protocols share, and no subprotocol was chosen.",
      remedy: "If it is read wrong, say what it speaks: --dialect NAME.", source: "wamptap"),
    Explanation(
      .dialectLate, .note,
      "A later message of a connection, not the first, showed its protocol.",
      cause: "The application sends something of its own first.",
      remedy: "Say what it speaks, and all of it is read so: --dialect NAME.", source: "wamptap"),
  ]

  private static let connections: [Explanation] = [
    Explanation(
      .overtaken, .note,
      "Messages that were recognised late come behind others that were captured after them.",
      cause: """
        A connection that was joined midway, or a hole, was waited for so long that what came \
        meanwhile filled the room for it.
        """,
      remedy: "Sort by time (jq -s 'sort_by(.time)'), or capture less: -f 'port …'.",
      source: "wamptap"),
    Explanation(
      .handshakeMissing, .note, isLoss: true,
      "The upgrade was not captured; WebSocket was recognised by its frames.",
      cause: "The capture began after the client had connected, or it lost the answer.",
      remedy: """
        Start the capture before the client connects. Until then the subprotocol and the \
        compression are not known, and the client is taken to be the side that masks.
        """,
      source: "RFC 6455 §4"),
    Explanation(
      .reconnectStorm, .warning,
      "A client connects again and again, at once after each connection has ended or was refused.",
      cause: """
        The server or a proxy ends or refuses each connection (a login that fails, a rule that \
        the client breaks, an instance that is being stopped), and the client does not wait \
        before it tries again.
        """,
      remedy: """
        See how the connections end: the CLOSE code, the last message, a reset. Let the client \
        wait longer after each failure, by chance up to 5 s at first, so that many do not come \
        at once.
        """,
      source: "RFC 6455 §7.2.3"),
    Explanation(
      .nonceReused, .warning,
      "A client opens several connections with the same Sec-WebSocket-Key.",
      cause: "A client written by hand that sends the key of an example.",
      remedy: """
        Take 16 bytes from a source of entropy for each connection: the key shows that the answer \
        is one to this handshake, and not an older one out of a cache.
        """,
      source: "RFC 6455 §4.1"),
    Explanation(
      .connectionRefused, .warning,
      "A client tries a closed port again and again; what it would have spoken is not known.",
      cause: "A server that does not run, or listens to another address or port.",
      remedy: """
        Start the server, or correct the address. If the port is none of WebSocket's, filter the \
        capture by those that are.
        """,
      source: "RFC 9293 §3.5.2, RFC 6455 §7.2.3"),
    Explanation(
      .connectionUnanswered, .warning,
      "A client sends its SYN again and again, and nothing comes back.",
      cause: "A host that is down, a wrong address, or a filter that drops packets on the way.",
      remedy: """
        See whether the packets arrive at the server: capture there. If they do, the answers are \
        lost, or this capture has only one direction.
        """,
      source: "RFC 9293 §3.8.1"),
    Explanation(
      .reconnectBackoff, .note,
      "A client waits longer before each new connection.",
      cause: "Its connections end, and it backs off, as it should.",
      remedy: "Nothing about the waiting; see how the connections before it have ended.",
      source: "RFC 6455 §7.2.3"),
  ]
}
