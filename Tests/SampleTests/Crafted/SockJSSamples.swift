// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Sessions of SockJS that break what sockjs-node and its clients keep.
extension Crafted {
  static let sockJS = [
    Crafted("sockjs/rules/input.pcap", sockJSRules),
    Crafted("sockjs/heart-beat/input.pcap", sockJSHeartBeat),
    Crafted("sockjs/midstream/input.pcap", sockJSMidstream),
    Crafted("sockjs/loss/input.pcap", sockJSLoss),
  ]

  private static func session(_ number: Int, port: UInt16 = 50_000) -> Dialogue {
    var talk = Dialogue.from(port)
    talk.open(nil, path: "/echo/00\(number)/abcdefg\(number)/websocket")
    return talk
  }

  private static func sockJSRules() -> [UInt8] {
    var talk = session(1)
    for (direction, text) in [
      (.toClient, "o"), (.toServer, #"["hi","there"]"#), (.toServer, #""alone""#),
      (.toServer, "hi"), (.toServer, #"[{"a":1}]"#), (.toClient, #"a["\ud83d\ude00","\ud83d"]"#),
      (.toClient, #"m"one""#), (.toClient, #"{"text":"no frame"}"#), (.toClient, #"a["cut"#),
      (.toClient, "o"), (.toClient, #"c[2010,"Another connection still open"]"#),
      (.toClient, #"c[3000,"Go away!"]"#), (.toClient, #"a["late"]"#), (.toServer, "[]"),
    ] as [(Direction, String)] {
      talk.text(direction, text)
    }
    talk.frame(.toServer, opcode: 2, [1, 2])
    talk.close()
    var other = session(2, port: 50_001)
    other.text(.toClient, #"a["first"]"#)
    other.text(.toClient, #"c[4001,"asked"]"#)
    other.close()
    return Dialogue.pcap([talk, other])
  }

  private static func sockJSHeartBeat() -> [UInt8] {
    var talk = session(3)
    talk.text(.toClient, "o")
    for _ in 0..<3 {
      talk.wait(milliseconds: 25_000)
      talk.text(.toClient, "h")
    }
    talk.wait(milliseconds: 70_000)
    talk.text(.toClient, #"a["where was I?"]"#)
    talk.close()
    return talk.pcap()
  }

  private static func sockJSMidstream() -> [UInt8] {
    var talk = Dialogue.from(50_002)
    talk.open(nil, path: "/echo/004/abcdefg4/websocket")
    talk.dropAll()
    talk.text(.toClient, "h")
    talk.text(.toServer, #"["42"]"#)
    talk.text(.toClient, #"a["[1,2]","done"]"#)
    talk.text(.toClient, #"c[1000,"Normal closure"]"#)
    talk.close()
    return talk.pcap()
  }
}
