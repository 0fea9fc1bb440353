// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapRawSocket

@Suite struct GapTests {
  /// An EVENT in each serializer that has a form.
  static func event(_ serializer: UInt8, _ publication: Int, _ words: String = "hi") -> [UInt8] {
    let text = Array(words.utf8)
    let number = UInt8(publication)
    switch serializer {
    case 1: return frame(0, "[36,5862354,\(publication),{},[\"\(words)\"]]")
    case 2: return frame(0, [0x95, 0x24, 0x07, number, 0x80, 0x91, 0xD9, UInt8(text.count)] + text)
    case 3:
      return frame(
        0, [0x85, 0x18, 0x24, 0x07, number, 0xA0, 0x81, 0x78, UInt8(text.count)] + text)
    default:
      return frame(0, [0x5B, 0x55, 0x24, 0x55, 0x07, 0x55, number] + wire("{}[]]") + text)
    }
  }

  static func open(_ serializer: UInt8) -> RawSocketConversation {
    let octets: [UInt8] = [0x7F, 0xF0 | serializer, 0, 0]
    return RawSocketConversation.open(octets, octets)
  }

  /// Every hole in one frame's payload: its length shows where the next one begins.
  @Test(arguments: [Direction.toServer, .toClient]) func holeInsideAFrame(direction: Direction) {
    let first = message("0123456789")
    for start in 4...first.count {
      for end in start...first.count where end > start {
        let talk = RawSocketConversation.open()
        talk.send(direction, Array(first[..<start]))
        talk.gap(direction, end - start)
        talk.send(direction, Array(first[end...]) + message("next"))
        talk.finish(.closed, direction)
        #expect(talk.passed == ["text next"], "\(start)..<\(end)")
        #expect(talk.codes == ["rawsocket.message-incomplete"])
        #expect(talk.recorder.findings.map(\.lostMessages) == [1])
        #expect(talk.recorder[.incomplete] == first.count - (end - start))
        #expect(talk.accounted == talk.fed)
      }
    }
  }

