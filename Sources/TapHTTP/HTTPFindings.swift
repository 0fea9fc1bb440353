// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What the opening handshake may be found to break, explained.
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
      .badUpgrade, .error,
      "The handshake of WebSocket lacks something that is required of it.",
      cause: "A client or a proxy that builds the head by hand, or one of an old draft.",
      remedy: "Compare the head (-vv) with RFC 6455 §1.3; a strict server answers 400 or 426.",
      source: "RFC 6455 §4.1, §4.2.2"),
    Explanation(
      .acceptMismatch, .error,
      "Sec-WebSocket-Accept is missing or does not fit the key that the client sent.",
      cause: "A cache or a proxy answered, or no WebSocket server.",
      remedy: "The client must fail the connection. Find out who answered: see the Server header.",
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
      .badHead, .warning,
      "An HTTP head is too large, or something that is no HTTP stands where a head should be.",
      cause: "Another protocol on the same port, damage, or a head that was not captured whole.",
      remedy: "See whether a gap stands before it. What follows on this stream is passed over.",
      source: "RFC 9112 §2"),
  ]
}
