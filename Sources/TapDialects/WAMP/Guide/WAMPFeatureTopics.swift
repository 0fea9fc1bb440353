// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPFeatureTopics {
  static let roles: [Topic] = [
    role("publisher", "A client that publishes events.", "PUBLISH", "PUBLISHED, ERROR"),
    role(
      "subscriber", "A client that subscribes to topics and receives their events.",
      "SUBSCRIBE, UNSUBSCRIBE", "SUBSCRIBED, UNSUBSCRIBED, EVENT, ERROR"),
    role("caller", "A client that calls procedures.", "CALL, CANCEL", "RESULT, ERROR"),
    role(
      "callee", "A client that offers procedures and runs them.",
      "REGISTER, UNREGISTER, YIELD, ERROR",
      "REGISTERED, UNREGISTERED, INVOCATION, INTERRUPT, ERROR"),
    role(
      "broker", "The part of a router that passes events from publishers to subscribers.",
      "PUBLISHED, SUBSCRIBED, UNSUBSCRIBED, EVENT, ERROR", "PUBLISH, SUBSCRIBE, UNSUBSCRIBE"),
    role(
      "dealer", "The part of a router that passes calls to callees and results to callers.",
      "REGISTERED, UNREGISTERED, INVOCATION, INTERRUPT, RESULT, ERROR",
      "REGISTER, UNREGISTER, YIELD, CALL, CANCEL, ERROR"),
  ]

  private static func role(
    _ name: String, _ summary: String, _ sends: String, _ receives: String
  ) -> Topic {
    let isRouter = name == "broker" || name == "dealer"
    return Topic(
      Topic.Group("WAMP roles", "WAMP role"), name, summary,
      [
        Topic.Part("Sends", .prose(sends)), Topic.Part("Receives", .prose(receives)),
        Topic.Part(
          "Announced in",
          .prose("\(isRouter ? "WELCOME" : "HELLO").Details.roles.\(name), with its features")),
      ], source: "WAMP, \"Peers and Roles\"")
  }

  static let features: [Topic] = [
    feature(
      "progressive_call_results", "caller, dealer, callee",
      "A call may have several results: YIELD and RESULT with progress, then a last one without.",
      "CALL.Options.receive_progress asks for it. The callee must have call_canceling too."),
    feature(
      "progressive_call_invocations", "caller, dealer, callee",
      "The arguments of a call may be sent in parts: CALLs with the same request id and progress.",
      """
      Only Options.progress counts behind the first part. Using it unannounced is a protocol error.
      """),
    feature(
      "call_timeout", "dealer; callee if it handles timeouts itself",
      "A call ends with wamp.error.timeout when it has no answer in CALL.Options.timeout ms.",
      "With progressive results it limits the time to the first result and between results."),
    feature(
      "call_canceling", "caller, dealer, callee", "A call may be given up: CANCEL and INTERRUPT.",
      "If the callee lacks it, every mode acts as skip: the callee is not notified.",
      aliases: ["call_cancelling"]),
    feature(
      "caller_identification", "caller, dealer, callee",
      "The callee may learn who calls: Details.caller of INVOCATION.",
      "By CALL.Options.disclose_me, REGISTER.Options.disclose_caller, or the router's policy."),
    feature(
      "call_trustlevels", "dealer, callee",
      "The dealer rates callers: Details.trustlevel of INVOCATION, 0 the lowest."),
    feature(
      "call_reroute", "dealer, callee",
      "A callee that answers with wamp.error.unavailable is passed over for another one."),
    feature(
      "registration_meta_api", "dealer",
      "Registrations can be asked for and watched by wamp.registration.* of the router."),
    feature(
      "pattern_based_registration", "dealer, callee",
      "A callee may register a prefix or a wildcard: REGISTER.Options.match.",
      "INVOCATION.Details.procedure says which procedure was called."),
    feature(
      "shared_registration", "dealer, callee",
      "Several callees may share a procedure: REGISTER.Options.invoke.",
      "All must use the same policy, or get wamp.error.procedure_already_exists."),
    feature(
      "sharded_registration", "caller, dealer, callee",
      "Calls are spread over callees by a key: CALL.Options.runmode and rkey."),
    feature(
      "registration_revocation", "dealer, callee",
      "The dealer may take a registration back: UNREGISTERED with request 0.",
      "A callee that did not announce it is not notified."),
    feature(
      "session_meta_api", "broker and dealer",
      "Sessions can be asked for, watched and ended by wamp.session.* of the router."),
    feature(
      "testament_meta_api", "dealer",
      "A session may leave events to be published when it ends: wamp.session.add_testament."),
    feature(
      "subscriber_blackwhite_listing", "publisher, broker",
      "A publisher may choose who receives an event: PUBLISH.Options.eligible*, exclude*.",
      "All lists must allow a receiver. With an empty eligible list, there is no receiver."),
    feature(
      "publisher_exclusion", "publisher, broker",
      "A publisher may receive its own event: PUBLISH.Options.exclude_me false.",
      "The default is true: a session does not receive its own events."),
    feature(
      "publisher_identification", "publisher, broker, subscriber",
      "Subscribers may learn who published: Details.publisher of EVENT.",
      "By PUBLISH.Options.disclose_me, or the router's policy."),
    feature(
      "publication_trustlevels", "broker, subscriber",
      "The broker rates publications: Details.trustlevel of EVENT, 0 the lowest."),
    feature(
      "subscription_meta_api", "broker",
      "Subscriptions can be asked for and watched by wamp.subscription.* of the router."),
    feature(
      "pattern_based_subscription", "broker, subscriber",
      "A subscriber may subscribe to a prefix or a wildcard: SUBSCRIBE.Options.match.",
      "EVENT.Details.topic says which topic was published to."),
    feature(
      "sharded_subscription", "publisher, broker, subscriber",
      "Events are spread over subscribers by a key: PUBLISH.Options.rkey, SUBSCRIBE.Options.nkey.",
      aliases: ["shareded_subscriptions"]),
    feature(
      "event_history", "broker",
      "Past events of a subscription can be asked for: wamp.subscription.get_events."),
    feature(
      "event_retention", "broker",
      "The last event of a topic is kept for later subscribers: PUBLISH.Options.retain.",
      "SUBSCRIBE.Options.get_retained asks for it; the EVENT then has Details.retained."),
    feature(
      "subscription_revocation", "broker, subscriber",
      "The broker may take a subscription back: UNSUBSCRIBED with request 0.",
      "A subscriber that did not announce it is not notified."),
    feature(
      "payload_passthru_mode", "all six",
      "The router passes payloads on without looking into them: ppt_scheme and its like.",
      "Arguments then hold one binary value. Using it unannounced is a protocol error."),
    feature(
      "reflection", "broker, dealer", "Procedures, topics and errors can be described and listed.",
      "It stands directly under the role, not under features."),
    feature(
      "payload_transparency", "all six (Autobahn, Crossbar)",
      "An older form of payload_passthru_mode: enc_algo, and the payload in place of Arguments."),
    feature(
      "payload_encryption_cryptobox", "all six (Autobahn, Crossbar)",
      "Payloads are encrypted from end to end: enc_algo cryptobox."),
    feature(
      "x_acknowledged_event_delivery", "publisher, broker (Autobahn)",
      "Subscribers acknowledge events: EVENT_RECEIVED."),
  ]

  private static func feature(
    _ name: String, _ roles: String, _ summary: String, _ beware: String = "",
    aliases: [String] = []
  ) -> Topic {
    Topic(
      Topic.Group("WAMP features", "WAMP feature"), name, summary, aliases: aliases,
      [
        Topic.Part("Announced by", .prose(roles)),
        Topic.Part(
          "Announced in",
          .prose(
            "HELLO or WELCOME: "
              + (name == "reflection"
                ? "Details.roles.ROLE.reflection" : "Details.roles.ROLE.features.\(name)"))),
        .beware(beware),
      ], source: "WAMP, \"Feature Announcement\"")
  }
}
