// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// The JSON hub protocol of ASP.NET Core SignalR: each text ends with the byte 0x1E.
  static let signalR = JSONProtocol(
    name: "signalr", title: "SignalR", source: "SignalR HubProtocol.md", separator: 0x1E,
    kindAt: [.value("type"), .member("")],
    kinds: [
      JSONKind(
        "1", called: "Invocation", .asks,
        "Calls a method of the other side; without an id, nothing answers.",
        #"{"type":1,"invocationId":"1","target":"Send","arguments":["hi"]}"#
      ).with(nameWithoutID: "Invocation"),
      JSONKind(
        "2", called: "StreamItem", .continues, "One item of a stream.",
        #"{"type":2,"invocationId":"2","item":1}"#),
      JSONKind(
        "3", called: "Completion", .answers, fails: .ifPresent(["error"]),
        "The result of an invocation, or its error.",
        #"{"type":3,"invocationId":"1","result":42}"#),
      JSONKind(
        "4", called: "StreamInvocation", .asks, "Calls a method that answers with a stream.",
        #"{"type":4,"invocationId":"2","target":"Counter","arguments":[5]}"#),
      JSONKind(
        "5", called: "CancelInvocation", .cancels, "Ends a stream; its completion still comes.",
        #"{"type":5,"invocationId":"2"}"#),
      JSONKind("6", called: "Ping", .notifies, "The peer is there.", #"{"type":6}"#),
      JSONKind(
        "7", called: "Close", .notifies, fails: .ifPresent(["error"]),
        "The server ends the connection, and says whether to come back.",
        #"{"type":7,"error":"shut down"}"#),
      JSONKind(
        "8", called: "Ack", .notifies, "What was received up to here.",
        #"{"type":8,"sequenceId":3}"#),
      JSONKind(
        "9", called: "Sequence", .notifies, "Where a resumed connection goes on.",
        #"{"type":9,"sequenceId":4}"#),
      JSONKind(
        "protocol", called: "Handshake", .notifies, sent: .toServer,
        distinct: .byMemberAlone("version"),
        "The client says how it writes messages."),
      JSONKind(
        "error", called: "Handshake", .notifies, sent: .toClient, fails: .always,
        "The server refuses.",
        #"{"error":"no"}"#),
      JSONKind("{}", called: "Handshake", .notifies, "The server accepts the handshake.", "{}"),
    ],
    askers: .both, ids: ["invocationId"], streams: "streamIds", subjects: ["target"],
    distinction: .subject,
    payloads: ["arguments", "result", "item"], reasons: ["error"],
    page: [
      .layout([
        #"→ {"protocol":"json","version":1} 1E"#, "← {} 1E",
        #"→ {"type":1,"invocationId":"1","target":"Send","arguments":["hi"]} 1E"#,
        #"← {"type":3,"invocationId":"1","result":42} 1E"#,
      ]),
      .beware(
        """
        Each text ends with the byte 1E, and a WebSocket message may hold several. Both sides \
        call, and each counts its own ids. An invocation without an id is never answered.
        """),
    ])
}
