// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// Small exports of each kind, and the parts to make others of.
enum Exports {
  static func har(_ entries: String...) -> [UInt8] {
    Array(
      #"{"log":{"version":"1.2","creator":{"name":"test"},"entries":["#.utf8)
      + Array(entries.joined(separator: ",").utf8) + Array("]}}".utf8)
  }

  /// An entry whose upgrade was accepted.
  static func entry(
    _ messages: String, path: String = "/ws", started: String = "2026-11-21T00:01:02.500Z",
    more: String = ""
  ) -> String {
    #"{"startedDateTime":"\#(started)","request":{"method":"GET","#
      + #""url":"ws://a.example:8080\#(path)","headers":[{"name":"Upgrade","value":"websocket"},"#
      + #"{"name":"Sec-WebSocket-Protocol","value":"wamp.2.json"}]},"#
      + #""response":{"status":101,"statusText":"Switching Protocols","#
      + #""headers":[{"name":"Sec-WebSocket-Protocol","value":"wamp.2.json"}]},"#
      + #""serverIPAddress":"[fd77::1]","_webSocketMessages":[\#(messages)]\#(more)}"#
  }

  static let har = har(
    entry(
      #"{"type":"send","time":1795219328.503063,"opcode":1,"data":"[1,\"r\\u00e9alm\",{}]"},"#
        + #"{"type":"receive","time":1795219329.5,"opcode":2,"data":"AAECAw=="}"#),
    #"{"request":{"url":"http://a.example/","headers":[]},"response":{"status":200,"content":"#
      + #"{"text":"<p class=\"x\">[{"}}}"#,
    entry(
      #"{"type":"send","time":1795219328.6,"opcode":1,"data":"\ud83d\ude80"}"#, path: "/other"))

  /// A tagged netstring.
  static func string(_ content: [UInt8], _ tag: Character) -> [UInt8] {
    Array("\(content.count):".utf8) + content + [tag.asciiValue!]
  }

  static func text(_ text: String, _ tag: Character = ";") -> [UInt8] {
    string(Array(text.utf8), tag)
  }

  static func list(_ elements: [[UInt8]]) -> [UInt8] { string(elements.flatMap { $0 }, "]") }

  static func dictionary(_ members: [(String, [UInt8])]) -> [UInt8] {
    string(members.flatMap { text($0) + $1 }, "}")
  }

  /// `[opcode, from client, content, time, dropped, injected]`.
  static func message(
    _ opcode: Int, _ isFromClient: Bool, _ content: String, _ time: String,
    dropped: Bool = false, injected: Bool = false
  ) -> [UInt8] {
    list([
      text("\(opcode)", "#"), text("\(isFromClient)", "!"), text(content, ","), text(time, "^"),
      text("\(dropped)", "!"), text("\(injected)", "!"),
    ])
  }

  static func fields(_ fields: [(String, String)]) -> [UInt8] {
    list(fields.map { list([text($0, ","), text($1, ",")]) })
  }

  /// A flow whose upgrade was accepted, its members in the order of mitmproxy 11.
  static func flow(
    _ messages: [[UInt8]], path: String = "/ws", close: [(String, [UInt8])] = []
  ) -> [UInt8] {
    dictionary([
      ("websocket", dictionary(close + [("messages", list(messages))])),
      (
        "response",
        dictionary([
          ("status_code", text("101", "#")), ("reason", text("Switching Protocols", ",")),
          ("headers", fields([("Sec-WebSocket-Protocol", "wamp.2.json")])),
        ])
      ),
      (
        "request",
        dictionary([
          ("method", text("GET", ",")), ("scheme", text("https", ",")),
          ("host", text("a.example")), ("port", text("443", "#")), ("path", text(path, ",")),
          (
            "headers",
            fields([("Upgrade", "websocket"), ("Sec-WebSocket-Protocol", "wamp.2.json")])
          ),
        ])
      ),
      ("error", text("", "~")), ("timestamp_created", text("1795219328.4", "^")),
      ("client_conn", dictionary([("peername", list([text("10.0.0.7"), text("51234", "#")]))])),
      ("server_conn", dictionary([("peername", list([text("10.1.0.1"), text("443", "#")]))])),
      ("type", text("http")), ("version", text("21", "#")),
    ])
  }

  static let flow =
    flow(
      [
        message(1, true, "[1,\"réalm\",{}]", "1795219328.503063"),
        message(2, false, "\u{0}\u{1}", "1795219328.7"),
      ],
      close: [
        ("timestamp_end", text("1795219330.25", "^")), ("close_code", text("1000", "#")),
        ("close_reason", text("bye")), ("closed_by_client", text("false", "!")),
      ]) + flow([message(1, true, "[1]", "1795219328.6")], path: "/other")

  static func netLog(_ events: String...) -> [UInt8] {
    Array((netLogHead + events.joined(separator: ",\n") + "]}").utf8)
  }

  static let netLogHead =
    #"{"constants":{"logEventTypes":{"SOCKET_ALIVE":1,"TCP_CONNECT":2,"SSL_CONNECT":3,"#
    + #""SOCKET_BYTES_SENT":4,"SOCKET_BYTES_RECEIVED":5,"SSL_SOCKET_BYTES_SENT":6,"#
    + #""SSL_SOCKET_BYTES_RECEIVED":7,"WEBSOCKET_SENT_FRAME_HEADER":8,"#
    + #""WEBSOCKET_RECV_FRAME_HEADER":9,"OTHER":10},"logEventPhase":{"PHASE_BEGIN":1,"#
    + #""PHASE_END":2,"PHASE_NONE":0},"timeTickOffset":1795216661346},"# + "\n\"events\":[\n"

  /// An event as Chromium orders its members.
  static func event(
    _ type: Int, source: Int = 34, phase: Int = 0, time: Int = 2_596_410, _ params: String = ""
  ) -> String {
    (params.isEmpty ? "{" : #"{"params":{\#(params)},"#)
      + #""phase":\#(phase),"source":{"id":\#(source),"start_time":"1","type":10},"#
      + #""time":"\#(time)","type":\#(type)}"#
  }

  static let netLog = netLog(
    event(1, phase: 1, #""source_dependency":{"id":33,"type":5}"#), event(2, phase: 1),
    event(2, phase: 2, #""local_address":"127.0.0.1:55680","remote_address":"[::1]:8080""#),
    event(4, #""byte_count":4,"bytes":"R0VUIA==""#), event(10, #""x":[{"bytes":"AAAA"}]"#),
    event(5, time: 2_596_411, #""byte_count":5,"bytes":"SFRUUA==""#),
    event(3, source: 40, phase: 1), event(4, source: 40, #""byte_count":3,"bytes":"FgMB""#),
    event(6, source: 40, #""byte_count":3,"bytes":"UFJJ""#), event(1, phase: 2))

  static let ndjson = Array(
    ([
      #"{"event":"connection","state":"opened","connection":1,"time":"2026-11-21T04:15:00.000001Z","#
        + #""client":"10.0.0.7:51234","server":"[fd77::1]:8080","url":"ws://a.example/ws","#
        + #""subprotocol":"wamp.2.msgpack","extensions":["permessage-deflate"],"#
        + #""origin":{"input":"a.pcap","packet":5}}"#,
      #"{"event":"message","index":1,"connection":1,"time":"2026-11-21T04:15:00.000002Z","#
        + #""direction":"toServer","protocol":"wamp","name":"HELLO","ids":{},"#
        + #""body":[1,"r\u00e9alm",{"n":1.50}],"origin":{"input":"a.pcap","packet":6}}"#,
      #"{"event":"message","index":2,"connection":1,"time":"2026-11-21T04:15:00.000003Z","#
        + #""direction":"toClient","protocol":"websocket","name":"PING","ids":{},"#
        + #""body":{"base64":"AAEC"},"origin":{"input":"a.pcap","packet":7}}"#,
      #"{"event":"message","index":3,"connection":1,"time":"2026-11-21T04:15:01Z","#
        + #""direction":"toServer","protocol":"websocket","name":"CLOSE","ids":{},"#
        + #""body":{"code":1000,"reason":"b\"ye"},"origin":{"input":"a.pcap","packet":8}}"#,
      #"{"event":"connection","state":"closed","connection":1,"time":"2026-11-21T04:15:01Z","#
        + #""by":"client","code":1000,"reason":"b\"ye"}"#,
      #"{"event":"summary","connections":1,"messages":3,"findings":{"error":0,"warning":0,"#
        + #""note":0},"lost":{"bytes":0,"messages":0},"counts":{"packets":9}}"#,
    ].joined(separator: "\n") + "\n").utf8)

  static let browserEvents = Array(
    ([
      #"{"method":"Network.webSocketCreated","params":{"requestId":"8.2","url":"ws://a.example/ws"}}"#,
      #"{"method":"Network.webSocketWillSendHandshakeRequest","params":{"requestId":"8.2","#
        + #""timestamp":9.25,"wallTime":1795219328.25,"request":{"headers":{"Upgrade":"w"}}}}"#,
      #"{'method': 'Network.webSocketFrameSent', 'params': {'requestId': '8.2', 'response': "#
        + #"{'mask': True, 'opcode': 1, 'payloadData': "it's"}, 'timestamp': 9.5}}"#,
      #"Network.webSocketFrameReceived {"requestId":"8.2","timestamp":9.75,"response":"#
        + #"{"opcode":2,"payloadData":"AAEC"}}"#,
      #"{"level":"INFO","message":"{\"message\":{\"method\":\"Network.webSocketClosed\","#
        + #"\"params\":{\"requestId\":\"8.2\",\"timestamp\":10}}}","timestamp":1795219330}"#,
    ].joined(separator: "\n") + "\n").utf8)
}
