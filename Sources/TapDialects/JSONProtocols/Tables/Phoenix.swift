// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// Phoenix channels: lists since version 2 of the serializer, objects before.
  static let phoenix = JSONProtocol(
    name: "phoenix", title: "Phoenix channels", source: "Phoenix.Socket.V2.JSONSerializer",
    leads: [.value("[3]"), .value("event")],
    kinds: [
      JSONKind(
        "phx_join", .asks, isTypical: true, form: listForm, "The client joins a channel.",
        #"["1","1","room:1","phx_join",{}]"#),
      JSONKind(
        "phx_leave", .asks, isTypical: true, form: listForm, "The client leaves a channel.",
        #"["1","4","room:1","phx_leave",{}]"#),
      JSONKind(
        "phx_reply", .answers, isTypical: true, failure: "[4].status", form: listForm,
        "The server answers what had this ref.",
        #"["1","1","room:1","phx_reply",{"status":"ok","response":{}}]"#),
      JSONKind(
        "heartbeat", .asks, form: listForm,
        "The client is there; it beats every 30 s, and the server closes after 60 s without.",
        #"[null,"3","phoenix","heartbeat",{}]"#),
      JSONKind(
        "phx_close", .tells, isTypical: true, form: listForm, "The channel was closed.",
        #"["1","1","room:1","phx_close",{}]"#),
      JSONKind(
        "phx_error", .tells, isTypical: true, isFailure: true, form: listForm,
        "The channel crashed.",
        #"["1","1","room:1","phx_error",{}]"#),
    ],
    other: JSONKind(
      "", called: "event", .mayAsk, form: listForm, "An event of the application.",
      #"["1","2","room:1","new_msg",{"body":"hi"}]"#),
    ids: ["[1]", "ref"], subjects: ["[2]", "topic"], payloads: ["[4]", "payload"],
    reasons: ["[4].response.reason", "payload.response.reason"],
    page: [
      .layout([
        "[join_ref, ref, topic, event, payload]",
        #"{"topic":…,"event":…,"payload":…,"ref":…}"#,
      ]),
      .beware(
        """
        A push may be answered with its ref, or not; only phx_join, phx_leave and heartbeat always \
        are. The first form is that of vsn=2.0.0 in the URL, the second that of vsn=1.0.0.
        """),
    ])

  /// Of version 2; the objects of version 1 have no elements.
  private static let listForm: StaticString = "SSssv"
}
