// SPDX-License-Identifier: Apache-2.0

/// The roles of WAMP and their features, in the order of their slots.
extension FlatBufferField.Role {
  static let client = [
    Self(
      name: "publisher",
      features: [
        "publisher_identification", "publisher_exclusion", "subscriber_blackwhite_listing",
        "acknowledge_event_received", "payload_transparency", "payload_encryption_cryptobox",
      ]),
    Self(
      name: "subscriber",
      features: [
        "publisher_identification", "pattern_based_subscription", "publication_trustlevels",
        "subscription_revocation", "event_history", "acknowledge_subscriber_received",
        "payload_transparency", "payload_encryption_cryptobox",
      ]),
    Self(
      name: "caller",
      features: [
        "caller_identification", "call_timeout", "call_canceling", "progressive_call_results",
        "payload_transparency", "payload_encryption_cryptobox",
      ]),
    Self(
      name: "callee",
      features: [
        "caller_identification", "call_trustlevels", "call_timeout", "call_canceling",
        "progressive_call_results", "registration_revocation", "pattern_based_registration",
        "shared_registration", "payload_transparency", "payload_encryption_cryptobox",
      ]),
  ]

  static let router = [
    Self(
      name: "broker",
      features: [
        "publisher_identification", "publisher_exclusion", "subscriber_blackwhite_listing",
        "pattern_based_subscription", "publication_trustlevels", "subscription_revocation",
        "session_meta_api", "subscription_meta_api", "event_retention", "event_history",
        "acknowledge_event_received", "acknowledge_subscriber_received", "payload_transparency",
        "payload_encryption_cryptobox",
      ]),
    Self(
      name: "dealer",
      features: [
        "caller_identification", "call_trustlevels", "call_timeout", "call_canceling",
        "progressive_call_results", "registration_revocation", "pattern_based_registration",
        "shared_registration", "session_meta_api", "registration_meta_api",
        "testament_meta_api", "payload_transparency", "payload_encryption_cryptobox",
      ]),
  ]
}
