// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// Action Cable of Ruby on Rails.
  static let actionCable = JSONProtocol(
    name: "actioncable", title: "Action Cable", source: "Rails ActionCable, INTERNAL",
    subprotocols: ["actioncable-v1-json"],
    kindAt: [.value("type"), .value("command"), .member("")],
    kinds: [
      JSONKind(
        "welcome", .notifies, sent: .toClient, "The server is ready.", #"{"type":"welcome"}"#),
      JSONKind(
        "ping", .notifies, sent: .toClient, "The server is there; it says so every 3 s.",
        #"{"type":"ping","message":1700000000}"#),
      JSONKind(
        "subscribe", .asks, sent: .toServer, "The client wants the messages of a channel.",
        #"{"command":"subscribe","identifier":"{\"channel\":\"ChatChannel\"}"}"#),
      JSONKind(
        "confirm_subscription", .answers, sent: .toClient, distinct: .byKind,
        "The server accepts a subscription.",
        #"{"identifier":"{\"channel\":\"ChatChannel\"}","type":"confirm_subscription"}"#),
      JSONKind(
        "reject_subscription", .answers, sent: .toClient, distinct: .byKind, fails: .always,
        "The server refuses a subscription.",
        #"{"identifier":"{\"channel\":\"ChatChannel\"}","type":"reject_subscription"}"#),
      JSONKind(
        "unsubscribe", .notifies, sent: .toServer,
        "The client wants no more messages; nothing answers.",
        #"{"command":"unsubscribe","identifier":"{\"channel\":\"ChatChannel\"}"}"#),
      JSONKind(
        "disconnect", .notifies, sent: .toClient, fails: .ifFalse("reconnect"), payload: "",
        "The server ends the connection, and says whether to come back.",
        #"{"type":"disconnect","reason":"unauthorized","reconnect":false}"#),
      JSONKind(
        "message", .notifies, "A message to the channel, or of it.",
        #"{"identifier":"{\"channel\":\"ChatChannel\"}","message":{"text":"hi"}}"#),
    ],
    ids: ["identifier"], idWord: "subscription", subjects: ["identifier>channel"],
    distinction: .subject, payloads: ["message", "data"], reasons: ["reason"],
    page: [
      .layout([
        #"→ {"command":"subscribe","identifier":"{\"channel\":\"ChatChannel\",\"id\":1}"}"#,
        #"← {"identifier":"{\"channel\":…}","type":"confirm_subscription"}"#,
        #"→ {"command":"message","identifier":…,"data":"{\"action\":\"speak\"}"}"#,
        #"← {"identifier":…,"message":{"text":"hi"}}"#,
      ]),
      .beware(
        """
        The identifier is compared byte for byte: with its keys in another order it is another \
        subscription. A second subscription to the same one is not answered.
        """),
    ])
}
