// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Dialogue {
  /// A dialogue from this client port on.
  static func from(_ port: UInt16) -> Dialogue {
    Dialogue(Conversation(clientPort: port))
  }

  /// HELLO and WELCOME.
  mutating func join(_ roles: String = #""subscriber":{},"caller":{}"#) {
    text(.toServer, #"[1,"chat",{"roles":{\#(roles)}}]"#)
    text(.toClient, #"[2,1002783120652702,{"roles":{"broker":{},"dealer":{}}}]"#)
  }

  mutating func subscribe() {
    text(.toServer, #"[32,1,{},"com.chat.message"]"#)
    text(.toClient, "[33,1,5862354]")
  }

  /// An EVENT with so many bytes of text.
  mutating func event(_ publication: Int, _ words: String = "hi") {
    text(.toClient, Self.event(publication, words))
  }

  static func event(_ publication: Int, _ words: String = "hi") -> String {
    #"[36,5862354,\#(publication),{},["\#(words)"]]"#
  }

  /// GOODBYE and CLOSE.
  mutating func leave() {
    text(.toServer, #"[6,{},"wamp.close.close_realm"]"#)
    text(.toClient, #"[6,{},"wamp.close.goodbye_and_out"]"#)
    close()
  }

  /// The whole of a short session.
  static func chat() -> Dialogue {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    talk.event(71)
    talk.event(72, "still there?")
    talk.leave()
    return talk
  }

  /// The captures of several dialogues, one after the other.
  static func pcap(_ talks: [Dialogue]) -> [UInt8] {
    var all = Dialogue()
    for talk in talks {
      for packet in talk.packets { all.capture(packet.bytes) }
      all.wait(milliseconds: 100)
    }
    return all.pcap()
  }
}
