// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// The API of the Janus WebRTC server, and its admin API.
  static let janus = JSONProtocol(
    name: "janus", title: "Janus", source: "Janus documentation, Janus API",
    subprotocols: ["janus-protocol", "janus-admin-protocol"], kindAt: [.value("janus")],
    kinds: [
      JSONKind(
        "success", .answers, sent: .toClient, distinct: .byKind, "What came of a request.",
        #"{"janus":"success","transaction":"t1","data":{"id":7}}"#),
      JSONKind(
        "error", .answers, sent: .toClient, distinct: .byKind, fails: .always,
        "A request failed: a code and words.",
        #"{"janus":"error","transaction":"t1","error":{"code":458,"reason":"No such session 1"}}"#),
      JSONKind(
        "ack", .continues, sent: .toClient, distinct: .byKind,
        "The request has arrived; where it was `message`, an event says what came of it.",
        #"{"janus":"ack","session_id":7,"transaction":"t2"}"#),
      JSONKind(
        "event", .continues, sent: .toClient, distinct: .byKind,
        fails: .ifPresent(["plugindata.data.error"]),
        subject: "plugindata.plugin", payload: "plugindata.data",
        "What a plugin says: of a request, or by itself.",
        #"{"janus":"event","session_id":7,"sender":8,"plugindata":{"plugin":"p","data":{}}}"#),
      JSONKind(
        "server_info", .answers, sent: .toClient, distinct: .byKind,
        "The version, the plugins, the transports.",
        #"{"janus":"server_info","transaction":"t3","name":"Janus WebRTC Server"}"#),
      JSONKind(
        "pong", .answers, sent: .toClient, distinct: .byKind, "The server is there.",
        #"{"janus":"pong","transaction":"t4"}"#),
      JSONKind(
        "info", .asks, sent: .toServer, distinct: .byKind, "Which server is this?",
        #"{"janus":"info","transaction":"t3"}"#),
      JSONKind(
        "ping", .asks, sent: .toServer, distinct: .byKind, "Is the server there?",
        #"{"janus":"ping","transaction":"t4"}"#),
      JSONKind(
        "create", .asks, sent: .toServer, distinct: .byKind, "The client wants a session.",
        #"{"janus":"create","transaction":"t1"}"#),
      JSONKind(
        "attach", .asks, sent: .toServer, distinct: .byKind, subject: "plugin",
        "The client wants a handle of a plugin.",
        #"{"janus":"attach","session_id":7,"plugin":"janus.plugin.echotest","transaction":"t5"}"#),
      JSONKind(
        "message", .asks, sent: .toServer, distinct: .byKind, subject: "body.request",
        payload: "body",
        "A request to the plugin of a handle, perhaps with an offer or an answer (jsep).",
        #"{"janus":"message","session_id":7,"handle_id":8,"body":{},"transaction":"t2"}"#),
      JSONKind(
        "trickle", .asks, distinct: .byKind, payload: "candidate",
        "A candidate of ICE; a server sends one as well, and waits for nothing.",
        #"{"janus":"trickle","session_id":7,"handle_id":8,"candidate":{},"transaction":"t6"}"#),
      JSONKind(
        "detach", .asks, sent: .toServer, distinct: .byKind, "The client gives a handle up.",
        #"{"janus":"detach","session_id":7,"handle_id":8,"transaction":"t7"}"#),
      JSONKind(
        "destroy", .asks, sent: .toServer, distinct: .byKind, "The client gives its session up.",
        #"{"janus":"destroy","session_id":7,"transaction":"t8"}"#),
      JSONKind(
        "claim", .asks, sent: .toServer, distinct: .byKind,
        "The client takes its session to this connection.",
        #"{"janus":"claim","session_id":7,"transaction":"t9"}"#),
      JSONKind(
        "keepalive", .asks, sent: .toServer, distinct: .byKind,
        "The client is there; after 60 seconds without one, the session ends.",
        #"{"janus":"keepalive","session_id":7,"transaction":"t10"}"#),
      JSONKind(
        "hangup", .asks, distinct: .byKind,
        "The client ends its WebRTC connection; the server says that one has ended, and why.",
        #"{"janus":"hangup","session_id":7,"sender":8,"reason":"Close PC"}"#),
      JSONKind(
        "webrtcup", .notifies, sent: .toClient, distinct: .byKind,
        "The WebRTC connection is there.",
        #"{"janus":"webrtcup","session_id":7,"sender":8}"#),
      JSONKind(
        "media", .notifies, sent: .toClient, distinct: .byKind, subject: "type",
        "The server receives audio or video, or does so no longer.",
        #"{"janus":"media","session_id":7,"sender":8,"type":"audio","receiving":true}"#),
      JSONKind(
        "slowlink", .notifies, sent: .toClient, distinct: .byKind,
        "Packets of audio or video were lost.",
        #"{"janus":"slowlink","session_id":7,"sender":8,"uplink":true,"lost":4}"#),
      JSONKind(
        "detached", .notifies, sent: .toClient, distinct: .byKind, "A handle is gone.",
        #"{"janus":"detached","session_id":7,"sender":8}"#),
      JSONKind(
        "timeout", .notifies, sent: .toClient, distinct: .byKind,
        "The session has ended, as the client was silent.",
        #"{"janus":"timeout","session_id":7}"#),
    ],
    other: JSONKind("", called: "request", .asks, "", ""),
    ids: ["transaction"], idWord: "transaction", isAnsweredInParts: true, subjects: [],
    payloads: ["body", "data", "plugindata.data"],
    reasons: ["error.reason", "plugindata.data.error"],
    secrets: ["apisecret", "token", "admin_secret", "body.secret", "body.pin", "body.admin_key"],
    page: [
      .layout([
        #"→ {"janus":"create","transaction":"t1"}"#,
        #"← {"janus":"success","transaction":"t1","data":{"id":7}}"#,
        #"→ {"janus":"message","session_id":7,"handle_id":8,"body":{…},"transaction":"t2"}"#,
        #"← {"janus":"ack","session_id":7,"transaction":"t2"}"#,
        #"← {"janus":"event","session_id":7,"sender":8,"transaction":"t2","plugindata":{…}}"#,
      ]),
      .beware(
        """
        A plugin answers at once (success), or later (ack, then event); the event may come ahead \
        of the ack.
        """),
    ])
}
