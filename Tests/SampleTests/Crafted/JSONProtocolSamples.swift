// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// One conversation of each protocol that has a table, as its document prints the messages.
extension Crafted {
  static let jsonProtocols = [
    Crafted("jsonprotocols/graphql/input.pcap", graphQL),
    Crafted("jsonprotocols/graphql-older/input.pcap", graphQLOlder),
    Crafted("jsonprotocols/phoenix/input.pcap", phoenix),
    Crafted("jsonprotocols/actioncable/input.pcap", actionCable),
    Crafted("jsonprotocols/signalr/input.pcap", signalR),
    Crafted("jsonprotocols/pusher/input.pcap", pusher),
    Crafted("jsonprotocols/centrifugo/input.pcap", centrifugo),
    Crafted("jsonprotocols/ddp/input.pcap", ddp),
    Crafted("jsonprotocols/cdp/input.pcap", devTools),
    Crafted("jsonprotocols/ocpp/input.pcap", ocpp),
    Crafted("jsonprotocols/late/input.pcap", late),
    Crafted("jsonprotocols/ambiguous/input.pcap", ambiguous),
  ]

  private static func talk(
    _ subprotocol: String?, _ messages: [(Direction, String)]
  ) -> [UInt8] {
    var talk = Dialogue()
    talk.open(subprotocol)
    for (direction, text) in messages { talk.text(direction, text) }
    talk.close()
    return talk.pcap()
  }

