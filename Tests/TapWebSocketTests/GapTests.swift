// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct GapTests {
  /// Every hole in one frame's payload: its length shows where the next one begins.
  @Test(arguments: [Direction.toServer, .toClient]) func holeInsideAFrame(direction: Direction) {
    let mask = direction == .toServer ? key : nil
    let first = frame(0x81, "0123456789", mask: mask)
    let header = first.count - 10
    for start in header...first.count {
      for end in max(start, header)...first.count where end > start {
        let talk = WebSocketConversation()
        talk.send(direction, Array(first[..<start]))
        talk.gap(direction, end - start)
        talk.send(direction, Array(first[end...]) + frame(0x81, "next", mask: mask))
        talk.finish(.closed, direction)
        #expect(talk.passed == ["text next"], "\(start)..<\(end)")
        #expect(talk.codes == ["websocket.message-incomplete"])
        #expect(talk.recorder.findings.map(\.lostMessages) == [1])
        #expect(talk.recorder[.incomplete] == first.count - (end - start))
        #expect(talk.accounted == talk.fed)
      }
    }
  }

  @Test func holeInAFragmentAndInAControlFrameBetween() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x01, "one") + Array(frame(0x89, "ping").prefix(3)))
    talk.gap(.toClient, 3)
    talk.send(.toClient, frame(0x80, "two"))
    #expect(talk.passed == ["text onetwo"])
    #expect(talk.codes == ["websocket.message-incomplete"])
    talk.send(.toClient, Array(frame(0x01, "one").prefix(3)))
    talk.gap(.toClient, 2)
    talk.send(.toClient, frame(0x80, "two") + frame(0x81, "whole"))
    #expect(talk.passed == ["text onetwo", "text whole"])
    #expect(talk.codes.count == 2 && talk.accounted == talk.fed)
  }

  /// A hole across frames: what follows is found again by its form.
  @Test(arguments: [
    (Direction.toClient, false, false), (.toServer, false, false), (.toClient, true, false),
    (.toServer, true, false), (.toClient, false, true), (.toServer, false, true),
  ])
  func holeAcrossFrames(direction: Direction, isBinary: Bool, isDeflated: Bool) {
    var deflate = Opening.Deflate()
    (deflate.clientKeepsContext, deflate.serverKeepsContext) = (false, false)
    let talk = WebSocketConversation(deflate: isDeflated ? deflate : nil)
    func message(_ index: Int) -> [UInt8] {
      let mask = direction == .toServer ? key(index) : nil
      let text = "[36,\(index),77,{}]"
      if isBinary { return frame(0x82, [0x94, 0x24] + Array(text.utf8), mask: mask) }
      return isDeflated ? frame(0xC1, stored(text), mask: mask) : frame(0x81, text, mask: mask)
    }
    talk.send(direction, message(1) + Array(message(2).prefix(9)))
    talk.gap(direction, 200)
    // The rest of some frame, then whole ones, one a segment.
    talk.send(direction, wire("of a message\"]"), edges: [.end])
    for index in 5...9 { talk.send(direction, message(index), edges: [.start, .end]) }
    talk.finish(.closed, direction)
    let indices = [1, 5, 6, 7, 8, 9]
    #expect(talk.lent.chunks.count == indices.count, "\(talk.passed)")
    for (index, reported) in zip(indices, talk.passed) {
      #expect(reported.hasSuffix("[36,\(index),77,{}]"), "\(reported)")
    }
    #expect(talk.codes == ["websocket.message-incomplete", "websocket.resynchronised"])
    #expect(talk.recorder[.incomplete] == 9 && talk.recorder[.skipped] == 14)
    #expect(talk.accounted == talk.fed)
  }

  /// Only the first frames behind a gap may continue what began in it.
  @Test(arguments: [true, false]) func strayContinuation(isFirst: Bool) {
    let talk = WebSocketConversation(isFromStart: false)
    let stray = frame(0x80, "…")
    let whole = (1...3).flatMap { frame(0x81, "[36,1,\($0),{}]") }
    talk.send(.toClient, isFirst ? stray + whole : whole + stray)
    talk.finish(.closed, .toClient)
    #expect(talk.passed.count == 3)
    #expect(talk.codes.contains("websocket.unexpected-continuation") == !isFirst)
  }

  @Test func fromTheMiddle() {
    let talk = WebSocketConversation(isFromStart: false)
    talk.send(.toClient, wire("rest\"]") + frame(0x81, "[36,1,2,{}]") + frame(0x81, "[36,1,3,{}]"))
    talk.send(.toServer, frame(0x81, "[48,1,{},\"x\"]", mask: key), edges: [.start, .end])
    talk.finish()
    #expect(
      talk.passed.sorted() == [
        "text [36,1,2,{}]", "text [36,1,3,{}]", "text [48,1,{},\"x\"]",
      ])
    #expect(talk.recorder[.skipped] == 6 && talk.accounted == talk.fed)
  }

  /// Random holes in random dialogues: what is reported was sent, in order, and every byte is
  /// somewhere.
  @Test(arguments: 0..<60 as Range<UInt64>) func randomHoles(seed: UInt64) {
    var random = Seeded(seed &+ 1000)
    let direction: Direction = seed % 2 == 0 ? .toClient : .toServer
    let talk = WebSocketConversation()
    var sent: [String] = []
    var stream: [UInt8] = []
    var ends: Set<Int> = []
    for index in 0..<60 {
      let mask: [UInt8]? =
        direction == .toServer ? (0..<4).map { _ in .random(in: 0...255, using: &random) } : nil
      let filler = Int.random(in: 0..<6, using: &random) == 0 ? 300 : 20
      let count = Int.random(in: 0...filler, using: &random)
      let letters = (0..<count).map { _ in "abcé \u{1F642},{}[]0".randomElement(using: &random)! }
      let text = "[36,\(index),{},[\"\(String(letters))\"]]"
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let bytes = Array(text.utf8)
        let cut = bytes.count / 2
        stream += frame(0x01, Array(bytes[..<cut]), mask: mask)
        stream += frame(0x80, Array(bytes[cut...]), mask: mask)
        sent.append("text \(text)")
      case 1: stream += frame(0x89, "ping\(index)", mask: mask)
      case 2:
        stream += frame(0x82, text, mask: mask)
        sent.append("binary \(text)")
      default:
        stream += frame(0x81, text, mask: mask)
        sent.append("text \(text)")
      }
      if Bool.random(using: &random) { ends.insert(stream.count) }
    }
    var at = 0
    while at < stream.count {
      let isHole = Int.random(in: 0..<6, using: &random) == 0
      let size = Int.random(in: 1...(isHole ? 150 : 400), using: &random)
      let end = min(at + size, stream.count)
      if isHole {
        talk.gap(direction, end - at)
      } else {
        var edges: Delivery.Edges = []
        if at == 0 || ends.contains(at) { edges.insert(.start) }
        if ends.contains(end) { edges.insert(.end) }
        talk.send(direction, Array(stream[at..<end]), edges: edges)
      }
      at = end
    }
    talk.finish(.closed, direction)
    #expect(talk.accounted == talk.fed)
    var rest = sent[...]
    for reported in talk.passed {
      guard let place = rest.firstIndex(of: reported) else {
        Issue.record("was never sent, or not in this order: \(reported)")
        continue
      }
      rest = rest[(place + 1)...]
    }
    #expect(talk.passed.count > 5, "most of it can be read")
  }
}
