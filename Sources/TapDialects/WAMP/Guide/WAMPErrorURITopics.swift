// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPErrorURITopics {
  static let all: [Topic] = requestErrors + accessErrors + seenErrors

  /// Errors of requests.
  private static let requestErrors: [Topic] = [
    error(
      "invalid_uri", "any request with a URI", "The URI is malformed, or it may not be used.",
      "An empty component, white space or #; or a client that registers or publishes under wamp."),
    error(
      "no_such_procedure", "CALL", "Nothing is registered for the procedure that was called.",
      "A misspelt URI, another realm, or a callee that is not up yet or has lost its session."),
    error(
      "procedure_already_exists", "REGISTER", "Another session has registered the procedure.",
      """
      Two instances of a callee without Options.invoke, another policy than theirs, or the stale \
      session of a callee that reconnected.
      """),
    error(
      "no_such_registration", "UNREGISTER, wamp.registration.*", "There is no such registration.",
      "Unregistered twice, revoked, or an id of an earlier session."),
    error(
      "no_such_subscription", "UNSUBSCRIBE, wamp.subscription.*", "There is no such subscription.",
      "Unsubscribed twice, revoked, or an id of an earlier session."),
    error(
      "no_such_session", "wamp.session.*", "There is no such session.",
      "It has ended in the meantime; or a session tries to kill itself."),
    error(
      "invalid_argument", "CALL, PUBLISH, meta procedures",
      "The arguments were rejected by the callee, or by the router where it checks payloads.",
      "A caller and a callee of different versions. The message often stands in Arguments."),
    error(
      "canceled", "CALL", "The call was given up.",
      "The caller canceled it, or the callee left before it had answered.",
      aliases: ["wamp.error.cancelled"]),
    error(
      "payload_size_exceeded", "any", "The payload is larger than the transport of a peer allows.",
      "A file or a long list in one message, or a low limit in the router's configuration."),
    error(
      "timeout", "CALL", "The call had no answer in time.",
      "A callee that hangs or is overloaded, or Options.timeout in seconds: it is milliseconds."),
    error(
      "option_not_allowed", "any", "The router refuses an option.",
      "A policy of the router, or an authrole that may not use it."),
    error(
      "option_disallowed.disclose_me", "CALL, PUBLISH",
      "The router does not allow the caller or publisher to disclose itself.",
      "A policy of the router.", aliases: ["wamp.error.disclose_me.not_allowed"]),
    error(
      "network_failure", "any", "The router could not reach what the request needs.",
      "A link between routers that is down."),
    error(
      "unavailable", "INVOCATION", "The callee asks to be passed over for another one.",
      "A callee that is overloaded or shuts down (feature call_reroute)."),
    error(
      "no_available_callee", "CALL", "Every callee of the procedure said that it is unavailable.",
      "All of them are overloaded or shutting down."),
    error(
      "feature_not_supported", "CALL, YIELD", "The far peer lacks the feature that is asked for.",
      "Progressive invocations or payload passthru with a peer that did not announce them."),
  ]

  /// Errors of joining, and of everything that needs permission.
  private static let accessErrors: [Topic] = [
    error(
      "protocol_violation", "ABORT", "The peer broke the protocol.",
      "The message before the ABORT: look there. Its arity, its order, or an id."),
    error(
      "not_authorized", "CALL, REGISTER, PUBLISH, SUBSCRIBE, HELLO",
      "The session may not do this.",
      "A permission that the authrole lacks for this URI, or for this action on it."),
    error(
      "authorization_failed", "the same", "Whether the session may do this could not be decided.",
      "The authorizer of the router, often a procedure of its own, failed or is not there."),
    error(
      "authorization_denied", "the same", "The principal may not do this.",
      "A permission that is missing for the authrole."),
    error(
      "authorization_required", "the same", "The client is not authorized to do this.",
      "A session that joined anonymously."),
    error(
      "no_such_realm", "ABORT", "The router has no such realm.",
      "A misspelt realm, or a client that has the configuration of another environment."),
    error(
      "no_such_role", "ABORT", "The authrole does not exist.",
      "An authenticator that grants a role which the realm does not have."),
    error(
      "no_such_principal", "ABORT", "The authid does not exist.",
      "A misspelt user, or one of another realm."),
    error(
      "no_matching_auth_method", "ABORT", "None of the methods that the client offers will do.",
      "HELLO.Details.authmethods without the one that the router is configured for."),
    error(
      "authentication_denied", "ABORT", "The credentials are wrong.",
      "A wrong password, ticket or key, or an expired token."),
    error(
      "authentication_failed", "ABORT", "Whether the credentials are right could not be decided.",
      "The authenticator of the router failed, or a challenge was answered out of form."),
    error(
      "authentication_required", "ABORT", "Anonymous clients may not join.",
      "A client without credentials, or whose credentials were not configured."),
  ]

  /// Not in the specification, but sent by implementations.
  private static let seenErrors: [Topic] = [
    seen(
      "runtime_error", "CALL", "An exception in the callee that it did not catch.",
      "A bug in the callee; Arguments have the message, and the keyword traceback the place.",
      of: "Autobahn"),
    seen(
      "invalid_payload", "CALL, PUBLISH", "The payload could not be read.",
      "Another serializer or encryption than the peer expects.", of: "Autobahn, Crossbar"),
    seen(
      "procedure_exists_with_different_invocation_policy", "REGISTER",
      "The procedure is shared with another Options.invoke.",
      "Callees that do not agree on the policy.", of: "Crossbar"),
    seen(
      "no_auth_method", "ABORT", "None of the methods that the client offers will do.",
      "HELLO.Details.authmethods without the one that the router is configured for.",
      of: "Crossbar"),
    seen(
      "cannot_authenticate", "ABORT of the client", "The client cannot answer the CHALLENGE.",
      "A client without a secret, or without the method that the router chose.",
      of: "Autobahn, wampy"),
    seen(
      "no_payload_codec", "CALL, PUBLISH", "There is no key to decrypt the payload with.",
      "A peer that has no payload codec set up for the URI.", of: "Autobahn"),
    seen(
      "encryption.trusted_uri_mismatch", "CALL, PUBLISH",
      "The URI inside the encrypted payload is another than the one outside.",
      "A router that rewrites URIs, or an attempt to deceive.", of: "Autobahn"),
    seen(
      "encryption.decrypt_error", "CALL, PUBLISH", "The payload could not be decrypted.",
      "Peers with different keys.", of: "Autobahn"),
    seen(
      "type_check_error", "CALL", "The arguments have other types than the procedure declares.",
      "A caller and a callee of different versions.", of: "Autobahn"),
    seen(
      "unregistered", "UNREGISTERED with request 0",
      "The registration was taken by another callee.", "force_reregister of the other callee.",
      of: "Crossbar"),
    seen(
      "history_unavailable", "wamp.subscription.get_events", "No events of the topic are kept.",
      "A topic without event history in the router's configuration.", of: "Crossbar"),
    seen(
      "testament_error", "wamp.session.add_testament", "The testament was refused.",
      "A scope other than destroyed or detached.", of: "Crossbar"),
    seen(
      "invalid_configuration", "any", "The router is configured in a way that cannot work.",
      "See the log of the router.", of: "Crossbar"),
    seen(
      "invocation_exception", "CALL", "An exception in the callee that it did not catch.",
      "A bug in the callee.", of: "wampy"),
    seen(
      "invalid_option", "any", "An option has a value that is not allowed.",
      "A misspelt match, mode or invoke.", of: "wampy"),
    seen("abort", "ABORT", "The client breaks the session off.", "An error in it.", of: "wampy"),
    seen(
      "no_eligible_callee", "CALL", "No callee that could run the procedure may be chosen.",
      "Callees that were excluded, or that are of another shard.", of: "drafts"),
  ]

  private static func error(
    _ name: String, _ context: String, _ summary: String, _ cause: String, aliases: [String] = [],
    source: String = "WAMP, \"Predefined URIs\" and \"Error Messages\""
  ) -> Topic {
    Topic(
      Topic.Group("WAMP error URIs", "WAMP error URI"), "wamp.error." + name, summary,
      aliases: aliases,
      [
        Topic.Part("Answers", .prose(context)), .causes(cause),
        .example([
          context.hasPrefix("ABORT")
            ? #"[3,{},"wamp.error.\#(name)"]"#
            : #"[8,\#(request(context)),7,{},"wamp.error.\#(name)"]"#
        ]),
      ], source: source)
  }

  /// The code of the first message type that `context` names; CALL when it names none.
  private static func request(_ context: String) -> UInt64 {
    let name = context.prefix { $0 != "," && $0 != " " }
    let code = WAMPType.codes.first { WAMPType(code: $0)!.name.description == name }
    return code ?? 48
  }

  private static func seen(
    _ name: String, _ context: String, _ summary: String, _ cause: String, of peers: String
  ) -> Topic {
    error(name, context, summary, cause, source: "not in the specification; sent by \(peers)")
  }
}
