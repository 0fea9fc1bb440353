// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Publications and calls of several sessions at the same time, for `wamptap trace`.
extension Crafted {
  static let traces = [
    Crafted("filter/trace/input.pcap", wampTrace),
    Crafted("stomp/trace/input.pcap", stompTrace),
  ]

  /// One publication that sessions got, or did not get, for every reason there is; one that was
  /// refused; and calls.
  static func wampTrace() -> [UInt8] {
    var lines: [String] = []
    for (number, name) in ["alice", "bob", "carol", "dave", "erin", "frank", "gina", "hank"]
      .enumerated()
    {
      let mark = "\(number + 1)"
      lines.append(mark + hello)
      let details = #""authid":"\#(name)","roles":{"broker":{},"dealer":\#(features)}"#
      lines.append(mark + #"< [2,\#(1001 + number),{\#(details)}]"#)
    }
    lines += [
      #"9> [1,"games",{"roles":{"subscriber":{}}}]"#,
      #"9< [2,1009,{"authid":"ivan","roles":{"broker":{}}}]"#,
      #"9> [32,1,{},"com.chat.room1"]"#, "9< [33,1,501]",
      #"1> [32,1,{},"com.chat.room1"]"#, "1< [33,1,501]",
      #"2> [32,1,{"match":"prefix"},"com.chat."]"#, "2< [33,1,502]",
      #"3> [32,1,{},"com.chat.room1"]"#, "3< [33,1,501]", "3> [34,2,501]", "3< [35,2]",
      #"4> [32,1,{},"com.chat/room1"]"#, "4< [33,1,503]",
      #"5> [32,1,{},"com.chat.room1"]"#, #"5< [8,32,1,{},"wamp.error.not_authorized"]"#,
      #"6> [32,1,{},"com.chat.room1"]"#, "6< [33,1,501]",
      #"8> [32,1,{},"com.chat.room1"]"#, "8< [33,1,501]",
      #"2> [64,2,{},"com.user.get"]"#, "2< [65,2,601]",
      #"1> [16,2,{"acknowledge":true,"exclude_authid":["frank"]},"com.chat.room1",["hi"]]"#,
      "2< [36,502,9007199254740001,{},[\"hi\"]]".replacing(
        "{}", with: #"{"topic":"com.chat.room1"}"#),
      "1< [17,2,9007199254740001]", "8 reset",
      #"7> [32,1,{},"com.chat.room1"]"#, "7< [33,1,501]",
      #"1> [16,3,{"acknowledge":true},"com.admin.news",["x"]]"#,
      #"1< [8,16,3,{},"wamp.error.not_authorized"]"#,
      #"1> [48,4,{},"com.user.get",[7]]"#, "2< [68,1,601,{},[7]]", "wait",
      #"2> [70,1,{},[{"name":"joe"}]]"#, #"1< [50,4,{},[{"name":"joe"}]]"#,
      #"1> [48,5,{},"com.user.get",[8]]"#, "2< [68,2,601,{},[8]]", "2 reset",
      #"1< [8,48,5,{},"wamp.error.canceled"]"#,
    ]
    return manySides(9, lines)
  }

  /// Interleaved lines of sessions: `3>` is said by the client of the third.
  private static func manySides(
    _ count: Int, _ lines: [String], subprotocol: String? = "wamp.2.json"
  ) -> [UInt8] {
    var talks = (1...count).map { Dialogue.from(50_000 + UInt16($0)) }
    var all = Dialogue()
    var isOpen = talks.map { _ in true }
    for index in talks.indices {
      talks[index].clock = all.clock
      talks[index].open(subprotocol)
      all.clock = talks[index].clock
    }
    for line in lines {
      guard let number = line.first?.wholeNumberValue else {
        all.wait(milliseconds: 40)
        continue
      }
      let index = number - 1
      talks[index].clock = all.clock
      if line.hasSuffix("reset") {
        talks[index].capture(talks[index].conversation.rst(.toServer))
        isOpen[index] = false
      } else {
        talks[index].text(
          line.dropFirst().hasPrefix(">") ? .toServer : .toClient, String(line.dropFirst(3)))
      }
      all.clock = talks[index].clock
    }
    for index in talks.indices {
      talks[index].clock = all.clock
      if isOpen[index] { talks[index].close() }
      all.clock = talks[index].clock
      all.packets += talks[index].packets
    }
    all.packets.sort { $0.time < $1.time }
    return all.pcap()
  }

  /// A topic with wildcards, a queue of which one consumer gets each message, and a destination
  /// that differs in its case.
  static func stompTrace() -> [UInt8] {
    var lines: [String] = []
    for number in 1...4 {
      lines.append("\(number)> CONNECT\naccept-version:1.2\nhost:chat\n\n\0")
      lines.append("\(number)< CONNECTED\nversion:1.2\nsession:s-\(number)\n\n\0")
    }
    lines += [
      "2> SUBSCRIBE\nid:0\ndestination:/topic/chat.*\n\n\0",
      "3> SUBSCRIBE\nid:0\ndestination:/topic/Chat.room1\n\n\0",
      "3> SUBSCRIBE\nid:1\ndestination:/queue/work\n\n\0",
      "4> SUBSCRIBE\nid:7\ndestination:/queue/work\n\n\0",
      "1> SEND\ndestination:/topic/chat.room1\n\nhello\0",
      "2< MESSAGE\nsubscription:0\nmessage-id:1\ndestination:/topic/chat.room1\n\nhello\0",
      "1> SEND\ndestination:/queue/work\nreceipt:r1\n\n{\"job\":1}\0",
      "1< RECEIPT\nreceipt-id:r1\n\n\0",
      "4< MESSAGE\nsubscription:7\nmessage-id:2\ndestination:/queue/work\n\n{\"job\":1}\0",
    ]
    for number in 1...4 { lines.append("\(number)> DISCONNECT\n\n\0") }
    return manySides(4, lines, subprotocol: "v12.stomp")
  }
}
