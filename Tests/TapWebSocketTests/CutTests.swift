// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct CutTests {
  /// Everything that a stream can contain, right and wrong.
  private func dialogue(_ mask: [UInt8]?) -> [UInt8] {
    let long = String(repeating: "abcdefghij", count: 14)
    return frame(0x81, #"[1,"realm",{}]"#, mask: mask) + frame(0x82, [0, 1, 2, 255], mask: mask)
      + frame(0x81, long, mask: mask) + frame(0x01, "frag", mask: mask)
      + frame(0x89, "ping", mask: mask) + frame(0x00, "men", mask: mask)
      + frame(0x80, "ted é", mask: mask) + frame(0x81, "", mask: mask)
      + frame(0xC1, hello, mask: mask) + frame(0x41, Array(helloAgain[..<2]), mask: mask)
      + frame(0x8A, "", mask: mask) + frame(0x80, Array(helloAgain[2...]), mask: mask)
      + frame(0x81, [0x61, 0xFF], mask: mask) + frame(0x80, "x", mask: mask)
      + frame(0x01, "y", mask: mask) + frame(0x81, "z", mask: mask)
      + frame(0x83, "?", mask: mask) + frame(0xC1, [0x07], mask: mask)
      + frame(0x82, wire("p"), mask: mask, lengthOctets: 8)
      + frame(0x88, wire(3, 234, "bye"), mask: mask) + frame(0x81, "after", mask: mask)
      + Array(frame(0x81, "cut off", mask: mask).dropLast(2))
  }

  @Test(arguments: [Direction.toServer, .toClient]) func everyCut(direction: Direction) {
    let bytes = dialogue(direction == .toServer ? key : nil)
    let found = difference(forEveryCutOf: bytes) { pieces in
      let talk = WebSocketConversation(deflate: .init())
      for piece in pieces { talk.send(direction, piece) }
      talk.finish(.closed, direction)
      #expect(talk.accounted == talk.fed)
      return talk.reported
    }
    #expect(found == nil, "\(String(describing: found))")
  }

  /// Findings name the same place of the stream, however it was cut.
  @Test func placesOfFindings() {
    let bytes = frame(0x81, "ok") + frame(0x83, "?") + frame(0x81, "ok") + frame(0xA1, "?")
    let found = difference(forEveryCutOf: bytes) { pieces in
      let talk = WebSocketConversation()
      for piece in pieces { talk.send(.toClient, piece) }
      return talk.recorder.findings.map { "\($0.code.name) \($0.origin.offset)" }
    }
    #expect(found == nil, "\(String(describing: found))")
  }

  /// What is no frame behind a CLOSE, as when a server goes on in HTTP.
  @Test(arguments: ["HTTP/1.1 500 No\r\n", "H", "\u{7E}\u{7E}"]) func noFrame(rest: String) {
    let bytes = frame(0x81, "ok") + frame(0x88, [0x03, 0xE8]) + wire(rest)
    let found = difference(forEveryCutOf: bytes) { pieces in
      let talk = WebSocketConversation()
      for piece in pieces { talk.send(.toClient, piece) }
      talk.finish(.closed, .toClient)
      return talk.reported + talk.recorder.findings.map { "\($0.code.name) \($0.origin.offset)" }
    }
    #expect(found == nil, "\(String(describing: found))")
  }

  /// A long text is judged by its beginning, whether the rest of it is there or not.
  @Test(arguments: [nil, 30, 100] as [Int?]) func longTextsBehindAGap(wrongAt place: Int?) {
    var text = Array("[36,1,2,{},[\"\(String(repeating: "a", count: 200))\"]]".utf8)
    if let place { text[place] = 0x01 }
    let bytes = frame(0x81, text) + frame(0x81, "[36,1,3,{}]") + frame(0x81, "[36,1,4,{}]")
    let found = difference(forEveryCutOf: bytes) { pieces in
      let talk = WebSocketConversation()
      talk.gap(.toClient, 100)
      for (index, piece) in pieces.enumerated() {
        talk.send(.toClient, piece, edges: index == 0 ? .start : [])
      }
      talk.finish(.closed, .toClient)
      #expect(talk.accounted == talk.fed)
      #expect(talk.passed.count == (place == 30 ? 2 : 3))
      return talk.reported
    }
    #expect(found == nil, "\(String(describing: found))")
  }

  /// After a gap, what is found does not depend on the cut either.
  @Test(arguments: [Direction.toServer, .toClient]) func everyCutBehindAGap(direction: Direction) {
    let mask = direction == .toServer ? key : nil
    let tail = wire("end of a lost message\"]")
    let bytes =
      tail + frame(0x81, #"[36,1,2,{}]"#, mask: mask) + frame(0x89, "p", mask: mask)
      + frame(0x81, #"{"a":"é"}"#, mask: mask) + frame(0x82, [1, 2, 3], mask: mask)
    let found = difference(forEveryCutOf: bytes) { pieces in
      let talk = WebSocketConversation()
      talk.gap(direction, 100)
      for piece in pieces { talk.send(direction, piece) }
      talk.finish(.closed, direction)
      #expect(talk.accounted == talk.fed)
      #expect(talk.recorder[.skipped] == tail.count)
      return talk.reported
    }
    #expect(found == nil, "\(String(describing: found))")
  }
}
