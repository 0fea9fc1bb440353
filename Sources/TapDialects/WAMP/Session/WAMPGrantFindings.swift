// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPGrantFindings``.
extension Finding.Code {
  static let subscriptionLeftOpen: Self = "wamp.subscription-left-open"
  static let registrationLeftOpen: Self = "wamp.registration-left-open"
  static let eventUnknownSubscription: Self = "wamp.event-unknown-subscription"
  static let eventAfterUnsubscribed: Self = "wamp.event-after-unsubscribed"
  static let eventBeforeSubscribed: Self = "wamp.event-before-subscribed"
  static let unsubscribeUnknown: Self = "wamp.unsubscribe-unknown"
  static let unsubscribeTwice: Self = "wamp.unsubscribe-twice"
  static let unregisterUnknown: Self = "wamp.unregister-unknown"
  static let revoked: Self = "wamp.revoked"
  static let revocationUnknownID: Self = "wamp.revocation-unknown-id"
  static let invocationUnknownRegistration: Self = "wamp.invocation-unknown-registration"
  static let invocationAfterUnregistered: Self = "wamp.invocation-after-unregistered"
  static let uriInvalid: Self = "wamp.uri-invalid"
  static let uriReserved: Self = "wamp.uri-reserved"
}

/// Explanations of findings about subscriptions and registrations.
enum WAMPGrantFindings {
  static let all: [Explanation] = [
    Explanation(
      .subscriptionLeftOpen, .note, or: .warning,
      "A subscription was never unsubscribed before the session ended.",
      cause: "A handler that is never taken down, or a router that refused UNSUBSCRIBE.",
      remedy: """
        Harmless at the end of a session; a leak where handlers come and go within it. It is a \
        warning when a client leaves more with each session: it subscribes again when it \
        reconnects, on top of what its library restores.
        """,
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .registrationLeftOpen, .note,
      "A registration was never unregistered before the session ended.",
      cause: "A callee that just leaves, or a router that refused UNREGISTER.",
      remedy: "Harmless: it ends with the session.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .eventUnknownSubscription, .error,
      "EVENT names a subscription that the session was never granted.",
      cause: "A router that mixes sessions up, or a mock with a fixed id.",
      remedy: "Compare the id with that of SUBSCRIBED.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .eventAfterUnsubscribed, .error,
      "EVENT came after its subscription had ended.",
      cause: "A race within the router.",
      remedy: "Let the client ignore it; report it to the authors of the router.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .eventBeforeSubscribed, .error,
      "EVENT came before the SUBSCRIBED that brings its subscription.",
      cause: "A race within the router: the client cannot know whose event it is.",
      remedy: "Report it to the authors of the router.",
      source: "WAMP, \"Ordering Guarantees\""),
    Explanation(
      .unsubscribeUnknown, .warning,
      "UNSUBSCRIBE names a subscription that the session does not hold.",
      cause:
        "The id of another session, of before a reconnect, or of a subscription that has ended.",
      remedy: "Forget all ids when a session ends.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .unsubscribeTwice, .warning,
      "UNSUBSCRIBE was sent again before the first was answered.",
      cause: "Two handlers that share a subscription, and both end it.",
      remedy: "Count the handlers of a subscription; end it with the last.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .unregisterUnknown, .warning,
      "UNREGISTER names a registration that the session does not hold.",
      cause:
        "The id of another session, of before a reconnect, or of a registration that has ended.",
      remedy: "Forget all ids when a session ends.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .revoked, .warning,
      "The router took a subscription or a registration back.",
      cause: "An administrator, or another callee that forced its registration.",
      remedy: "See the reason in the details of the message.",
      source: "WAMP, \"Registration Revocation\""),
    Explanation(
      .revocationUnknownID, .error,
      "The router took back what the session was never granted.",
      cause: "A router that mixes sessions up.",
      remedy: "Report it to the authors of the router.",
      source: "WAMP, \"Registration Revocation\""),
    Explanation(
      .invocationUnknownRegistration, .error,
      "INVOCATION names a registration that the session was never granted.",
      cause: "A router that mixes sessions up, or a mock with a fixed id.",
      remedy: "Compare the id with that of REGISTERED.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .invocationAfterUnregistered, .error,
      "INVOCATION came after its registration had ended.",
      cause: "A race within the router.",
      remedy: "Answer with ERROR; report it to the authors of the router.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .uriInvalid, .error,
      "A URI has white space, a # or an empty component where none is allowed.",
      cause: "A name for people, or a variable that was empty when the URI was put together.",
      remedy: "Use words without spaces, joined by dots; only patterns may have empty components.",
      source: "WAMP, \"URIs\""),
    Explanation(
      .uriReserved, .error,
      "A client registers or publishes a URI under wamp., which is reserved.",
      cause: "A procedure or a topic of the application that is named like one of the router.",
      remedy: "Use a namespace of your own, such as com.example.",
      source: "WAMP, \"URIs\""),
  ]
}
