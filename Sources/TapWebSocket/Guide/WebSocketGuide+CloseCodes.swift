// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension WebSocketGuide {
  static let closeCodes: [Topic] = [
    code(
      1000, "The purpose of the connection is fulfilled.", "Either side is done.",
      "Not a word about WAMP: a session that ends by it without GOODBYE was cut off."),
    code(
      1001, "The endpoint goes away.",
      "A browser leaves the page or reloads it; a server is shut down."),
    code(
      1002, "The other side broke the protocol.",
      """
      A frame that is not allowed; or an error of WAMP, which Autobahn and Crossbar report this \
      way, with a reason that begins with "WAMP Protocol Error" and without an ABORT.
      """, "Look at the last messages that the other side had sent."),
    code(
      1003, "The endpoint cannot accept this kind of data.",
      "A binary message where only text is understood, or the reverse."),
    code(1004, "Reserved; it has no meaning.", "A broken sender.", "It must never be sent."),
    code(
      1005, "There was no code: the CLOSE frame was empty.",
      "An endpoint that closes without saying why.",
      """
      It is never on the wire. Applications see it locally; one that sends it breaks the protocol.
      """),
    code(
      1006, "The connection ended without any CLOSE frame.",
      """
      A process that was killed, a network that went away, a proxy or load balancer whose idle \
      timeout passed (60 seconds is common), or a handshake that failed.
      """,
      """
      It is never on the wire: applications see it locally. Look in the capture for which side \
      sent FIN or RST, and how long the connection was silent before. PINGs help against idle \
      timeouts.
      """),
    code(
      1007, "A message was not what its type promises: text that is not UTF-8.",
      "Binary sent as text, or a string that was cut in the middle of a character."),
    code(
      1008, "A message violates a policy of the endpoint.",
      "A general refusal: an expired login, an Origin, a rate limit."),
    code(
      1009, "A message is too big to be processed.",
      "A limit of the server (1 MiB is common) or of a proxy; compressed messages count inflated."),
    code(
      1010, "The client expected an extension that the server did not negotiate.",
      "A client that cannot do without it.", "Only a client sends it."),
    code(
      1011, "The endpoint met a condition that kept it from going on.",
      "An uncaught exception in the server. Autobahn also sends it for internal errors.",
      "See the log of the side that sent it."),
    code(
      1012, "The service is restarted.", "A deployment.",
      "Clients should connect again after a random delay of 5 to 30 seconds.", iana: true),
    code(
      1013, "The server is overloaded: try again later.",
      "A load balancer or server that sheds load.", "Connect elsewhere, or wait.", iana: true),
    code(
      1014, "The server is a gateway and had an invalid answer from behind it.",
      "The application behind the proxy is down, as with HTTP 502.", iana: true),
    code(
      1015, "The TLS handshake failed.", "A certificate that is expired or not trusted.",
      "It is never on the wire: applications see it locally."),
    code(
      3000, "The endpoint must be authorized to do this.", "As HTTP 401.", iana: true),
    code(
      3003, "The endpoint is authorized, but may not do this.", "As HTTP 403.", iana: true),
    code(
      3008, "The endpoint took too long to respond.", "As HTTP 408.", iana: true),
    range(
      1016...2999, "Reserved for the protocol, its revisions and extensions.",
      "An endpoint that makes up codes; it should take one from 4000 to 4999."),
    range(
      3000...3999, "For libraries, frameworks and applications, registered with IANA.",
      "See what the library says of it; many use a code without registering it."),
    range(
      4000...4999, "Private: what it means is agreed upon by the application.",
      "See what the application says of it; the reason often helps."),
  ]

  private static let group = Topic.Group("WebSocket close codes", "WebSocket close code")

  private static func code(
    _ code: UInt16, _ summary: String, _ cause: String, _ beware: String = "", iana: Bool = false
  ) -> Topic {
    let name = CloseCode.name(code).description
    return Topic(
      group, "\(code)", summary, label: "WebSocket close code, \(name)",
      numbers: UInt64(code)...UInt64(code), aliases: [name],
      [
        .sender(CloseCode.maySend(code) ? "either side, in a CLOSE frame" : "nobody"),
        Topic.Part("Shown as", .lines(shown(code))),
        .causes(cause), .beware(beware),
      ],
      source: iana ? "IANA, WebSocket Close Code Number Registry" : "RFC 6455 §7.4.1")
  }

  /// The output line for a code, if it can occur.
  private static func shown(_ code: UInt16) -> [String] {
    switch code {
    case 1005: ["#1 ←  CLOSE"]
    case 1006: ["#1 ·  closed by the server without a CLOSE frame"]
    default:
      CloseCode.maySend(code) ? ["#1 ←  CLOSE       code \(code) \(CloseCode.name(code))"] : []
    }
  }

  private static func range(
    _ numbers: ClosedRange<UInt64>, _ summary: String, _ cause: String
  ) -> Topic {
    Topic(
      group, "\(numbers.lowerBound)–\(numbers.upperBound)", summary,
      label: "WebSocket close codes", numbers: numbers, [.causes(cause)],
      source: "RFC 6455 §7.4.2")
  }
}
