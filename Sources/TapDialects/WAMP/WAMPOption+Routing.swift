// SPDX-License-Identifier: Apache-2.0

extension WAMPOption {
  /// PUBLISH, SUBSCRIBE, EVENT and the answers to them.
  static let publishing: [WAMPOption] = [
    WAMPOption(
      "acknowledge", [16], .boolean,
      "whether PUBLISHED or ERROR shall answer; without it a refusal is silent"),
    WAMPOption(
      "exclude_me", [16], .boolean,
      "whether the publisher is spared its own event; true when absent",
      feature: "publisher_exclusion", isTrueWhenAbsent: true),
    WAMPOption(
      "exclude", [16], .list, "sessions that shall not get the event", element: .id,
      feature: "subscriber_blackwhite_listing"),
    WAMPOption(
      "exclude_authid", [16], .list, "identities that shall not get the event", element: .string,
      feature: "subscriber_blackwhite_listing"),
    WAMPOption(
      "exclude_authrole", [16], .list, "roles that shall not get the event", element: .string,
      feature: "subscriber_blackwhite_listing"),
    WAMPOption(
      "eligible", [16], .list, "the only sessions that may get the event", element: .id,
      feature: "subscriber_blackwhite_listing"),
    WAMPOption(
      "eligible_authid", [16], .list, "the only identities that may get the event",
      element: .string, feature: "subscriber_blackwhite_listing"),
    WAMPOption(
      "eligible_authrole", [16], .list, "the only roles that may get the event", element: .string,
      feature: "subscriber_blackwhite_listing"),
    WAMPOption(
      "disclose_me", [16], .boolean, "discloses the publisher to subscribers",
      feature: "publisher_identification"),
    WAMPOption(
      "retain", [16], .boolean, "keep the event for later subscribers of the topic",
      feature: "event_retention"),
    WAMPOption("rkey", [16], .string, "the key by which shards are chosen"),
    WAMPOption(
      "match", [32], .string, "exact, prefix or wildcard; exact when absent",
      values: ["exact", "prefix", "wildcard"], feature: "pattern_based_subscription"),
    WAMPOption(
      "get_retained", [32], .boolean, "asks for the retained event of the topic, if there is one",
      feature: "event_retention"),
    WAMPOption("nkey", [32], .string, "the shard that this subscriber serves"),
    WAMPOption(
      "metatopics", [32], .list, "drafts of 2015: events about it too", isExtension: true),
    WAMPOption(
      "metaonly", [32], .anything, "drafts of 2015: only events about it", isExtension: true),
    WAMPOption("publisher", [36], .id, "the session that published"),
    WAMPOption("publisher_authid", [36], .string, "the identity that published"),
    WAMPOption("publisher_authrole", [36], .string, "the role of the one that published"),
    WAMPOption(
      "topic", [36], .uri, "the topic itself, where the subscription is for a pattern"),
    WAMPOption("retained", [36], .boolean, "an event from before the subscription"),
    WAMPOption(
      "trustlevel", [36, 68], .integer, "how far the router trusts the sender; 0 is lowest"),
    WAMPOption(
      "x_acknowledged_delivery", [36], .boolean, "asks for EVENT_RECEIVED", isExtension: true),
    WAMPOption(
      "payload_limit_exceeded", [36], .boolean,
      "the payload was left out because it is too large"),
    WAMPOption("subscription", [35], .id, "the subscription that the router took back"),
    WAMPOption("registration", [67], .id, "the registration that the router took back"),
    WAMPOption("reason", [35, 67], .string, "why the router took it back"),
  ]

