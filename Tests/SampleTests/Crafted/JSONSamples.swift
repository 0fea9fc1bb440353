// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// JSON-RPC, and JSON of applications, broken on purpose.
extension Crafted {
  static let jsonrpc = [
    Crafted("jsonrpc/broken/input.pcap", brokenRPC),
    Crafted("jsonrpc/both-sides/input.pcap", bothSides),
  ]

  static let json = [
    Crafted("json/stream-gap/input.pcap", streamGap),
    Crafted("json/entity-ids/input.pcap", entityIDs),
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
