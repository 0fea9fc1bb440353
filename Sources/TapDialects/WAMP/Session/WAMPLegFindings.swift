// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPLegFindings``.
extension Finding.Code {
  static let publishNoReceiver: Self = "wamp.publish-no-receiver"
  static let orderViolation: Self = "wamp.order-violation"
  static let payloadChanged: Self = "wamp.payload-changed"
  static let testamentPublished: Self = "wamp.testament-published"
}

/// Explanations of findings about publications of which both legs were captured.
enum WAMPLegFindings {
  static let all: [Explanation] = [
    Explanation(
      .publishNoReceiver, .warning,
      "No captured session of the realm received the published event.",
      cause: """
        No session has subscribed to the topic, which is often misspelt; exclude and eligible \
        lists; or subscribers that are not authorized.
        """,
      remedy: """
        Compare the topic with those of the SUBSCRIBE messages. It is reported at the end, if all \
        sessions of the realm were captured from their beginning, another one has subscribed to \
        something, and nothing shows that there are others.
        """,
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .orderViolation, .error,
      "EVENTs of one publisher came to one subscriber in another order than they were published.",
      cause: "A router that works on the messages of a session at the same time, or a cluster.",
      remedy: """
        Report it to the authors of the router. It is known by the ids of acknowledged \
        publications; without acknowledgement, nothing shows it.
        """,
      source: "WAMP, \"Ordering Guarantees\""),
    Explanation(
      .payloadChanged, .warning,
      "An EVENT has other arguments than its PUBLISH.",
      cause: """
        A router that validates or transforms payloads, or a conversion between serializers that \
        loses something.
        """,
      remedy: """
        Compare both messages: they have one publication. Reported once for a subscription; \
        how numbers are spelled and the order of keys make no difference.
        """,
      source: "WAMP, \"Serializers\""),
    Explanation(
      .testamentPublished, .note,
      "An EVENT that no PUBLISH brought is the testament of a session that has ended.",
      cause: "The session had called wamp.session.add_testament.",
      remedy: "Nothing is wrong: the router publishes it when the session is gone.",
      source: "WAMP, \"Session Testament\""),
  ]
}
