// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPv1Findings``.
extension Finding.Code {
  static let versionMismatch: Self = "wamp.v1-on-v2"
  static let v1PrefixUnknown: Self = "wamp.v1-prefix-unknown"
  static let v1URIInvalid: Self = "wamp.v1-uri-invalid"
  static let v1Version: Self = "wamp.v1-version"
  static let v1WelcomeMissing: Self = "wamp.v1-welcome-missing"
  static let v1EventUnsubscribed: Self = "wamp.v1-event-unsubscribed"
}

/// Explanations of findings about WAMP v1 that v2 does not have.
enum WAMPv1Findings {
  static let all: [Explanation] = [
    Explanation(
      .versionMismatch, .error,
      "A message of one version of WAMP came on a connection that speaks the other.",
      cause: "A client library of WAMP v1 that was pointed at a router of v2, or the reverse.",
      remedy: """
        See what was negotiated: wamp is v1, wamp.2.json and its kin are v2. The two have no \
        message in common.
        """,
      source: "WAMP v1, \"Messages\"; WAMP, \"Message Codes and Direction\""),
    Explanation(
      .v1PrefixUnknown, .warning,
      "A name is abbreviated by a prefix that was never declared, or is not remembered.",
      cause:
        "A client that sends PREFIX late, not at all, or on a former connection only.",
      remedy: "Send PREFIX first on each connection: prefixes end with it.",
      source: "WAMP v1, \"URIs and CURIEs\""),
    Explanation(
      .v1URIInvalid, .warning,
      "The name of a topic or a procedure is neither a URI nor a CURIE.",
      cause: "A mere word for a name, as other protocols have them.",
      remedy: "Use a URI such as http://example.com/simple, or declare a prefix for it.",
      source: "WAMP v1, \"URIs and CURIEs\""),
    Explanation(
      .v1Version, .warning,
      "WELCOME names another version of the protocol than 1.",
      cause: "A server that was not written for the client at hand.",
      remedy: "A client that does not know the version must close the connection.",
      source: "WAMP v1, \"WELCOME Message\""),
    Explanation(
      .v1WelcomeMissing, .error,
      "The first message of the server is not WELCOME.",
      cause: "A server that speaks another protocol under the subprotocol wamp.",
      remedy: "Send WELCOME as soon as the connection is open.",
      source: "WAMP v1, \"WELCOME Message\""),
    Explanation(
      .v1EventUnsubscribed, .warning,
      "The server sent an EVENT of a topic that the client has not subscribed to.",
      cause: "A server that sends events to everybody, or names the topic in another way.",
      remedy: "Compare the URI of the EVENT with those of the SUBSCRIBE messages.",
      source: "WAMP v1, \"EVENT Message\""),
  ]
}
