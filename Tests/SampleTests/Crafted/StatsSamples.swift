// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Captures that statistics are worth looking at.
enum StatsSamples {
  /// Calls that are answered, refused and left without answer, publications with and without
  /// acknowledgement, events, pings, and two sessions on one connection.
  static func talk() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join(#""subscriber":{},"caller":{},"publisher":{}"#)
    talk.subscribe()
    for request in 2...9 {
      talk.text(.toServer, #"[48,\#(request),{},"com.user.get",[\#(request)]]"#)
      talk.wait(milliseconds: UInt64(request * request))
      talk.text(.toClient, #"[50,\#(request),{},[{"karma":10}]]"#)
    }
    talk.text(.toServer, #"[48,10,{},"com.user.ban",[7]]"#)
    talk.text(.toClient, #"[8,48,10,{},"wamp.error.not_authorized"]"#)
    // Nobody answers these.
    talk.text(.toServer, #"[48,11,{},"com.report.make"]"#)
    talk.text(.toServer, #"[48,12,{},"com.report.make"]"#)
    talk.text(.toServer, #"[16,13,{"acknowledge":true},"com.chat.message",["hi"]]"#)
    talk.text(.toClient, "[17,13,4512]")
    for request in 14...19 {
      talk.text(.toServer, #"[16,\#(request),{},"com.chat.typing",[true]]"#)
      talk.event(70 + request)
    }
    for number in 1...4 {
      talk.ping(.toClient, "\(number)")
      if number < 4 { talk.pong(.toServer, "\(number)") }
      talk.wait(milliseconds: 500)
    }
    talk.text(.toServer, "[300,1,{}]")
    talk.text(.toServer, #"[6,{},"wamp.close.close_realm"]"#)
    talk.text(.toClient, #"[6,{},"wamp.close.goodbye_and_out"]"#)
    talk.join()
    talk.leave()
    return talk.pcap()
  }

  /// A client whose connection breaks again and again, and that waits twice as long each time.
  static func backoff() -> [UInt8] {
    var all = Dialogue()
    for attempt in 0..<5 {
      var talk = Dialogue.from(50_000 + UInt16(attempt))
      talk.clock = all.clock
      talk.open()
      talk.join()
      talk.subscribe()
      if attempt < 4 {
        talk.capture(talk.conversation.rst(.toClient))
      } else {
        talk.leave()
      }
      all.packets += talk.packets
      all.clock = talk.clock + UInt64(1_000_000_000 << attempt)
    }
    return all.pcap()
  }
}
