// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// A feature of the advanced profile, as the roles of HELLO and WELCOME announce it.
public struct WAMPFeature: Sendable {
  public var key: StaticString
  /// The roles that may announce it, a letter each: `P` publisher, `S` subscriber, `B` broker,
  /// `C` caller, `E` callee, `D` dealer.
  public var roles: StaticString
  /// What it allows, in a few words.
  public var meaning: StaticString

  init(_ key: StaticString, _ roles: StaticString, _ meaning: StaticString) {
    (self.key, self.roles, self.meaning) = (key, roles, meaning)
  }

  /// Whether the role of this letter may announce it.
  func has(_ letter: UInt8) -> Bool {
    for at in 0..<roles.utf8CodeUnitCount where roles.utf8Start[at] == letter { return true }
    return false
  }

  /// The roles of a session, by their keys, and what they do.
  public static let roles: [(key: StaticString, meaning: StaticString)] = [
    ("publisher", "sends events"), ("subscriber", "receives events"),
    ("caller", "calls procedures"), ("callee", "offers procedures"),
    ("broker", "routes events"), ("dealer", "routes calls"),
  ]

  /// The bit that stands for a feature in a set; nil when there is no such feature.
  static func bit(of key: StaticString) -> UInt64? {
    all.firstIndex { $0.key.description == key.description }.map { 1 << UInt64($0) }
  }

  /// The index in `all` of a key as it stands in a message.
  static func index(of key: ByteRange, _ bytes: RawSpan) -> Int? {
    let content = bytes[key]
    if content.firstIndex(of: .backslash) == nil {
      return all.firstIndex { content.equals($0.key) }
    }
    return all.firstIndex { JSON.equals(bytes, key, $0.key) }
  }

  public static let all: [WAMPFeature] = [
    WAMPFeature("progressive_call_results", "CDE", "results in several parts"),
    WAMPFeature("progressive_call_invocations", "CDE", "calls in several parts"),
    WAMPFeature("call_timeout", "CDE", "calls that are given up after a time"),
    WAMPFeature("call_canceling", "CDE", "CANCEL and INTERRUPT"),
    WAMPFeature("call_cancelling", "CDE", "CANCEL and INTERRUPT (another spelling)"),
    WAMPFeature("caller_identification", "CDE", "callers may be disclosed to callees"),
    WAMPFeature("call_trustlevels", "DE", "calls are given a level of trust"),
    WAMPFeature("call_reroute", "DE", "a callee may pass a call on to another"),
    WAMPFeature("registration_meta_api", "D", "wamp.registration.* procedures and events"),
    WAMPFeature("pattern_based_registration", "DE", "procedures by prefix or wildcard"),
    WAMPFeature("shared_registration", "DE", "several callees of one procedure"),
    WAMPFeature("sharded_registration", "CDE", "callees that serve a part each"),
    WAMPFeature("registration_revocation", "DE", "the router may take registrations back"),
    WAMPFeature("session_meta_api", "BD", "wamp.session.* procedures and events"),
    WAMPFeature("testament_meta_api", "BD", "events that are sent when a session dies"),
    WAMPFeature("subscriber_blackwhite_listing", "PB", "exclude and eligible lists"),
    WAMPFeature("publisher_exclusion", "PB", "exclude_me"),
    WAMPFeature("publisher_identification", "PBS", "publishers may be disclosed to subscribers"),
    WAMPFeature("publication_trustlevels", "BS", "events are given a level of trust"),
    WAMPFeature("subscription_meta_api", "B", "wamp.subscription.* procedures and events"),
    WAMPFeature("pattern_based_subscription", "BS", "topics by prefix or wildcard"),
    WAMPFeature("sharded_subscription", "PBS", "subscribers that serve a part each"),
    WAMPFeature("shareded_subscriptions", "PBS", "sharded_subscription (as it was misspelled)"),
    WAMPFeature("event_history", "B", "past events can be asked for"),
    WAMPFeature("event_retention", "B", "the last event is kept for later subscribers"),
    WAMPFeature("subscription_revocation", "BS", "the router may take subscriptions back"),
    WAMPFeature("payload_passthru_mode", "PSBCED", "payloads that the router does not read"),
    WAMPFeature("payload_transparency", "PSBCED", "older form of payload_passthru_mode"),
    WAMPFeature("payload_encryption_cryptobox", "PSBCED", "payloads encrypted end to end"),
    WAMPFeature("x_acknowledged_event_delivery", "PBS", "EVENT_RECEIVED, an extension"),
    WAMPFeature("reflection", "BD", "descriptions of procedures and topics"),
    WAMPFeature("partitioned_rpc", "CED", "older form of sharded_registration"),
    WAMPFeature("partitioned_pubsub", "PSB", "older form of sharded_subscription"),
    WAMPFeature("subscriber_metaevents", "SB", "older form of subscription_meta_api"),
  ]
}
