// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``HTTPFindings``.
extension Finding.Code {
  static let badHead: Self = "http.bad-head"
  static let tooManyRequests: Self = "http.too-many-requests"
  static let upgradeRefused: Self = "http.upgrade-refused"
  static let upgradeUnanswered: Self = "http.upgrade-unanswered"
  static let acceptMismatch: Self = "http.accept-mismatch"
  static let subprotocolNotOffered: Self = "websocket.subprotocol-not-offered"
  static let badUpgrade: Self = "http.bad-upgrade"
  static let badExtension: Self = "websocket.bad-extension"
  static let requestMissing: Self = "http.request-missing"
  static let unreadCoding: Self = "http.unread-coding"
  static let answerLate: Self = "http2.answer-late"
  static let badFrame: Self = "http2.bad-frame"
  static let headersLost: Self = "http2.headers-lost"
  static let framingLost: Self = "http2.framing-lost"
  static let midstream: Self = "http2.midstream"
  static let goAway: Self = "http2.goaway"
  static let tooManyStreams: Self = "http2.too-many-streams"
}

/// Explanations of the findings about the opening handshake.
public enum HTTPFindings {
  public static let all: [Explanation] = [
    Explanation(
      .upgradeRefused, .warning,
      "The server answered an upgrade to WebSocket with another status than 101.",
      cause: """
        Not logged in, or an Origin that is not allowed (401, 403); the wrong path (404); another \
        version of WebSocket (426); a proxy that does not pass Upgrade on (400, 502, 200).
        """,
      remedy: "Look at the status and at the path; ask the same of the server without the proxy.",
      source: "RFC 6455 §4.2.2"),
    Explanation(
      .upgradeUnanswered, .warning, or: .note,
      "Nothing answered an upgrade to WebSocket before its connection ended.",
      cause: """
        A server that hangs or has crashed, a proxy whose server does not answer, or a client that \
        was not patient enough; the answer may also be on its way still when the capture ends.
        """,
      remedy: "Look at the server's log of this request, and at which side closed the connection.",
      source: "RFC 6455 §4.1"),
    Explanation(
      .badUpgrade, .error,
      "The handshake of WebSocket lacks something that is required of it.",
      cause: "A client or a proxy that builds the head by hand, or one of an old draft.",
      remedy: "Compare the head (-vv) with RFC 6455 §1.3; a strict server answers 400 or 426.",
      source: "RFC 6455 §4.1, §4.2.2"),
    Explanation(
      .acceptMismatch, .error,
      "Sec-WebSocket-Accept is missing or does not fit the key that the client sent.",
      cause: "A cache or a proxy answered, or no WebSocket server.",
      remedy: "The client must fail the connection. The Server header says which server answered.",
      source: "RFC 6455 §4.1, §4.2.2"),
    Explanation(
      .subprotocolNotOffered, .error,
      "The server chose a subprotocol that the client did not offer.",
      cause: "A server that answers with a fixed subprotocol, whatever was asked for.",
      remedy: "The client must fail the connection. Let the server choose from what is offered.",
      source: "RFC 6455 §4.1"),
    Explanation(
      .badExtension, .error, or: .warning,
      """
      The server uses an extension that was not offered, or a parameter that is not allowed; as a \
      warning, one that is not known here.
      """,
      cause: "A server or proxy with an extension of its own, or a mistake in its negotiation.",
      remedy: """
        The client must fail the connection when it did not offer it. With an unknown extension, \
        frames may not be read correctly: switch it off for the capture.
        """,
      source: "RFC 6455 §9.1, RFC 7692 §7.1"),
    Explanation(
      .sessionEnded, .warning, isLoss: true,
      "A message of Engine.IO or SockJS over HTTP came after its session: it is not shown.",
      cause: "A client that sends while the server ends the session.",
      remedy: "Look at who ended the session, and why; the message was lost to the server, too.",
      source: "SockJS protocol; Engine.IO protocol"),
    Explanation(
      .requestMissing, .note, isLoss: true,
      """
      An answer to a request that was not captured is not read, on a connection that carries \
      sessions of Engine.IO or SockJS.
      """,
      cause: """
        A capture that begins while a client polls, or lacks packets. The answer does not say of \
        which session it is.
        """,
      remedy: "Begin the capture before the client; what was not captured is not judged.",
      source: "RFC 9112 §9.2"),
    Explanation(
      .unreadCoding, .warning,
      "A body of Engine.IO or SockJS over HTTP has a content coding that is not read.",
      cause: """
        A proxy or a server that compresses with Brotli (br) or Zstandard (zstd), or several \
        times. Only gzip and deflate are read.
        """,
      remedy: """
        Capture between the proxy and the server, let the proxy not compress these paths, or have \
        the client send Accept-Encoding: gzip.
        """,
      source: "RFC 9110 §8.4"),
    Explanation(
      .badHead, .warning,
      """
      An HTTP head is too large, or something that is no HTTP stands where a head should be, or \
      before one.
      """,
      cause: """
        Another protocol on the same port, damage, a head that was not captured whole, or a body \
        that is longer than its Content-Length.
        """,
      remedy: """
        See whether a gap stands before it. What follows is passed over until a head begins a \
        segment.
        """,
      source: "RFC 9112 §2"),
    Explanation(
      .tooManyRequests, .note,
      "More requests of one connection wait for their answers than are remembered.",
      cause: "A test of load that pipelines, or a server whose answers were not captured.",
      remedy: """
        Answers to HEAD, which have no body whatever they say, may be misread among them. An \
        upgrade is remembered in any case.
        """,
      source: "RFC 9112 §9.3.2"),
    Explanation(
      .answerLate, .warning,
      "Very much was sent on an HTTP/2 stream ahead of the answer that agrees to WebSocket.",
      cause: "The answer was not captured, or cannot be read, or the client did not wait for it.",
      remedy: "Its content shows what the stream is. Capture from the beginning, without losses.",
      source: "RFC 8441 §5"),
    Explanation(
      .badFrame, .error,
      "A frame of HTTP/2 breaks a rule, or something else stands where frames should be.",
      cause: "An implementation with a mistake, another protocol on the same port, or damage.",
      remedy: "The peer must end the connection with PROTOCOL_ERROR or FRAME_SIZE_ERROR.",
      source: "RFC 9113 §4, §6"),
    Explanation(
      .headersLost, .warning, isLoss: true,
      "Header fields of one side of an HTTP/2 connection can no longer be read.",
      cause: """
        Fields refer to earlier ones (HPACK), and some of these were not captured, were broken or \
        were too large.
        """,
      remedy: """
        Open WebSocket conversations go on. Later streams are recognised as WebSocket by the \
        answers of the server, or by what they carry. Nothing more of polling is read on this \
        connection. Capture again without losses.
        """,
      source: "RFC 7541 §2.3, RFC 9113 §4.3"),
    Explanation(
      .framingLost, .warning, isLoss: true,
      "Where HTTP/2 frames begin behind a gap is not known yet.",
      cause: "Packets that were not captured.",
      remedy: """
        Skipped bytes are counted. Decoding resumes where two frames follow each \
        other from the beginning of a segment or a TLS record.
        """,
      source: "RFC 9113 §4.1"),
    Explanation(
      .midstream, .note, isLoss: true,
      "An HTTP/2 connection was open when the capture began, and was recognised by its frames.",
      cause: "The capture was started after the client had connected.",
      remedy: """
        Start the capture first: which streams carry WebSocket, and what was agreed on, stands in \
        fields that refer to earlier ones. Until then a stream is recognised by its content.
        """,
      source: "RFC 9113 §4.1, RFC 7541 §2.3.2"),
    Explanation(
      .goAway, .warning,
      "One side ended an HTTP/2 connection with GOAWAY and the code of an error.",
      cause: """
        ENHANCE_YOUR_CALM: the peer asks too much, with too many streams, pings or resets. \
        PROTOCOL_ERROR, COMPRESSION_ERROR and the like: it understood something else.
        """,
      remedy: "All conversations of the connection end with it. See the log of the sender.",
      source: "RFC 9113 §6.8, §7"),
    Explanation(
      .tooManyStreams, .warning,
      "More streams of WebSocket or of polling are open at once over HTTP/2 than are read.",
      cause: "A test of load, or a client that never ends its streams.",
      remedy: "Those that began first are read; the others are counted as bytes that were not."),
  ]
}