  private static func graphQL() -> [UInt8] {
    talk(
      "graphql-transport-ws",
      [
        (.toServer, #"{"type":"connection_init","payload":{"token":"s3cr3t"}}"#),
        (.toClient, #"{"type":"connection_ack"}"#),
        (
          .toServer,
          #"{"id":"1","type":"subscribe","payload":{"query":"subscription { greetings }"}}"#
        ),
        (.toClient, #"{"id":"1","type":"next","payload":{"data":{"greetings":"Hi"}}}"#),
        (.toServer, #"{"id":"1","type":"subscribe","payload":{"query":"{ hello }"}}"#),
        (
          .toClient,
          #"{"id":"1","type":"next","payload":{"data":null,"errors":[{"message":"no"}]}}"#
        ),
        (.toClient, #"{"id":"9","type":"next","payload":{"data":{}}}"#),
        (.toServer, #"{"id":"1","type":"complete"}"#),
        (.toClient, #"{"id":"1","type":"next","payload":{"data":{"greetings":"late"}}}"#),
        (
          .toServer,
          #"{"id":"2","type":"subscribe","payload":{"query":"{ nope }","operationName":"Q"}}"#
        ),
        (.toClient, #"{"id":"2","type":"error","payload":[{"message":"no field nope"}]}"#),
        (.toClient, #"{"type":"dance"}"#), (.toClient, #"{"type":"#),
      ])
  }

  private static func graphQLOlder() -> [UInt8] {
    talk(
      "graphql-ws",
      [
        (.toServer, #"{"type":"connection_init"}"#), (.toClient, #"{"type":"connection_ack"}"#),
        (.toClient, #"{"type":"ka"}"#),
        (.toServer, #"{"id":"1","type":"start","payload":{"query":"subscription S { tick }"}}"#),
        (.toClient, #"{"id":"1","type":"data","payload":{"data":{"tick":1}}}"#),
        (.toServer, #"{"id":"1","type":"stop"}"#), (.toClient, #"{"id":"1","type":"complete"}"#),
      ])
  }

  private static func phoenix() -> [UInt8] {
    talk(
      nil,
      [
        (.toServer, #"["1","1","room:1","phx_join",{}]"#),
        (.toClient, #"["1","1","room:1","phx_reply",{"status":"ok","response":{}}]"#),
        (.toServer, #"["1","2","room:1","new_msg",{"body":"hi"}]"#),
        (.toClient, #"[null,null,"room:1","new_msg",{"body":"hi"}]"#),
        (.toServer, #"[null,"3","phoenix","heartbeat",{}]"#),
        (.toClient, #"[null,"3","phoenix","phx_reply",{"status":"ok","response":{}}]"#),
        (.toServer, #"["4","4","room:2","phx_join",{}]"#),
        (
          .toClient,
          #"["4","4","room:2","phx_reply",{"status":"error","response":{"reason":"unmatched topic"}}]"#
        ),
        (.toServer, #"["1","5","room:1","phx_leave",{}]"#),
        (.toServer, #"["1","6","room:1","new_msg"]"#),
      ])
  }

  private static func actionCable() -> [UInt8] {
    let chat = #""identifier":"{\"channel\":\"ChatChannel\",\"id\":1}""#
    let news = #""identifier":"{\"channel\":\"NewsChannel\"}""#
    return talk(
      "actioncable-v1-json",
      [
        (.toClient, #"{"type":"welcome"}"#), (.toClient, #"{"type":"ping","message":1700000000}"#),
        (.toServer, #"{"command":"subscribe",\#(chat)}"#),
        (.toClient, #"{\#(chat),"type":"confirm_subscription"}"#),
        (.toServer, #"{"command":"message",\#(chat),"data":"{\"action\":\"speak\"}"}"#),
        (.toClient, #"{\#(chat),"message":{"text":"hi"}}"#),
        (.toServer, #"{"command":"subscribe",\#(news)}"#),
        (.toClient, #"{\#(news),"type":"reject_subscription"}"#),
        (.toClient, #"{"type":"disconnect","reason":"unauthorized","reconnect":false}"#),
      ])
  }

  private static func signalR() -> [UInt8] {
    talk(
      nil,
      [
        (.toServer, #"{"protocol":"json","version":1}"# + "\u{1E}"), (.toClient, "{}\u{1E}"),
        (
          .toServer, #"{"type":1,"invocationId":"1","target":"Send","arguments":["hi"]}"# + "\u{1E}"
        ),
        (
          .toClient,
          #"{"type":1,"target":"receive","arguments":["hi"]}"# + "\u{1E}"
            + #"{"type":3,"invocationId":"1","result":42}"# + "\u{1E}"
        ),
        (
          .toServer, #"{"type":4,"invocationId":"2","target":"Counter","arguments":[5]}"# + "\u{1E}"
        ),
        (.toClient, #"{"type":2,"invocationId":"2","item":0}"# + "\u{1E}"),
        (.toServer, #"{"type":5,"invocationId":"2"}"# + "\u{1E}"),
        (.toClient, #"{"type":3,"invocationId":"2","error":"canceled"}"# + "\u{1E}"),
        (.toClient, #"{"type":6}"# + "\u{1E}"),
        (.toServer, #"{"type":1,"invocationId":"3","target":"Hang","arguments":[]}"# + "\u{1E}"),
      ])
  }

  private static func pusher() -> [UInt8] {
    talk(
      nil,
      [
        (
          .toClient,
          #"{"event":"pusher:connection_established","data":"{\"socket_id\":\"123.456\"}"}"#
        ),
        (
          .toServer,
          #"{"event":"pusher:subscribe","data":{"channel":"private-x","auth":"KEY:SIGNATURE"}}"#
        ),
        (
          .toClient,
          #"{"event":"pusher_internal:subscription_succeeded","channel":"private-x","data":"{}"}"#
        ),
        (.toClient, #"{"event":"new-message","channel":"private-x","data":"{\"a\":1}"}"#),
        (.toServer, #"{"event":"pusher:ping","data":{}}"#),
        (.toClient, #"{"event":"pusher:pong","data":{}}"#),
        (.toServer, #"{"event":"pusher:subscribe","data":{"channel":"news"}}"#),
        (.toClient, #"{"event":"pusher:error","data":{"code":4301,"message":"too fast"}}"#),
      ])
  }

  private static func centrifugo() -> [UInt8] {
    talk(
      "centrifuge-json",
      [
        (.toServer, #"{"id":1,"connect":{"token":"s3cr3t","name":"js"}}"#),
        (.toClient, #"{"id":1,"connect":{"client":"c1","version":"6.0.0","ping":25,"pong":true}}"#),
        (
          .toServer,
          #"{"id":2,"subscribe":{"channel":"chat:42"}}"# + "\n"
            + #"{"id":3,"subscribe":{"channel":"secret"}}"#
        ),
        (
          .toClient,
          #"{"id":2,"subscribe":{}}"# + "\n"
            + #"{"id":3,"error":{"code":103,"message":"permission denied"}}"#
        ),
        (.toClient, #"{"push":{"channel":"chat:42","pub":{"data":{"x":1},"offset":1}}}"#),
        (.toClient, "{}"), (.toServer, "{}"),
        (.toServer, #"{"id":4,"publish":{"channel":"chat:42","data":{"x":2}}}"#),
        (.toClient, #"{"id":4,"publish":{}}"#),
      ])
  }

  private static func ddp() -> [UInt8] {
    talk(
      nil,
      [
        (.toServer, #"{"msg":"connect","version":"1","support":["1","pre2"]}"#),
        (.toClient, #"{"msg":"connected","session":"s"}"#),
        (
          .toServer,
          #"{"msg":"method","method":"login","params":[{"password":{"digest":"d"}}],"id":"1"}"#
        ),
        (
          .toClient,
          #"{"msg":"result","id":"1","error":{"error":403,"reason":"Incorrect password"}}"#
        ),
        (.toClient, #"{"msg":"updated","methods":["1"]}"#),
        (.toServer, #"{"msg":"sub","id":"s1","name":"posts","params":[]}"#),
        (.toServer, #"{"msg":"sub","id":"s2","name":"users","params":[]}"#),
        (.toClient, #"{"msg":"added","collection":"posts","id":"p1","fields":{"title":"x"}}"#),
        (.toClient, #"{"msg":"ready","subs":["s1","s2"]}"#),
        (.toServer, #"{"msg":"unsub","id":"s1"}"#), (.toClient, #"{"msg":"nosub","id":"s1"}"#),
        (.toClient, #"{"msg":"ping"}"#), (.toServer, #"{"msg":"pong"}"#),
      ])
  }

  private static func devTools() -> [UInt8] {
    talk(
      nil,
      [
        (.toServer, #"{"id":1,"method":"Page.enable","params":{}}"#),
        (.toClient, #"{"id":1,"result":{}}"#),
        (.toServer, #"{"id":1,"method":"Network.enable","params":{},"sessionId":"8F"}"#),
        (.toClient, #"{"id":1,"result":{},"sessionId":"8F"}"#),
        (.toServer, #"{"id":2,"method":"Foo.bar"}"#),
        (.toClient, #"{"id":2,"error":{"code":-32601,"message":"'Foo.bar' wasn't found"}}"#),
        (.toClient, #"{"method":"Network.loadingFinished","params":{"requestId":"7"}}"#),
      ])
  }

  private static func ocpp() -> [UInt8] {
    talk(
      "ocpp1.6",
      [
        (.toServer, #"[2,"19223201","BootNotification",{"chargePointModel":"M"}]"#),
        (.toClient, #"[3,"19223201",{"status":"Accepted","interval":300}]"#),
        (.toClient, #"[2,"1","Reset",{"type":"Soft"}]"#),
        (.toServer, #"[4,"1","NotSupported","no such action",{}]"#),
        (.toServer, #"[2,"19223202","Heartbeat",{}]"#), (.toServer, #"[3,"19223202"]"#),
      ])
  }

  /// A result that OCPP-J and WAMP v1 have alike, of a capture that begins late.
  private static func ambiguous() -> [UInt8] {
    talk(
      nil,
      [
        (.toClient, #"[3,"7",{"status":"Accepted"}]"#), (.toServer, #"[2,"8","Heartbeat",{}]"#),
        (.toClient, #"[3,"8",{"currentTime":"2024-03-02T21:14:07Z"}]"#),
      ])
  }

  /// An application that greets in its own words before it speaks a protocol.
  private static func late() -> [UInt8] {
    talk(
      nil,
      [
        (.toClient, "hello"), (.toServer, #"{"jsonrpc":"2.0","method":"ping","id":1}"#),
        (.toClient, #"{"jsonrpc":"2.0","result":"pong","id":1}"#),
      ])
  }
}