  /// CALL, REGISTER, INVOCATION, YIELD and what belongs to them.
  static let calling: [WAMPOption] = [
    WAMPOption(
      "receive_progress", [48], .boolean, "whether the caller takes results in several parts",
      feature: "progressive_call_results"),
    WAMPOption("receive_progress", [68], .boolean, "whether results in several parts are welcome"),
    WAMPOption(
      "progress", [48], .boolean, "whether more parts of this call will follow",
      feature: "progressive_call_invocations"),
    WAMPOption("progress", [68], .boolean, "whether more parts of this call will follow"),
    WAMPOption("progress", [50, 70], .boolean, "whether more results will follow"),
    WAMPOption(
      "timeout", [48], .integer, "milliseconds until the call is given up; 0 is never",
      feature: "call_timeout"),
    WAMPOption("timeout", [68], .integer, "milliseconds that the callee has; it must watch them"),
    WAMPOption(
      "disclose_me", [48], .boolean, "discloses the caller to the callee",
      feature: "caller_identification"),
    WAMPOption("rkey", [48], .anything, "the key by which shards are chosen"),
    WAMPOption("runmode", [48], .string, "partition: the shard of rkey answers"),
    WAMPOption("runon", [48], .string, "older name of runmode", isExtension: true),
    WAMPOption(
      "mode", [49], .string,
      "skip: the caller stops waiting; kill: wait for the callee's end; killnowait: do not",
      values: ["skip", "kill", "killnowait"]),
    WAMPOption(
      "mode", [69], .string, "kill: the callee must answer; killnowait: the answer is not awaited",
      values: ["kill", "killnowait"]),
    WAMPOption(
      "reason", [69], .uri, "why the call is ended: canceled, or timed out", isExtension: true),
    WAMPOption(
      "match", [64], .string, "exact, prefix or wildcard; exact when absent",
      values: ["exact", "prefix", "wildcard"], feature: "pattern_based_registration"),
    WAMPOption(
      "invoke", [64], .string,
      "how calls are shared among callees: single, roundrobin, random, first, last",
      values: ["single", "roundrobin", "random", "first", "last"], feature: "shared_registration"),
    WAMPOption("disclose_caller", [64], .boolean, "the callee wants to know who calls"),
    WAMPOption(
      "forward_timeout", [64], .boolean, "the callee watches the timeout of calls itself"),
    WAMPOption(
      "concurrency", [64], .integer, "calls that the callee takes at once", isExtension: true),
    WAMPOption(
      "force_reregister", [64], .boolean, "takes the procedure away from others that have it",
      isExtension: true),
    WAMPOption("caller", [68], .id, "the session that calls"),
    WAMPOption("caller_authid", [68], .string, "the identity that calls"),
    WAMPOption("caller_authrole", [68], .string, "the role of the one that calls"),
    WAMPOption("caller", [48], .id, "the session that calls, behind a router", isExtension: true),
    WAMPOption(
      "caller_authid", [48], .string, "the identity that calls, behind a router",
      isExtension: true),
    WAMPOption(
      "caller_authrole", [48], .string, "the role of the one that calls, behind a router",
      isExtension: true),
    WAMPOption(
      "procedure", [68], .uri, "the procedure itself, where the registration is for a pattern"),
    WAMPOption("callee", [8, 50, 70], .id, "the session that answered", isExtension: true),
    WAMPOption(
      "callee_authid", [8, 50, 70], .string, "the identity that answered", isExtension: true),
    WAMPOption(
      "callee_authrole", [8, 50, 70], .string, "the role of the one that answered",
      isExtension: true),
  ]

  /// The messages that carry a payload of the application.
  static let carriers: [UInt64] = [8, 16, 36, 48, 50, 68, 70]

  /// Options of payloads that the router forwards unread, and of messages between routers.
  static let payload: [WAMPOption] = [
    WAMPOption(
      "ppt_scheme", carriers, .string, "the payload is opaque to the router; the scheme",
      feature: "payload_passthru_mode"),
    WAMPOption("ppt_serializer", carriers, .string, "how the opaque payload is encoded"),
    WAMPOption("ppt_cipher", carriers, .string, "how the opaque payload is encrypted"),
    WAMPOption("ppt_keyid", carriers, .string, "which key opens the payload"),
    WAMPOption(
      "enc_algo", carriers, .string, "older form of ppt_scheme", isExtension: true),
    WAMPOption(
      "enc_serializer", carriers, .string, "older form of ppt_serializer", isExtension: true),
    WAMPOption("enc_key", carriers, .string, "older form of ppt_keyid", isExtension: true),
    WAMPOption(
      "transaction_hash", [16, 36, 48, 68], .string, "the transaction that this belongs to",
      isExtension: true),
    WAMPOption(
      "forward_for", [8, 16, 32, 34, 36, 48, 49, 50, 64, 66, 68, 70], .list,
      "for whom a router sends this: the way it came between routers", isExtension: true),
  ]
}
