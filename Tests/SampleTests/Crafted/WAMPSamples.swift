// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let wamp = [
    Crafted("wamp/unknown-octets/input.pcap", unknownOctets),
    Crafted("wamp/malformed/input.pcap", malformed),
    Crafted("wamp/no-subprotocol/input.pcap", noSubprotocol),
    Crafted("wamp/hostile-text/input.pcap", hostile),
    Crafted("wamp/stats-talk/input.pcap", StatsSamples.talk),
    Crafted("wamp/stats-backoff/input.pcap", StatsSamples.backoff),
  ]

  private static func malformed() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    let texts = [
      #"[32,1,{},"com.chat.message""#, "[32,1,{},com.chat.message]", "hello?",
      "[36,1,2,{},[NaN]]", "[33,1,5862354] [33,2,5862355]", "[33,3,5862356]\u{0}",
      #"{"type":33}"#, "33", "[]", #"["33",1,2]"#, "[33.5,1,2]", "[-1,1,2]", "[99,1,2]",
      "[300,1,{}]", "[1024,1]", "[7,23,5]", "[33,1]", "[33,1,2,3]", "[2]",
      #"[48,"1",{},"com.user.get"]"#, #"[48,1,[],"com.user.get"]"#, "[48,1,{},17]",
      #"[48,1,{},"com.user.get",{}]"#, #"[48,1,{},"com.user.get",[],[]]"#,
      "[33,0,5862354]", "[33,-1,5862354]", "[33,9007199254740993,5862354]",
      "[33,1,99999999999999999999999]", "[33,1.0,5.862354e6]", #"[32,2,{},"com.chat.last"]"#,
    ]
    for text in texts { talk.text(.toServer, text) }
    talk.frame(.toServer, opcode: 2, wire("[33,1,5862354]"))
    talk.leave()
    return talk.pcap()
  }

  private static func noSubprotocol() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.request("wamp.2.json")
    talk.respond(nil)
    talk.join()
    talk.subscribe()
    talk.leave()
    return talk.pcap()
  }

  /// Controls and bidirectional marks: nothing of them may reach a terminal.
  private static func hostile() -> [UInt8] {
    var talk = Dialogue()
    talk.open(path: "/ws?token=eyJhbGciOiJIUzI1NiJ9&room=7")
    talk.join()
    talk.text(.toServer, #"[32,1,{},"com.chat.\#u{1B}[31mred"]"#)
    talk.text(
      .toClient,
      #"[8,32,1,{},"com.chat.\#u{202E}gnorw",["\u001b]0;title\u0007\#u{7F}\#u{9B}2J"]]"#)
    talk.leave()
    return talk.pcap()
  }

  /// Compressed messages that refer to others, of which one of each side was not captured.
  private static func unknownOctets() -> [UInt8] {
    var talk = Dialogue()
    talk.open(extensions: "permessage-deflate")
    talk.compressed(.toServer, #"[1,"chat",{"roles":{"caller":{}}}]"#)
    talk.compressed(.toClient, #"[2,1002783120652702,{"roles":{"dealer":{}}}]"#)
    talk.compressed(.toServer, #"[32,1,{},"com.user.joined"]"#)
    talk.drop()
    talk.compressed(.toClient, #"[33,1,5862354]"#)
    talk.drop()
    talk.text(.toServer, #"[64,2,{},"com.example.add"]"#)
    talk.text(.toClient, #"[65,2,77]"#)
    talk.compressed(.toServer, #"[48,3,{},"com.user.get",[124]]"#)
    talk.compressed(.toClient, #"[50,3,{},[],{"userid":124,"karma":11}]"#)
    talk.compressed(.toClient, #"[8,48,9,{},"wamp.error.not_authorized"]"#)
    talk.compressed(.toClient, #"[50,9,{},[{"session":7,"transport":{"cookie":"s3cret"}}]]"#)
    talk.compressed(.toServer, #"[6,{},"wamp.close.close_realm"]"#)
    talk.compressed(.toClient, #"[6,{},"wamp.close.goodbye_and_out"]"#)
    talk.close()
    return talk.pcap()
  }
}
