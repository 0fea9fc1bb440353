// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// DDP of Meteor, mostly over SockJS.
  static let ddp = JSONProtocol(
    name: "ddp", title: "DDP", source: "Meteor DDP.md", kindAt: [.value("msg")],
    kinds: [
      JSONKind(
        "connect", .notifies, sent: .toServer, distinct: .byMembers(["version", "support"]),
        payload: "version", "The client begins.",
        #"{"msg":"connect","version":"1","support":["1"]}"#
      ),
      JSONKind(
        "connected", .notifies, sent: .toClient, distinct: .byMemberAlone("session"),
        payload: "session", "The server accepts.",
        #"{"msg":"connected","session":"s"}"#),
      JSONKind(
        "failed", .notifies, sent: .toClient, fails: .always, "The server speaks another version.",
        #"{"msg":"failed","version":"1"}"#),
      JSONKind("ping", .notifies, "Asks whether the peer is there.", #"{"msg":"ping"}"#),
      JSONKind("pong", .notifies, "The peer is there.", #"{"msg":"pong"}"#),
      JSONKind(
        "method", .asks, sent: .toServer, subject: "method",
        "The client calls a method; result and updated answer.",
        #"{"msg":"method","method":"add","params":[1,2],"id":"1"}"#),
      JSONKind(
        "result", .answers, sent: .toClient, fails: .ifPresent(["error"]), "What came of a method.",
        #"{"msg":"result","id":"1","result":3}"#),
      JSONKind(
        "updated", .notifies, sent: .toClient, "All changes of these methods were sent.",
        #"{"msg":"updated","methods":["1"]}"#),
      JSONKind(
        "sub", .asks, sent: .toServer, id: "subscription", subject: "name",
        "The client wants a set of documents.",
        #"{"msg":"sub","id":"s1","name":"posts","params":[]}"#),
      JSONKind(
        "ready", .continues, sent: .toClient, id: "subscription",
        "All documents of these sets were sent.",
        #"{"msg":"ready","subs":["s1"]}"#),
      JSONKind(
        "nosub", .answers, sent: .toClient, fails: .ifPresent(["error"]), id: "subscription",
        "A subscription has ended, or was refused.",
        #"{"msg":"nosub","id":"s1"}"#),
      JSONKind(
        "unsub", .cancels, sent: .toServer, id: "subscription", "The client wants no more.",
        #"{"msg":"unsub","id":"s1"}"#),
      JSONKind(
        "added", .notifies, sent: .toClient, id: "document", subject: "collection",
        "A document of a collection.",
        #"{"msg":"added","collection":"posts","id":"p1","fields":{}}"#),
      JSONKind(
        "changed", .notifies, sent: .toClient, id: "document", subject: "collection",
        "A document has changed.",
        #"{"msg":"changed","collection":"posts","id":"p1","fields":{}}"#),
      JSONKind(
        "removed", .notifies, sent: .toClient, id: "document", subject: "collection",
        "A document is gone.",
        #"{"msg":"removed","collection":"posts","id":"p1"}"#),
      JSONKind(
        "addedBefore", .notifies, sent: .toClient, id: "document", subject: "collection",
        "A document at a place of an ordered collection.",
        #"{"msg":"addedBefore","collection":"posts","id":"p2","before":null}"#),
      JSONKind(
        "movedBefore", .notifies, sent: .toClient, id: "document", subject: "collection",
        "A document has moved in an ordered collection.",
        #"{"msg":"movedBefore","collection":"posts","id":"p2","before":"p1"}"#),
      JSONKind(
        "error", .notifies, sent: .toClient, fails: .always, "The server did not understand.",
        #"{"msg":"error","reason":"Bad request"}"#),
    ],
    ids: ["subs", "id"], connectionBegins: "connect", subjects: [],
    distinction: .subject, payloads: ["params", "result", "fields"],
    reasons: ["error.reason", "error.message", "reason"],
    secrets: ["params[0].password.digest", "params[0].password", "params[0].resume"],
    page: [
      .layout([
        #"→ {"msg":"connect","version":"1","support":["1"]}"#,
        #"← {"msg":"connected","session":"…"}"#,
        #"→ {"msg":"method","method":"add","params":[1,2],"id":"1"}"#,
        #"← {"msg":"result","id":"1","result":3}"#,
      ]),
      .beware("The id of added, changed and removed is that of a document."),
    ])
}