  /// A hole across frames: what follows is found again by its form.
  @Test(arguments: 1...4 as ClosedRange<UInt8>) func holeAcrossFrames(serializer: UInt8) {
    let talk = Self.open(serializer)
    let direction = Direction.toClient
    talk.send(direction, Self.event(serializer, 1) + Array(Self.event(serializer, 2).prefix(9)))
    talk.gap(direction, 200)
    talk.send(direction, wire("of a message\"]"), edges: [.end])
    for number in 5...9 { talk.segment(direction, Self.event(serializer, number)) }
    talk.finish(.closed, direction)
    #expect(
      talk.chooser.all[0].chunks.map(\.bytes)
        == ([1, 5, 6, 7, 8, 9] as [Int]).map {
          Array(Self.event(serializer, $0).dropFirst(4))
        })
    #expect(talk.codes == ["rawsocket.message-incomplete", "rawsocket.resynchronised"])
    #expect(talk.recorder[.incomplete] == 9 && talk.recorder[.skipped] == 14)
    #expect(talk.accounted == talk.fed)
  }

  /// Gaps that no frame was found between are reported as one; the message that was cut off counts
  /// once.
  @Test func gapsInARow() {
    let talk = Self.open(1)
    let events = (10..<20).map { Self.event(1, $0) }
    let size = events[0].count
    talk.send(.toClient, events[0] + events[1].prefix(9))
    talk.gap(.toClient, size)
    talk.send(.toClient, Array(events[2].dropFirst(9)).dropLast(9))
    talk.gap(.toClient, size)
    talk.send(.toClient, Array((events[3] + events[4]).dropFirst(size - 9)) + events[5])
    talk.finish(.closed, .toClient)
    #expect(talk.codes == ["rawsocket.message-incomplete", "rawsocket.resynchronised"])
    #expect(talk.recorder.findings.map(\.lostMessages) == [1, 2])
    #expect(talk.passed.count == 3 && talk.accounted == talk.fed)
  }

  /// What was given up is not searched again, what comes behind it is.
  @Test func framesBehindWhatWasGivenUp() {
    let talk = Self.open(1)
    talk.gap(.toClient, nil)
    let piece = [UInt8](repeating: 0xEE, count: 1 << 20)
    for _ in 0..<3 { talk.send(.toClient, piece) }
    for number in 10..<20 { talk.segment(.toClient, Self.event(1, number)) }
    talk.finish(.closed, .toClient)
    #expect(talk.passed.count == 10 && talk.accounted == talk.fed)
  }

  /// Where no message has a form, the borders of segments must speak.
  @Test func flatBuffers() {
    let talk = Self.open(5)
    talk.gap(.toServer, nil)
    talk.send(.toServer, [1, 0, 0, 0, 0], edges: [.end])
    talk.segment(.toServer, frame(0, [12, 0, 0, 0, 8, 0]))
    talk.segment(.toServer, frame(0, [16, 0, 0, 0, 9, 0]))
    talk.finish()
    #expect(talk.chooser.all[0].chunks.map(\.bytes.count) == [6, 6])
    #expect(talk.recorder[.skipped] == 5 && talk.accounted == talk.fed)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt8>) func everyCutBehindAGap(serializer: UInt8) {
    let tail = wire("end of a lost message\"]")
    let bytes =
      tail + Self.event(serializer, 1) + frame(1, "p") + Self.event(serializer, 2, "é")
      + Self.event(serializer, 3)
    let found = difference(forEveryCutOf: bytes) { pieces in
      let talk = Self.open(serializer)
      talk.gap(.toClient, 100)
      for piece in pieces { talk.send(.toClient, piece) }
      talk.finish(.closed, .toClient)
      #expect(talk.accounted == talk.fed)
      #expect(talk.chooser.all[0].chunks.count == 3)
      return talk.reported
    }
    #expect(found == nil, "\(String(describing: found))")
  }

  /// Frames of which the beginning is enough, or is not: how much of them is there changes nothing.
  @Test(arguments: [63, 64, 65, 70_000])
  func longFramesBehindAGap(count: Int) {
    let words = String(repeating: "é", count: count / 2)
    let bytes = message("[36,5862354,71,{},[\"\(words)\"]]") + Self.event(1, 72)
    for edges in [Delivery.Edges.start, []] {
      var whole: [String] = []
      for cut in [bytes.count, 4, 20, 67, 68, 69, 100, 50_000] where cut <= bytes.count {
        let talk = Self.open(1)
        talk.gap(.toClient, nil)
        talk.send(.toClient, Array(bytes[..<cut]), edges: edges)
        talk.send(.toClient, Array(bytes[cut...]))
        talk.finish()
        if cut == bytes.count { whole = talk.reported }
        #expect(talk.reported == whole, "\(cut)")
        #expect(talk.passed.last == "text [36,5862354,72,{},[\"hi\"]]")
        #expect(talk.passed.count == (count < 70_000 || edges == .start ? 2 : 1))
      }
    }
  }

  /// A form stands at the beginning of a message or counts for nothing, as the rest of it may not
  /// be there yet.
  @Test(arguments: [16, 90]) func formOfFlatBuffers(root: Int) {
    var payload = [UInt8](repeating: 0, count: root + 30)
    payload[0] = UInt8(root)
    // A layout with two fields, the tag and the offset of the table, and the root table.
    payload.replaceSubrange(root - 8..<root, with: [8, 0, 12, 0, 4, 0, 8, 0])
    payload.replaceSubrange(root..<root + 12, with: [8, 0, 0, 0, 36, 0, 0, 0, 4, 0, 0, 0])
    let bytes = frame(0, payload)
    for cut in 1...bytes.count {
      var search = MessageSearch()
      var isFound = false
      for (part, edge) in [(bytes[..<cut], Delivery.Edges.start), (bytes[cut...], .end)] {
        let part = Array(part)
        if part.isEmpty { continue }
        search.append(part.span.bytes, Delivery(Origin(), edges: edge))
        if case .found(0, 5, _) = search.firstFrame(isEnd: false) { isFound = true }
      }
      #expect(isFound == (root == 16), "\(cut)")
    }
  }

  @Test func nothingThatCouldBeRecognised() {
    var limits = Limits()
    // Less than three pieces cost.
    limits.resyncBytes = 3 * ReplayBuffer.leastCost - 1
    let talk = RawSocketConversation(limits: limits)
    talk.send(.toServer, greeting)
    talk.send(.toClient, greeting)
    talk.gap(.toServer, 30)
    for _ in 0..<4 { talk.send(.toServer, wire("neither frames nor JSON")) }
    talk.gap(.toClient, nil)
    talk.finish()
    #expect(talk.passed == [] && talk.accounted == talk.fed)
    #expect(talk.codes == [String](repeating: "rawsocket.framing-lost", count: 3))
  }

  /// Other protocols put lengths before their messages too; zeros, PINGs and text are no evidence.
  @Test(arguments: [
    frame(0, "not a message of WAMP"), frame(0, "[1,2,3]"), frame(0, [0x81, 0x18, 0x24]),
    [UInt8](repeating: 0, count: 600), frame(1, "") + frame(2, "") + frame(1, ""),
    frame(0, "{\"id\":7}"), frame(0, [0, 18, 0, 4, 0, 0, 0, 7]),
    Array(frame(0, "[33,1,2").dropLast()),
  ])
  func noEvidence(bytes: [UInt8]) {
    var search = MessageSearch()
    for _ in 0..<4 {
      search.append(bytes.span.bytes, Delivery(Origin(), edges: [.start, .end]))
    }
    guard case .undecided = search.firstFrame(isEnd: true) else {
      Issue.record("believed")
      return
    }
  }

  @Test(
    arguments: [
      (1, "[48,2,{},\"com.user.get\"]", true), (1, "[36,5862354,71,{}]", false),
      (1, "[6,{},\"wamp.close.normal\"]", nil),
    ] as [(UInt8, String, Bool?)])
  func whoSentIt(serializer: UInt8, text: String, isFromClient: Bool?) {
    var search = MessageSearch()
    let bytes = wire("rest\"]") + message(text) + message(text)
    search.append(bytes.span.bytes, Delivery(Origin()))
    guard case .found(6, serializer, let answer) = search.firstFrame(isEnd: false) else {
      Issue.record("not found")
      return
    }
    #expect(answer == isFromClient)
  }

  @Test func midstream() {
    let talk = RawSocketConversation(serializer: 1)
    talk.send(.toClient, wire("rest\"]") + Self.event(1, 71) + Self.event(1, 72))
    talk.segment(.toServer, message("[48,2,{},\"com.user.get\"]"))
    talk.segment(.toServer, frame(2, "whose PING nobody has"))
    talk.finish()
    #expect(talk.passed.count == 3 && talk.codes == ["rawsocket.resynchronised"])
    #expect(talk.recorder.findings.map(\.severity) == [.note])
    #expect(talk.recorder[.skipped] == 6 && talk.accounted == talk.fed)
  }

  /// Random holes: what is reported was sent, in order, and every byte is somewhere.
  @Test(arguments: 0..<60 as Range<UInt64>) func randomHoles(seed: UInt64) {
    var random = Seeded(seed &+ 1000)
    let serializer = UInt8(seed % 4 + 1)
    let talk = Self.open(serializer)
    var sent: [[UInt8]] = []
    var stream: [UInt8] = []
    var ends: Set<Int> = []
    for index in 0..<60 {
      let filler = Int.random(in: 0..<6, using: &random) == 0 ? 120 : 20
      let count = Int.random(in: 0...filler, using: &random)
      let letters = (0..<count).map { _ in "abcé,{}[]0".randomElement(using: &random)! }
      if Int.random(in: 0..<8, using: &random) == 0 {
        stream += frame(1, "ping\(index)")
      } else {
        let bytes = Self.event(serializer, index, String(letters))
        stream += bytes
        sent.append(Array(bytes.dropFirst(4)))
      }
      if Bool.random(using: &random) { ends.insert(stream.count) }
    }
    var at = 0
    while at < stream.count {
      let isHole = Int.random(in: 0..<6, using: &random) == 0
      let size = Int.random(in: 1...(isHole ? 150 : 400), using: &random)
      let end = min(at + size, stream.count)
      if isHole {
        talk.gap(.toClient, end - at)
      } else {
        var edges: Delivery.Edges = []
        if at == 0 || ends.contains(at) { edges.insert(.start) }
        if ends.contains(end) { edges.insert(.end) }
        talk.send(.toClient, Array(stream[at..<end]), edges: edges)
      }
      at = end
    }
    talk.finish(.closed, .toClient)
    #expect(talk.accounted == talk.fed)
    var rest = sent[...]
    for reported in talk.chooser.all[0].chunks.map(\.bytes) {
      guard let place = rest.firstIndex(of: reported) else {
        Issue.record("was never sent, or not in this order: \(reported)")
        continue
      }
      rest = rest[(place + 1)...]
    }
    #expect(talk.passed.count > 5, "most of it can be read")
  }
}
