// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// HTTP/2 whose connection preface was not captured.
@Suite("HTTP/2 in mid-course") struct HTTP2MidstreamTests {
  private static func hello(_ direction: Direction, _ stream: UInt32, _ text: String) -> [UInt8] {
    let frame = Dialogue.frame(opcode: 1, masked: direction == .toServer, Array(text.utf8))
    return HTTP2Wire.data(stream: stream, frame)
  }

  /// - Parameter fill: what is sent after the connection was made, which was not captured.
  private func read(_ fill: (inout Dialogue) -> Void) -> (lines: [String], summary: Summary) {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    talk.send(.toClient, HTTP2Wire.settings)
    talk.dropAll()
    fill(&talk)
    talk.end()
    var options = LineRenderer.Options()
    (options.showsAll, options.showsNotes) = (true, true)
    let inspector = Inspector(LineRenderer(options), Inspector.Options())
    let engine = Engine(inspector, limits: Limits())
    engine.receive(talk.packets)
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    let summary = inspector.summary
    #expect(Fate.allCases.reduce(0) { $0 + summary[$1] } == summary[.payloadByte])
    return (text.split(separator: "\n").map(String.init), summary)
  }

  @Test("a conversation that was open is reported by its frames") func open() {
    let seen = read { talk in
      for call in 1...3 {
        talk.send(.toServer, Self.hello(.toServer, 5, #"[48,\#(call),{},"com.add",[1,2]]"#))
        talk.send(.toClient, Self.hello(.toClient, 5, "[50,\(call),{},[3]]"))
      }
    }
    #expect(seen.lines.contains { $0.contains("http2.midstream") })
    #expect(seen.lines.contains { $0.contains("websocket.handshake-missing") })
    #expect(seen.lines.count { $0.contains("→  CALL") } == 3)
    #expect(seen.lines.count { $0.contains("←  RESULT") } == 3)
    #expect(seen.summary[.streamUnread] == 0)
  }

  @Test("a request that refers to nothing that was missed is read") func literal() {
    let seen = read { talk in
      talk.send(.toServer, HTTP2Wire.frame(6, stream: 0, [UInt8](repeating: 7, count: 8)))
      talk.send(.toServer, HTTP2Wire.headers(stream: 7, HTTP2Wire.connect("/ws")))
      talk.send(.toClient, HTTP2Wire.headers(stream: 7, HTTP2Wire.agreed))
      talk.send(.toServer, Self.hello(.toServer, 7, #"[1,"chat",{"roles":{"caller":{}}}]"#))
    }
    #expect(seen.lines.contains { $0.contains("ws://router.example/ws") })
    #expect(seen.lines.contains { $0.contains("HELLO") })
    #expect(!seen.lines.contains { $0.contains("handshake-missing") })
  }

  @Test("one that does says so, and is reported by what it carries") func reference() {
    let seen = read { talk in
      talk.send(.toServer, HTTP2Wire.frame(1, flags: 4, stream: 9, [0xBE, 0xBF, 0xC0]))
      talk.send(.toClient, HTTP2Wire.frame(1, flags: 4, stream: 9, [0xBE]))
      talk.send(.toServer, Self.hello(.toServer, 9, #"[48,1,{},"com.add",[1,2]]"#))
      talk.send(.toServer, Self.hello(.toServer, 9, #"[48,2,{},"com.add",[1,2]]"#))
    }
    #expect(seen.lines.contains { $0.contains("http2.headers-lost") })
    #expect(seen.lines.count { $0.contains("→  CALL") } == 2)
  }

  @Test("what is no conversation is counted") func page() {
    let seen = read { talk in
      for _ in 0..<20 {
        let page = [UInt8](repeating: 0x3C, count: 1200)
        talk.send(.toClient, HTTP2Wire.data(stream: 11, page))
      }
      talk.send(.toClient, HTTP2Wire.data(stream: 11, [], endsStream: true))
    }
    #expect(seen.summary.connections == 0 && seen.summary.messages == 0)
    #expect(seen.summary[.unread] == 24_000)
  }
}
