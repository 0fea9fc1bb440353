// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// Pusher channels, protocol 7, also used by Soketi, Reverb and Laravel WebSockets.
  static let pusher = JSONProtocol(
    name: "pusher", title: "Pusher channels", source: "Pusher Channels protocol 7",
    kindAt: [.value("event")],
    kinds: [
      JSONKind(
        "pusher:connection_established", .notifies, sent: .toClient, distinct: .byKind,
        "The server is ready.",
        #"{"event":"pusher:connection_established","data":"{\"socket_id\":\"123.456\"}"}"#),
      JSONKind(
        "pusher:subscribe", .asks, sent: .toServer, distinct: .byKind,
        "The client wants the events of a channel.",
        #"{"event":"pusher:subscribe","data":{"channel":"my-channel"}}"#),
      JSONKind(
        "pusher_internal:subscription_succeeded", .answers, sent: .toClient, distinct: .byKind,
        "The server accepts a subscription.",
        #"{"event":"pusher_internal:subscription_succeeded","channel":"my-channel","data":"{}"}"#),
      JSONKind(
        "pusher:error", .notifies, sent: .toClient, distinct: .byKind, fails: .always,
        "Something failed: a code and words.",
        #"{"event":"pusher:error","data":{"code":4001,"message":"no such app"}}"#),
      JSONKind(
        "pusher:subscription_error", .answers, sent: .toClient, distinct: .byKind, fails: .always,
        "The server refuses a subscription.",
        #"{"event":"pusher:subscription_error","channel":"private-x","data":{"status":403}}"#),
      JSONKind(
        "pusher:unsubscribe", .notifies, sent: .toServer, distinct: .byKind,
        "The client wants no more events; nothing answers.",
        #"{"event":"pusher:unsubscribe","data":{"channel":"my-channel"}}"#),
      JSONKind(
        "pusher:ping", .notifies, distinct: .byKind, "Asks whether the peer is there.",
        #"{"event":"pusher:ping","data":{}}"#),
      JSONKind(
        "pusher:pong", .notifies, distinct: .byKind, "The peer is there.",
        #"{"event":"pusher:pong","data":{}}"#),
      JSONKind(
        "pusher:signin", .notifies, sent: .toServer, distinct: .byKind,
        "The client says who its user is.",
        #"{"event":"pusher:signin","data":{}}"#),
      JSONKind(
        "pusher:signin_success", .notifies, sent: .toClient, distinct: .byKind,
        "The server knows the user.",
        #"{"event":"pusher:signin_success","data":{}}"#),
    ],
    other: JSONKind("", called: "event", .notifies, "An event of the application.", ""),
    ids: ["data.channel", "channel"],
    idWord: "channel", excusing: "pusher:error", subjects: ["data.channel", "channel"],
    payloads: ["data"],
    reasons: ["data.message"], secrets: ["data.auth", "data.channel_data", "data.user_data"],
    closeCodes: [
      JSONCloseCode(4000, "only over TLS", isToReconnect: false),
      JSONCloseCode(4001, "no such application", isToReconnect: false),
      JSONCloseCode(4003, "application disabled", isToReconnect: false),
      JSONCloseCode(4004, "application over its quota", isToReconnect: false),
      JSONCloseCode(4005, "path not found", isToReconnect: false),
      JSONCloseCode(4006...4008, "version of the protocol not supported", isToReconnect: false),
      JSONCloseCode(4009, "unauthorized", isToReconnect: false),
      JSONCloseCode(4000...4099, "do not come back as you are", isToReconnect: false),
      JSONCloseCode(4100, "over capacity", isToReconnect: true),
      JSONCloseCode(4100...4199, "come back later", isToReconnect: true),
      JSONCloseCode(4201, "no pong came", isToReconnect: true),
      JSONCloseCode(4202, "closed as inactive", isToReconnect: true),
      JSONCloseCode(4200...4299, "come back at once", isToReconnect: true),
      JSONCloseCode(4301, "client events over their rate"),
    ],
    page: [
      .layout([
        #"← {"event":"pusher:connection_established","data":"{\"socket_id\":\"123.456\"}"}"#,
        #"→ {"event":"pusher:subscribe","data":{"channel":"my-channel"}}"#,
        #"← {"event":"pusher_internal:subscription_succeeded","channel":"my-channel","data":"{}"}"#,
        #"← {"event":"new-message","channel":"my-channel","data":"{\"a\":1}"}"#,
      ]),
      .beware(
        """
        What the server sends in data is JSON inside of a string.
        """),
    ])
}
