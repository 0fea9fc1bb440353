// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// The JSON protocol of Centrifugo: several texts in a message, one per line.
  static let centrifugo = JSONProtocol(
    name: "centrifugo", title: "Centrifugo", source: "Centrifugo client protocol",
    subprotocols: ["centrifuge-json"], separator: 0x0A, kindAt: [.member("push"), .member("")],
    kinds: [
      JSONKind(
        "pub", called: "publication", .notifies, sent: .toClient,
        "What was published in a channel.",
        #"{"push":{"channel":"chat:42","pub":{"data":{"x":1},"offset":1}}}"#),
      JSONKind(
        "join", .notifies, sent: .toClient, "A client has come to a channel.",
        #"{"push":{"channel":"chat:42","join":{"info":{"client":"c2"}}}}"#),
      JSONKind(
        "leave", .notifies, sent: .toClient, "A client has left a channel.",
        #"{"push":{"channel":"chat:42","leave":{"info":{"client":"c2"}}}}"#),
      JSONKind(
        "error", .answers, sent: .toClient, fails: .always, "A command failed: a code and words.",
        #"{"id":3,"error":{"code":103,"message":"permission denied"}}"#),
      JSONKind(
        "connect", .calls, "The client begins; the server accepts.",
        #"{"id":1,"connect":{"name":"js"}}"#),
      JSONKind(
        "subscribe", .calls, "The client subscribes to a channel.",
        #"{"id":2,"subscribe":{"channel":"chat:42"}}"#),
      JSONKind(
        "unsubscribe", .calls, "The client wants no more.",
        #"{"id":5,"unsubscribe":{"channel":"chat:42"}}"#),
      JSONKind(
        "publish", .calls, "The client publishes in a channel.",
        #"{"id":4,"publish":{"channel":"chat:42","data":{"x":1}}}"#),
      JSONKind(
        "presence_stats", .calls, "How many clients are in a channel.",
        #"{"id":7,"presence_stats":{"channel":"chat:42"}}"#),
      JSONKind(
        "presence", .calls, "Asks who is in a channel.",
        #"{"id":6,"presence":{"channel":"chat:42"}}"#),
      JSONKind(
        "history", .calls, "What was published before.",
        #"{"id":8,"history":{"channel":"chat:42"}}"#),
      JSONKind("rpc", .calls, "A method of the application.", #"{"id":9,"rpc":{"method":"m"}}"#),
      JSONKind(
        "refresh", .calls, "A new token of the connection.",
        #"{"id":10,"refresh":{}}"#),
      JSONKind(
        "sub_refresh", .calls, "A new token of a subscription.",
        #"{"id":11,"sub_refresh":{"channel":"chat:42"}}"#),
      JSONKind(
        "send", .notifies, sent: .toServer, "What wants no answer.", #"{"send":{"data":{}}}"#),
      JSONKind(
        "message", .notifies, sent: .toClient, "A message of the server to this client.",
        #"{"push":{"message":{"data":{}}}}"#),
      JSONKind(
        "disconnect", .notifies, sent: .toClient, "The server ends the connection.",
        #"{"push":{"disconnect":{"code":3001}}}"#),
      JSONKind(
        "{}", called: "ping", .notifies, "The peer is there: the server asks, the client answers.",
        "{}"),
    ],
    ids: ["id"],
    subjects: [
      "push.channel", "subscribe.channel", "unsubscribe.channel", "publish.channel",
      "presence.channel", "presence_stats.channel", "history.channel", "rpc.method",
    ],
    distinction: .idAndMember,
    payloads: ["push.pub.data", "publish.data", "rpc.data", "send.data", "error"],
    reasons: ["error.message"],
    closeCodes: [
      JSONCloseCode(3001, "shutdown", isToReconnect: true),
      JSONCloseCode(3005, "connection expired", isToReconnect: true),
      JSONCloseCode(3008, "slow", isToReconnect: true),
      JSONCloseCode(3012, "no pong", isToReconnect: true),
      JSONCloseCode(3000...3499, "come back", isToReconnect: true),
      JSONCloseCode(3500, "invalid token", isToReconnect: false),
      JSONCloseCode(3501, "bad request", isToReconnect: false),
      JSONCloseCode(3502, "stale", isToReconnect: false),
      JSONCloseCode(3503, "force disconnect", isToReconnect: false),
      JSONCloseCode(3507, "permission denied", isToReconnect: false),
      JSONCloseCode(3500...3999, "do not come back", isToReconnect: false),
    ],
    page: [
      .layout([
        #"→ {"id":1,"connect":{"token":"…"}}"#, #"← {"id":1,"connect":{"client":"…","ping":25}}"#,
        #"→ {"id":2,"subscribe":{"channel":"chat:42"}}"#, #"← {"id":2,"subscribe":{}}"#,
        #"← {"push":{"channel":"chat:42","pub":{"data":{"x":1}}}}"#,
      ]),
      .beware(
        """
        An empty answer is success. A WebSocket message may hold several texts, a line each.
        """),
    ])
}
