// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// JSON-RPC, and JSON of applications, broken on purpose.
extension Crafted {
  static let jsonrpc = [
    Crafted("jsonrpc/broken/input.pcap", brokenRPC),
    Crafted("jsonrpc/both-sides/input.pcap", bothSides),
    Crafted("jsonrpc/content-length/input.pcap", contentLength),
  ]

  static let json = [
    Crafted("json/stream-gap/input.pcap", streamGap),
    Crafted("json/entity-ids/input.pcap", entityIDs),
    Crafted("json/length-prefix/input.pcap", lengthPrefix),
    Crafted("json/midstream/input.pcap", midstream),
    Crafted("json/names/input.pcap", named),
  ]

  private static func talk(_ messages: [(Direction, String)]) -> [UInt8] {
    var talk = Dialogue()
    talk.open("app.v1")
    for (direction, text) in messages { talk.text(direction, text) }
    talk.close()
    return talk.pcap()
  }

  private static func brokenRPC() -> [UInt8] {
    talk([
      (.toServer, #"{"jsonrpc":"2.0","method":"login","params":{"password":"hunter2"},"id":1}"#),
      (.toServer, #"{"jsonrpc":"2.0","method":"slow","id":1}"#),
      (.toClient, #"{"jsonrpc":"2.0","result":true,"id":1}"#),
      (.toClient, #"{"jsonrpc":"2.0","result":true,"id":"1"}"#),
      (.toServer, #"{"jsonrpc":"2.0","method":"slow","id":[2]}"#),
      (.toServer, #"{"jsonrpc":"2.0","method":"slow","params":7,"id":3}"#),
      (.toClient, #"{"jsonrpc":"2.0","result":null,"error":"no","id":3}"#),
      (.toServer, #"{"method":"never","id":4}"#),
      (.toServer, "[]"),
      (.toServer, #"[[{"jsonrpc":"2.0","method":"x"}]]"#),
      (.toServer, #"{"jsonrpc":"2.0","id":5}"#),
      (.toServer, "{\"jsonrpc\":\"2.0\",\"meth"),
    ])
  }

  /// Both sides ask, and use the same ids; one question has no answer.
  private static func bothSides() -> [UInt8] {
    talk([
      (.toServer, #"{"jsonrpc":"2.0","method":"initialize","params":{},"id":1}"#),
      (.toClient, #"{"jsonrpc":"2.0","method":"workspace/configuration","params":[],"id":1}"#),
      (.toServer, #"{"jsonrpc":"2.0","result":[{"tabs":2}],"id":1}"#),
      (.toClient, #"{"jsonrpc":"2.0","result":{"capabilities":{}},"id":1}"#),
      (.toServer, #"{"jsonrpc":"2.0","method":"shutdown","id":2}"#),
    ])
  }

  /// One JSON text on each line of a stream, of which a segment is missing.
  private static func streamGap() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    let lines = [
      #"{"action":"login","id":"a1","token":"s3cr3t"}"#, #"{"action":"list","id":"a2"}"#,
      #"{"action":"list","id":"a3"}"#,
    ]
    for line in lines { talk.send(.toServer, line + "\n") }
    talk.send(.toClient, #"{"ok":true,"reply_to":"a1"}"# + "\n" + #"{"ok":true,"reply"#)
    talk.send(.toClient, #"_to":"a2"}"# + "\r\n" + #"{"ok":false,"#)
    talk.send(.toClient, #""reply_to":"a3"}"# + "\n")
    talk.drop()
    talk.send(.toClient, #"{"event":"tick","n":1}"# + "\n" + #"{"event":"ti"#)
    talk.send(.toServer, #"{"action":"list","id":"a4"}"# + "\n")
    talk.drop()
    talk.end()
    return talk.pcap()
  }

  /// Four bytes of length before each text; a segment is missing.
  private static func lengthPrefix() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    func framed(_ text: String) -> [UInt8] { [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8) }
    talk.send(.toServer, framed(#"{"cmd":"login","id":1,"password":"hunter2"}"#))
    talk.send(.toClient, framed(#"{"id":1,"ok":true}"#) + framed(#"{"event":"hello"}"#))
    talk.send(.toServer, framed(#"{"cmd":"list","id":2}"#))
    let answer = framed(#"{"id":2,"items":["a","b"]}"#)
    talk.send(.toClient, Array(answer.prefix(9)))
    talk.send(.toClient, Array(answer.dropFirst(9)) + Array(framed(#"{"event":"tick"}"#).prefix(9)))
    talk.drop()
    let ticks = (2..<6).flatMap { framed(#"{"event":"tick","n":\#($0)}"#) }
    talk.send(.toClient, Array(framed(#"{"event":"tick"}"#).dropFirst(9)) + ticks)
    talk.end()
    return talk.pcap()
  }

  /// A capture that was begun while the connection was open.
  private static func midstream() -> [UInt8] {
    var talk = Dialogue()
    talk.send(.toClient, #"ick","n":7}"# + "\n" + #"{"event":"tick","n":8}"# + "\n")
    talk.send(.toServer, #"{"action":"list","id":"a2"}"# + "\n")
    talk.send(.toServer, #"{"action":"list","id":"a3"}"# + "\n")
    talk.send(.toClient, #"{"ok":true,"reply_to":"a2"}"# + "\n")
    return talk.pcap()
  }

  /// What a names file has to explain.
  private static func named() -> [UInt8] {
    var talk = Dialogue()
    talk.open(nil, path: "/chat")
    talk.text(.toServer, #"{"head":{"kind":"req","id":7},"body":{"path":"/rooms","n":2}}"#)
    talk.text(.toClient, #"{"head":{"kind":100},"body":{"path":"/rooms/1"}}"#)
    talk.text(.toClient, #"{"head":{"kind":"rsp","id":7},"body":["a"]}"#)
    talk.text(.toServer, #"{"head":{"kind":"req","id":8},"body":{"pass_phrase":"hunter2"}}"#)
    talk.text(.toClient, #"{"head":{"kind":"err","id":8},"body":"no"}"#)
    talk.text(.toServer, #"{"head":{"kind":"req","id":9},"body":{"path":"/hang"}}"#)
    talk.close()
    return talk.pcap()
  }

  /// The base protocol of LSP; one side counts characters.
  private static func contentLength() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    func head(_ text: String, _ count: Int? = nil) -> String {
      "Content-Length: \(count ?? text.utf8.count)\r\n\r\n\(text)"
    }
    let hover = #"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"t":"für"}}"#
    talk.send(.toServer, head(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#))
    talk.send(.toClient, head(#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}"#))
    talk.send(.toServer, head(hover, hover.count))
    talk.send(.toClient, head(#"{"jsonrpc":"2.0","id":2,"result":null}"#))
    talk.send(.toServer, head(#"{"jsonrpc":"2.0","method":"exit"}"#))
    talk.end()
    return talk.pcap()
  }

  /// Ids that name things, which nobody asks for.
  private static func entityIDs() -> [UInt8] {
    talk([
      (.toClient, #"{"type":"created","id":5}"#), (.toServer, #"{"type":"move","id":5,"x":1}"#),
      (.toServer, #"{"type":"move","id":5,"x":2}"#), (.toClient, #"{"type":"moved","id":5}"#),
      (.toServer, #"{"type":"ask","id":"q1"}"#), (.toServer, #"{"type":"ask","id":"q1"}"#),
      (.toClient, #"{"type":"answer","id":"q1"}"#),
    ])
  }
}
