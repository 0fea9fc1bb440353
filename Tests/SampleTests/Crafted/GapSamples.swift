// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let webSocketGaps = [
    Crafted("websocket/midstream/input.pcap", midstream),
    Crafted("websocket/deflate-lost/input.pcap", lostContext),
    Crafted("websocket/incomplete/input.pcap", incomplete),
    Crafted("websocket/resync/input.pcap", resynchronised),
    Crafted("websocket/framing-lost/input.pcap", framingLost),
  ]

  /// The capture begins after the handshakes.
  private static func midstream() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.dropAll()
    talk.text(.toClient, #"[33,1,5862354]"#)
    talk.event(71)
    talk.text(.toServer, #"[48,2,{},"com.user.get",[123]]"#)
    talk.text(.toClient, #"[50,2,{},[],{"userid":123,"karma":10}]"#)
    talk.leave()
    return talk.pcap()
  }

  /// One compressed message is missing, and others refer to it.
  private static func lostContext() -> [UInt8] {
    var talk = Dialogue()
    talk.open(extensions: "permessage-deflate")
    talk.join()
    talk.compressed(.toServer, #"[32,1,{},"com.chat.message"]"#)
    talk.compressed(.toClient, "[33,1,5862354]")
    talk.compressed(.toClient, Dialogue.event(71, "the first of several"))
    talk.compressed(.toClient, Dialogue.event(72, "the one that was not captured"))
    talk.drop()
    talk.compressed(.toClient, Dialogue.event(73, "the first after that was not captured"))
    talk.compressed(.toClient, Dialogue.event(74, "the second after that"))
    talk.wait(milliseconds: 6000)
    talk.leave()
    return talk.pcap()
  }

  /// The hole lies within one message, whose end is known by its length.
  private static func incomplete() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    let frame = Dialogue.frame(
      opcode: 1, masked: false,
      Array(Dialogue.event(71, String(repeating: "x", count: 300)).utf8))
    talk.send(.toClient, Array(frame[..<100]))
    talk.send(.toClient, Array(frame[100..<200]))
    talk.drop()
    talk.send(.toClient, Array(frame[200...]))
    talk.event(72)
    // The server's acknowledgement shows that it has what was not captured.
    talk.capture(talk.conversation.acknowledge(.toServer))
    talk.wait(milliseconds: 30)
    talk.leave()
    return talk.pcap()
  }

  /// The hole swallows the border of two messages.
  private static func resynchronised() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    let frames =
      (71...74).map { Dialogue.event($0, "message number \($0)") }
      .flatMap { Dialogue.frame(opcode: 1, masked: false, Array($0.utf8)) }
    talk.send(.toClient, Array(frames[..<40]))
    talk.send(.toClient, Array(frames[40..<80]))
    talk.drop()
    talk.send(.toClient, Array(frames[80...]))
    talk.event(75)
    talk.wait(milliseconds: 6000)
    talk.leave()
    return talk.pcap()
  }

  /// What follows the hole has no form that could be recognised.
  private static func framingLost() -> [UInt8] {
    var talk = Dialogue()
    talk.open("files.v1")
    talk.frame(.toClient, opcode: 2, wire("before"))
    var noise = Seeded(11)
    let bytes = (0..<600).map { _ in UInt8.random(in: 0...255, using: &noise) }
    let frames =
      Dialogue.frame(opcode: 2, masked: false, Array(bytes[..<300]))
      + Dialogue.frame(opcode: 2, masked: false, Array(bytes[300...]))
    talk.send(.toClient, Array(frames[..<200]))
    talk.send(.toClient, Array(frames[200..<400]))
    talk.drop()
    talk.send(.toClient, Array(frames[400..<500]))
    talk.end()
    return talk.pcap()
  }
}
