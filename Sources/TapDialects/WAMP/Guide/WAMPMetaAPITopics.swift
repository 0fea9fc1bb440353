// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPMetaAPITopics {
  /// EVENTs that the router publishes itself.
  static let events: [Topic] = [
    event(
      "wamp.session.on_join", "A session has joined the realm.",
      "[{session, authid, authrole, authmethod, authprovider, transport}]"),
    event(
      "wamp.session.on_leave", "A session has left the realm.", "[session, authid, authrole]",
      "Older routers send [session] alone."),
    event(
      "wamp.subscription.on_create", "A session is the first to subscribe to a topic or pattern.",
      "[session, {id, created, uri, match}]"),
    event(
      "wamp.subscription.on_subscribe", "A subscriber was added to a subscription.",
      "[session, subscription]"),
    event(
      "wamp.subscription.on_unsubscribe", "A subscriber was removed from a subscription.",
      "[session, subscription]"),
    event(
      "wamp.subscription.on_delete", "The last subscriber has gone.", "[session, subscription]"),
    event(
      "wamp.registration.on_create", "A session is the first to register a procedure or pattern.",
      "[session, {id, created, uri, match, invoke}]"),
    event(
      "wamp.registration.on_register", "A callee was added to a registration.",
      "[session, registration]"),
    event(
      "wamp.registration.on_unregister", "A callee was removed from a registration.",
      "[session, registration]"),
    event("wamp.registration.on_delete", "The last callee has gone.", "[session, registration]"),
  ]

  /// CALLs that the router answers itself.
  static let procedures: [Topic] = [
    procedure("wamp.session.count", "How many sessions there are.", "[authroles?] → number"),
    procedure("wamp.session.list", "Which sessions there are.", "[authroles?] → list of ids"),
    procedure(
      "wamp.session.get", "Who a session is.", "[session] → details, as in on_join",
      fails: "wamp.error.no_such_session"),
    procedure(
      "wamp.session.kill", "Ends a session.", "[session], reason and message by keyword → nothing",
      fails: "wamp.error.no_such_session, also for the caller's own session",
      "It gets a GOODBYE with wamp.close.killed unless a reason is given."),
    procedure(
      "wamp.session.kill_by_authid", "Ends the sessions of an authid.",
      "[authid], reason and message by keyword → list of ids"),
    procedure(
      "wamp.session.kill_by_authrole", "Ends the sessions of an authrole.",
      "[authrole], reason and message by keyword → number"),
    procedure(
      "wamp.session.kill_all", "Ends all sessions but the caller's.",
      "[], reason and message by keyword → number", "No leave events and no testaments follow."),
    procedure(
      "wamp.session.add_testament", "Leaves an event that is published when the session ends.",
      "[topic, arguments, keywords], publish_options and scope by keyword → nothing",
      "The EVENT has no PUBLISH: the router publishes it for a session that is gone."),
    procedure(
      "wamp.session.flush_testaments", "Withdraws the testaments of the session.",
      "[], scope by keyword → nothing"),
    procedure(
      "wamp.subscription.list", "Which subscriptions there are.",
      "[] → {exact, prefix, wildcard}, lists of ids"),
    procedure(
      "wamp.subscription.lookup", "The subscription of exactly this topic or pattern.",
      "[topic, options?] → id or null"),
    procedure(
      "wamp.subscription.match", "The subscriptions that match a topic.",
      "[topic] → list of ids or null"),
    procedure(
      "wamp.subscription.get", "What a subscription is.", "[id] → {id, created, uri, match}",
      fails: "wamp.error.no_such_subscription"),
    procedure(
      "wamp.subscription.list_subscribers", "Who has a subscription.", "[id] → list of sessions",
      fails: "wamp.error.no_such_subscription"),
    procedure(
      "wamp.subscription.count_subscribers", "How many have a subscription.", "[id] → number",
      fails: "wamp.error.no_such_subscription"),
    procedure(
      "wamp.subscription.get_events", "Past events of a subscription.",
      "[subscription], limit, reverse and from_time by keyword, among others → list of events",
      fails: "wamp.error.no_such_subscription"),
    procedure(
      "wamp.registration.list", "Which registrations there are.",
      "[] → {exact, prefix, wildcard}, lists of ids"),
    procedure(
      "wamp.registration.lookup", "The registration of exactly this procedure or pattern.",
      "[procedure, options?] → id or null"),
    procedure(
      "wamp.registration.match", "The registration that a call of a procedure would reach.",
      "[procedure] → id or null"),
    procedure(
      "wamp.registration.get", "What a registration is.",
      "[id] → {id, created, uri, match, invoke}", fails: "wamp.error.no_such_registration"),
    procedure(
      "wamp.registration.list_callees", "Who has a registration.", "[id] → list of sessions",
      fails: "wamp.error.no_such_registration"),
    procedure(
      "wamp.registration.count_callees", "How many have a registration.", "[id] → number",
      fails: "wamp.error.no_such_registration"),
  ]

  /// `wamp.session.on_join` belongs to the Session Meta API.
  private static func api(_ name: String) -> String {
    if name.hasSuffix("_events") { return "Event History" }
    if name.hasSuffix("testament") || name.hasSuffix("testaments") { return "Session Testament" }
    let subject = name.split(separator: ".")[1]
    return subject.prefix(1).uppercased() + subject.dropFirst() + " Meta API"
  }

  private static func event(
    _ name: String, _ summary: String, _ arguments: String, _ beware: String = ""
  ) -> Topic {
    Topic(
      Topic.Group("WAMP meta events", "WAMP meta event"), name, summary,
      [
        Topic.Part("Arguments", .lines([arguments])),
        .sender("the router, as an EVENT of this topic; there is no PUBLISH of it"),
        .beware(beware),
      ], source: "WAMP, \"\(api(name))\"")
  }

  private static func procedure(
    _ name: String, _ summary: String, _ signature: String, fails error: String = "",
    _ beware: String = ""
  ) -> Topic {
    Topic(
      Topic.Group("WAMP meta procedures", "WAMP meta procedure"), name, summary,
      [
        Topic.Part("Signature", .lines([signature])),
        .answered("the router itself: there is no INVOCATION"),
        Topic.Part("Fails with", .prose(error)), .beware(beware),
      ], source: "WAMP, \"\(api(name))\"")
  }
}
