// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// GraphQL over WebSocket, both generations: the library graphql-ws speaks
  /// `graphql-transport-ws`; the subprotocol `graphql-ws` is the older one of
  /// subscriptions-transport-ws.
  static let graphQL = JSONProtocol(
    name: "graphql", title: "GraphQL over WebSocket",
    source: "graphql-ws PROTOCOL.md, subscriptions-transport-ws PROTOCOL.md",
    subprotocols: ["graphql-transport-ws", "graphql-ws"], kindAt: [.value("type")],
    kinds: [
      JSONKind(
        "connection_init", .notifies, sent: .toServer, distinct: .byKind,
        "The client begins, often with a token.",
        #"{"type":"connection_init","payload":{"client":"web"}}"#),
      JSONKind(
        "connection_ack", .notifies, sent: .toClient, distinct: .byKind,
        "The server accepts the connection.",
        #"{"type":"connection_ack"}"#),
      JSONKind(
        "connection_error", .notifies, sent: .toClient, distinct: .byKind, fails: .always,
        "The server refuses the connection (older protocol).",
        #"{"type":"connection_error","payload":{"message":"no"}}"#),
      JSONKind(
        "subscribe", .mayAsk, sent: .toServer,
        "The client asks for an operation: query, mutation, subscription.",
        #"{"id":"1","type":"subscribe","payload":{"query":"subscription { greetings }"}}"#
      ).with(after: "connection_ack"),
      JSONKind(
        "next", .continues, sent: .toClient, fails: .ifPresent(["payload.errors"]),
        "One result of an operation.",
        #"{"id":"1","type":"next","payload":{"data":{"greetings":"Hi"}}}"#),
      JSONKind(
        "complete", .answers, "The operation has ended; a client sends it to end one.",
        #"{"id":"1","type":"complete"}"#),
      JSONKind(
        "error", .answers, sent: .toClient, fails: .always, "The operation failed and has ended.",
        #"{"id":"1","type":"error","payload":[{"message":"no such field"}]}"#),
      JSONKind(
        "ping", .notifies, "Either side asks whether the other is there.", #"{"type":"ping"}"#),
      JSONKind("pong", .notifies, "The other side is there.", #"{"type":"pong"}"#),
      JSONKind(
        "start", .mayAsk, sent: .toServer, "The client asks for an operation (older protocol).",
        #"{"id":"1","type":"start","payload":{"query":"subscription { greetings }"}}"#),
      JSONKind(
        "data", .continues, sent: .toClient, fails: .ifPresent(["payload.errors"]),
        "One result of an operation (older protocol).",
        #"{"id":"1","type":"data","payload":{"data":{"greetings":"Hi"}}}"#),
      JSONKind(
        "stop", .cancels, sent: .toServer, "The client ends an operation (older protocol).",
        #"{"id":"1","type":"stop"}"#),
      JSONKind(
        "connection_terminate", .notifies, sent: .toServer, distinct: .byKind,
        "The client ends the connection (older protocol).",
        #"{"type":"connection_terminate"}"#),
      JSONKind(
        "ka", .notifies, sent: .toClient, "The server is there (older protocol).", #"{"type":"ka"}"#
      ),
    ],
    ids: ["id"], endsTwiceUnder: "graphql-ws",
    connectionBegins: "connection_init", subjects: ["payload.operationName", "payload.query{"],
    distinction: .subject,
    payloads: ["payload.data", "payload.variables", "payload"],
    reasons: ["payload[0].message", "payload.errors[0].message", "payload.message"],
    noteSecrets: GraphQLVariables.noteSecrets,
    closeCodes: [
      JSONCloseCode(4004, "bad response"), JSONCloseCode(4005, "internal client error"),
      JSONCloseCode(4400, "bad request"), JSONCloseCode(4401, "unauthorized"),
      JSONCloseCode(4403, "forbidden"), JSONCloseCode(4406, "subprotocol not acceptable"),
      JSONCloseCode(4408, "connection initialisation timeout"),
      JSONCloseCode(4409, "subscriber for this id already exists"),
      JSONCloseCode(4429, "too many initialisation requests"),
      JSONCloseCode(4500, "internal server error"),
      JSONCloseCode(4504, "connection acknowledgement timeout"),
    ],
    page: [
      .layout([
        #"→ {"type":"connection_init"}"#, #"← {"type":"connection_ack"}"#,
        #"→ {"id":"1","type":"subscribe","payload":{"query":"subscription { greetings }"}}"#,
        #"← {"id":"1","type":"next","payload":{"data":{"greetings":"Hi"}}}"#,
        #"← {"id":"1","type":"complete"}"#,
      ]),
      .beware(
        """
        The subprotocol graphql-ws is the older protocol; the library graphql-ws speaks \
        graphql-transport-ws.
        """),
    ])
}
