// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Sessions that break what python-socketio and its clients keep.
extension Crafted {
  static let socketIO = [
    Crafted("socketio/rules/input.pcap", socketIORules),
    Crafted("socketio/attachments/input.pcap", socketIOAttachments),
    Crafted("socketio/recovery/input.pcap", socketIORecovery),
    Crafted("engineio/rules/input.pcap", engineIORules),
    Crafted("engineio/heartbeat/input.pcap", engineIOHeartbeat),
    Crafted("engineio/versions/input.pcap", engineIOVersions),
    Crafted("engineio/midstream/input.pcap", engineIOMidstream),
    Crafted("engineio/plain/input.pcap", engineIOPlain),
    Crafted("engineio/polling-loss/input.pcap", engineIOPollingLoss),
    Crafted("engineio/upgrades/input.pcap", engineIOUpgrades),
    Crafted("socketio/not-joined/input.pcap", socketIONotJoined),
  ]

  private static let path = "/socket.io/?EIO=4&transport=websocket"

  private static func session(_ path: String = path, port: UInt16 = 50_000) -> Dialogue {
    var talk = Dialogue.from(port)
    talk.open(nil, path: path)
    talk.text(
      .toClient,
      #"0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"#
        + #""maxPayload":100}"#)
    return talk
  }

  /// A session that has joined `/`.
  private static func joined(port: UInt16 = 50_000) -> Dialogue {
    var talk = session(port: port)
    talk.text(.toServer, #"40{"token":"s3cr3t"}"#)
    talk.text(.toClient, #"40{"sid":"wZX3oN0bSVIhsaknAAAI"}"#)
    return talk
  }

  private static func socketIORules() -> [UInt8] {
    var talk = joined()
    for (direction, text) in [
      (.toServer, #"421["add",2,3]"#), (.toServer, #"421["add",4,5]"#), (.toClient, "431[5]"),
      (.toClient, "431[5]"), (.toServer, #"422["never"]"#), (.toServer, "40"),
      (.toClient, #"40{"sid":"wZX3oN0bSVIhsaknAAAJ"}"#), (.toServer, #"42/admin,["x"]"#),
      (.toServer, #"40/admin,{"token":"s3cr3t"}"#),
      (.toClient, #"44/admin,{"message":"not authorized","data":{"retry":false}}"#),
      (.toServer, "40/silent,"), (.toServer, #"42{"name":"chat"}"#), (.toServer, #"42["cut"#),
    ] as [(Direction, String)] {
      talk.text(direction, text)
    }
    talk.close()
    // What waits when its session is broken off was never answered; at the end of the evidence,
    // nothing more is known.
    var other = joined(port: 50_001)
    other.text(.toServer, #"421["never"]"#)
    other.text(.toServer, "40/silent,")
    other.close()
    var open = joined(port: 50_002)
    open.text(.toServer, #"421["late"]"#)
    open.text(.toServer, "40/late,")
    return Dialogue.pcap([talk, other, open])
  }

  private static func socketIOAttachments() -> [UInt8] {
    let one = #"{"_placeholder":true,"num":0}"#
    var talk = joined()
    talk.text(.toServer, #"451-1["file",\#(one)]"#)
    talk.frame(.toServer, opcode: 2, [1, 2, 3])
    talk.text(.toClient, "461-1[\(one)]")
    talk.frame(.toClient, opcode: 2, [4, 5])
    talk.text(.toServer, #"451-["twice",[\#(one),\#(one)]]"#)
    talk.frame(.toServer, opcode: 2, [255])
    talk.text(.toServer, #"452-["one too few",\#(one)]"#)
    talk.frame(.toServer, opcode: 2, [1])
    talk.text(.toServer, #"42["next"]"#)
    talk.text(.toServer, #"451-["wrong",{"_placeholder":true,"num":7}]"#)
    talk.frame(.toServer, opcode: 2, [1])
    talk.frame(.toServer, opcode: 2, [9, 9])
    talk.text(.toServer, #"4511-["many",\#(one)]"#)
    for number in 0..<11 { talk.frame(.toServer, opcode: 2, [UInt8(number)]) }
    talk.text(.toServer, #"452-["last",\#(one)]"#)
    talk.close()
    var open = joined(port: 50_001)
    open.text(.toServer, #"451-["late",\#(one)]"#)
    return Dialogue.pcap([talk, open])
  }

  private static func socketIORecovery() -> [UInt8] {
    var talk = session()
    talk.text(.toServer, "40")
    talk.text(.toClient, #"40{"sid":"Gbo1gkXqmqPLHQZaAAAB","pid":"Xw3kxJPTLkqg5m7nAAAC"}"#)
    talk.text(.toClient, #"42["news",{"id":1},"PjssgW7"]"#)
    talk.end()
    var back = session(port: 50_001)
    back.text(
      .toServer, #"40{"pid":"Xw3kxJPTLkqg5m7nAAAC","offset":"PjssgW7"}"#)
    back.text(.toClient, #"40{"sid":"Gbo1gkXqmqPLHQZaAAAB","pid":"Xw3kxJPTLkqg5m7nAAAC"}"#)
    back.text(.toClient, #"42["news",{"id":2},"PjssgXt"]"#)
    back.end()
    var late = session(port: 50_002)
    late.text(
      .toServer, #"40{"pid":"Xw3kxJPTLkqg5m7nAAAC","offset":"PjssgXt"}"#)
    late.text(.toClient, #"40{"sid":"5dJWxVQYGwhoPoCNAAAD","pid":"mCF6GtBCWGk1yGDnAAAE"}"#)
    late.close()
    return Dialogue.pcap([talk, back, late])
  }

  private static func engineIORules() -> [UInt8] {
    var talk = joined()
    let long = String(repeating: "x", count: 120)
    talk.text(.toServer, #"42["long","\#(long)"]"#)
    talk.text(.toServer, "6")
    talk.text(.toServer, "9")
    talk.text(.toServer, "b!!")
    talk.text(.toServer, "2")
    talk.text(.toClient, "3")
    talk.text(.toServer, "1")
    talk.text(.toServer, #"42["behind"]"#)
    talk.close()
    var other = Dialogue.from(50_001)
    other.open(nil, path: path)
    other.text(.toClient, #"0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":[],"pingInterval":"25000"}"#)
    other.close()
    return Dialogue.pcap([talk, other])
  }

  /// A client that only listens, and has its token in the URL.
  private static func socketIONotJoined() -> [UInt8] {
    var talk = session(path + "&token=s3cr3t")
    talk.wait(milliseconds: 25_000)
    talk.text(.toClient, "2")
    talk.text(.toServer, "3")
    talk.wait(milliseconds: 20_000)
    talk.text(.toClient, "1")
    talk.close()
    return talk.pcap()
  }

  private static func engineIOHeartbeat() -> [UInt8] {
    var talk = joined()
    talk.wait(milliseconds: 25_000)
    talk.text(.toClient, "2")
    talk.text(.toServer, "3")
    talk.wait(milliseconds: 25_000)
    talk.text(.toClient, "2")
    talk.wait(milliseconds: 30_000)
    talk.text(.toClient, #"42["no pong"]"#)
    talk.wait(milliseconds: 60_000)
    talk.text(.toClient, #"42["no ping"]"#)
    talk.close()
    return talk.pcap()
  }

  /// A client of revision 4 at a server of revision 3, and both of revision 3.
  private static func engineIOVersions() -> [UInt8] {
    let open =
      #"0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":[],"pingInterval":25000,"pingTimeout":5000}"#
    var talk = Dialogue()
    talk.open(nil, path: path)
    talk.text(.toClient, open)
    talk.text(.toClient, "40")
    talk.close()
    var old = Dialogue.from(50_001)
    old.open(nil, path: "/socket.io/?EIO=3&transport=websocket")
    old.text(.toClient, open)
    old.text(.toClient, "40")
    old.text(.toServer, #"451-["file",{"_placeholder":true,"num":0}]"#)
    old.frame(.toServer, opcode: 2, [4, 1, 2, 3])
    old.text(.toServer, "40/admin?token=s3cr3t&uid=7,")
    old.text(.toClient, "40/admin,")
    old.text(.toServer, "2")
    old.text(.toClient, "3")
    old.close()
    return Dialogue.pcap([talk, old])
  }

  /// The capture began in the middle: heart-beats wait for what tells.
  private static func engineIOMidstream() -> [UInt8] {
    var talk = joined()
    talk.text(.toServer, #"421["asked before"]"#)
    talk.dropAll()
    talk.text(.toClient, "2")
    talk.text(.toServer, "3")
    talk.text(.toClient, "431[]")
    talk.text(.toServer, #"42["chat","hi"]"#)
    talk.text(.toClient, #"42["chat","hi"]"#)
    talk.close()
    var odd = joined(port: 50_001)
    odd.dropAll()
    odd.text(.toServer, #"451-["file",{"_placeholder":true,"num":0}]"#)
    odd.frame(.toServer, opcode: 2, [4, 1, 2, 3])
    odd.text(.toClient, #"42["chat","hi"]"#)
    odd.close()
    return Dialogue.pcap([talk, odd])
  }

  /// Engine.IO that carries something else.
  private static func engineIOPlain() -> [UInt8] {
    var talk = session()
    talk.text(.toServer, "4hello")
    talk.text(.toClient, #"4{"answer":"hello"}"#)
    talk.frame(.toServer, opcode: 2, [1, 2, 3])
    talk.text(.toClient, "bAQID")
    talk.text(.toClient, "2")
    talk.text(.toServer, "3")
    talk.text(.toServer, "1")
    talk.close()
    return talk.pcap()
  }
}
