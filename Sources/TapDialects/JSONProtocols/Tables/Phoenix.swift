// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension JSONProtocol {
  /// Phoenix channels: lists since version 2 of the serializer, objects before.
  static let phoenix = JSONProtocol(
    name: "phoenix", title: "Phoenix channels", source: "Phoenix.Socket.V2.JSONSerializer",
    unpacking: Unpacking(name: "Phoenix binary", append: PhoenixBinary.append),
    kindAt: [.value("[3]"), .value("event")],
    kinds: [
      JSONKind(
        "phx_join", .asks, sent: .toServer, distinct: .byKind, elements: elements,
        "The client joins a channel.",
        #"["1","1","room:1","phx_join",{}]"#),
      JSONKind(
        "phx_leave", .asks, sent: .toServer, distinct: .byKind, elements: elements,
        "The client leaves a channel.",
        #"["1","4","room:1","phx_leave",{}]"#),
      JSONKind(
        "phx_reply", .answers, sent: .toClient, distinct: .byKind,
        fails: .ifPresent(["[4].status", "payload.status"]),
        elements: elements,
        "The server answers what had this ref.",
        #"["1","1","room:1","phx_reply",{"status":"ok","response":{}}]"#),
      JSONKind(
        "heartbeat", .asks, sent: .toServer, elements: elements,
        "The client is there; it beats every 30 s, and the server closes after 60 s without.",
        #"[null,"3","phoenix","heartbeat",{}]"#),
      JSONKind(
        "phx_close", .notifies, sent: .toClient, distinct: .byKind, elements: elements,
        "The channel was closed.",
        #"["1","1","room:1","phx_close",{}]"#),
      JSONKind(
        "phx_error", .notifies, sent: .toClient, distinct: .byKind, fails: .always,
        elements: elements,
        "The channel crashed.",
        #"["1","1","room:1","phx_error",{}]"#),
    ],
    other: JSONKind(
      "", called: "event", .mayAsk, elements: elements, "An event of the application.",
      #"["1","2","room:1","new_msg",{"body":"hi"}]"#),
    ids: ["[1]", "ref"], subjects: ["[2]", "topic"],
    isListOfItsOwn: { list, text in
      list.elements.count == 5 && list.elements[4].kind == .object
        && isReference(list.elements[0], text) && isReference(list.elements[1], text)
    },
    payloads: ["[4]", "payload"],
    reasons: ["[4].response.reason", "payload.response.reason"],
    // The signed sessions of LiveView.
    secretsAbout: (
      ["lv:"], ["[4].session", "[4].static", "payload.session", "payload.static"]
    ),
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

  /// Clients number their messages, and send the number as a string.
  private static func isReference(_ element: JSONElement, _ text: RawSpan) -> Bool {
    let digits = text[element.content]
    return element.kind == .null
      || element.kind == .string && !digits.isEmpty
        && (0..<digits.byteCount).allSatisfy { digits.byte(at: $0).isDigit }
  }

  /// For the lists of version 2; version 1 has objects.
  private static let elements = [
    JSONListElement("join_ref", .string, .null), JSONListElement("ref", .string, .null),
    JSONListElement("topic", .string), JSONListElement("event", .string),
    JSONListElement("payload"),
  ]
}
