// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let http2 = [
    Crafted("http2/prior-knowledge/input.pcap", priorKnowledge),
    Crafted("http2/broken/input.pcap", brokenHTTP2),
    Crafted("http2/midstream/input.pcap", midstreamHTTP2),
  ]

  private static func begun() -> Dialogue {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    // SETTINGS_ENABLE_CONNECT_PROTOCOL (RFC 8441 §3).
    talk.send(.toClient, HTTP2Wire.frame(4, stream: 0, [0, 8, 0, 0, 0, 1]))
    return talk
  }

  private static func open(_ talk: inout Dialogue, _ stream: UInt32, _ path: String) {
    talk.send(.toServer, HTTP2Wire.headers(stream: stream, HTTP2Wire.connect(path)))
    talk.send(.toClient, HTTP2Wire.headers(stream: stream, HTTP2Wire.agreed))
  }

  private static func say(
    _ talk: inout Dialogue, _ direction: Direction, _ stream: UInt32, _ text: String,
    padding: Int? = nil
  ) {
    let frame = Dialogue.frame(
      opcode: 1, masked: direction == .toServer, Array(text.utf8), number: talk.packets.count)
    talk.send(direction, HTTP2Wire.data(stream: stream, frame, padding: padding))
  }

  private static func priorKnowledge() -> [UInt8] {
    var talk = begun()
    let page = [
      (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "router.example"),
    ]
    talk.send(.toServer, HTTP2Wire.headers(stream: 1, page, endsStream: true))
    talk.send(.toClient, HTTP2Wire.headers(stream: 1, [(":status", "200")]))
    talk.send(.toClient, HTTP2Wire.data(stream: 1, Array("hello".utf8), endsStream: true))
    open(&talk, 3, "/ws")
    // The second request in two frames, its answer behind messages of the first conversation.
    let block = HTTP2Wire.section(HTTP2Wire.connect("/second?token=8d1f0c44e2"))
    talk.send(.toServer, HTTP2Wire.frame(1, flags: 0, stream: 5, Array(block.prefix(40))))
    talk.send(.toServer, HTTP2Wire.frame(9, flags: 4, stream: 5, Array(block.dropFirst(40))))
    say(&talk, .toServer, 3, #"[1,"one",{"roles":{"caller":{}}}]"#)
    talk.send(.toClient, HTTP2Wire.headers(stream: 5, HTTP2Wire.agreed))
    say(&talk, .toServer, 5, #"[1,"two",{"roles":{"caller":{}}}]"#, padding: 7)
    say(&talk, .toClient, 5, #"[2,22,{"roles":{"dealer":{}}}]"#)
    say(&talk, .toClient, 3, #"[2,11,{"roles":{"dealer":{}}}]"#, padding: 0)
    say(&talk, .toServer, 3, #"[48,1,{},"com.add",[1,2]]"#)
    say(&talk, .toClient, 3, #"[50,1,{},[3]]"#)
    talk.send(.toServer, HTTP2Wire.headers(stream: 7, HTTP2Wire.connect("/closed")))
    talk.send(.toClient, HTTP2Wire.headers(stream: 7, [(":status", "403")], endsStream: true))
    talk.send(.toServer, HTTP2Wire.headers(stream: 9, HTTP2Wire.connect("/busy")))
    talk.send(.toClient, HTTP2Wire.frame(3, stream: 9, [0, 0, 0, 7]))
    let bye: [UInt8] = [0x03, 0xE8]
    let fromClient = Dialogue.frame(opcode: 8, masked: true, bye)
    talk.send(.toServer, HTTP2Wire.data(stream: 3, fromClient))
    let fromServer = Dialogue.frame(opcode: 8, masked: false, bye)
    talk.send(.toClient, HTTP2Wire.data(stream: 3, fromServer, endsStream: true))
    talk.send(.toServer, HTTP2Wire.data(stream: 3, [], endsStream: true))
    // CANCEL is what a reset of TCP would be.
    talk.send(.toServer, HTTP2Wire.frame(3, stream: 5, [0, 0, 0, 8]))
    talk.end()
    return talk.pcap()
  }

  /// The capture begins when one conversation is open; another one is asked for in fields that
  /// nobody can read, and a page in some that need none of what was missed.
  private static func midstreamHTTP2() -> [UInt8] {
    var talk = begun()
    open(&talk, 1, "/ws")
    say(&talk, .toServer, 1, #"[1,"one",{"roles":{"caller":{}}}]"#)
    say(&talk, .toClient, 1, #"[2,11,{"roles":{"dealer":{}}}]"#)
    talk.dropAll()
    say(&talk, .toServer, 1, #"[48,1,{},"com.add",[1,2]]"#)
    say(&talk, .toClient, 1, #"[50,1,{},[3]]"#)
    let page = [
      (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "router.example"),
    ]
    talk.send(.toServer, HTTP2Wire.headers(stream: 3, page, endsStream: true))
    talk.send(.toClient, HTTP2Wire.headers(stream: 3, [(":status", "200")]))
    talk.send(.toClient, HTTP2Wire.data(stream: 3, Array("hello".utf8), endsStream: true))
    // By their place in the table of both sides: the fields of the first request.
    talk.send(.toServer, HTTP2Wire.frame(1, flags: 4, stream: 5, [0xC4, 0xC3, 0xC2, 0xC1, 0xC0]))
    talk.send(.toClient, HTTP2Wire.frame(1, flags: 4, stream: 5, [0xBF, 0xBE]))
    say(&talk, .toServer, 5, #"[1,"two",{"roles":{"caller":{}}}]"#)
    say(&talk, .toClient, 5, #"[2,22,{"roles":{"dealer":{}}}]"#)
    say(&talk, .toServer, 5, #"[48,1,{},"com.add",[3,4]]"#)
    say(&talk, .toClient, 5, #"[50,1,{},[7]]"#)
    talk.end()
    return talk.pcap()
  }

  private static func brokenHTTP2() -> [UInt8] {
    var talk = begun()
    open(&talk, 1, "/ws")
    say(&talk, .toServer, 1, #"[1,"one",{"roles":{"caller":{}}}]"#)
    say(&talk, .toClient, 1, #"[2,11,{"roles":{"dealer":{}}}]"#)
    talk.send(.toServer, HTTP2Wire.frame(6, stream: 0, [1, 2, 3, 4]))
    say(&talk, .toServer, 1, #"[48,1,{},"com.add",[1,2]]"#)
    // A frame of which only the second part was captured, and whole ones behind it.
    let text = Dialogue.frame(
      opcode: 1, masked: true, Array(#"[48,2,{},"com.add",[3,4]]"#.utf8))
    let call = HTTP2Wire.data(stream: 1, text)
    talk.send(.toServer, Array(call.prefix(20)))
    talk.drop()
    talk.wait(milliseconds: 6000)
    talk.send(.toServer, Array(call.dropFirst(20)))
    say(&talk, .toServer, 1, #"[48,3,{},"com.add",[5,6]]"#)
    say(&talk, .toServer, 1, #"[48,4,{},"com.add",[7,8]]"#)
    talk.send(.toServer, HTTP2Wire.headers(stream: 3, HTTP2Wire.connect("/unknown")))
    say(&talk, .toClient, 1, #"[50,4,{},[15]]"#)
    talk.send(.toClient, HTTP2Wire.frame(7, stream: 0, [0, 0, 0, 1, 0, 0, 0, 11]))
    talk.end()
    return talk.pcap()
  }
}
