// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapRawSocket

@Suite struct FrameTests {
  @Test func messagesBothWays() {
    let talk = RawSocketConversation.open()
    talk.send(.toServer, message("[1]") + message("[2]"))
    talk.send(.toClient, message("[3]"))
    talk.send(.toServer, message(""))
    talk.finish(.closed, .toClient)
    #expect(talk.passed == ["text [1]", "text [2]", "text [3]", "text "])
    #expect(talk.codes == [] && talk.recorder.lines.last == "closed by toClient -")
    #expect(talk.recorder[.reported] == talk.fed)
  }

  /// A length of 24 bits, and the one more that only X can say.
  @Test(arguments: [255, 256, 65_536, (1 << 24) - 1, 1 << 24]) func lengths(count: Int) {
    let talk = RawSocketConversation.open()
    let text = [UInt8](repeating: 0x20, count: count)
    let header: [UInt8] = count == 1 << 24 ? [8, 0, 0, 0] : Array(frame(0, text).prefix(4))
    talk.send(.toServer, header + text + message("[2]"))
    #expect(talk.chooser.all[0].chunks.map(\.bytes.count) == [count, 3])
    #expect(talk.chooser.all[0].chunks[0].delivery.origin.offset == UInt64(8 + count))
    // Its bits are within the rules, but for the limit of the other side nothing is.
    #expect(talk.codes == [] && talk.accounted == talk.fed)
  }

  @Test(arguments: [
    (0x10, "rawsocket.reserved-bits", true), (0x80, "rawsocket.reserved-bits", true),
    (0x08, "rawsocket.reserved-bits", true), (0x03, "rawsocket.unknown-type", false),
    (0x07, "rawsocket.unknown-type", false),
  ])
  func rules(first: Int, code: String, isReported: Bool) {
    let talk = RawSocketConversation.open()
    talk.send(.toClient, message("[1]"))
    talk.send(.toClient, frame(first, "[2]") + message("[3]"))
    talk.finish()
    #expect(
      talk.passed
        == (isReported ? ["text [1]", "text [2]", "text [3]"] : ["text [1]", "text [3]"]))
    #expect(talk.codes == [code])
    #expect(talk.recorder.findings.map(\.origin.offset) == [11])
    #expect(talk.recorder[.incomplete] == (isReported ? 0 : 7) && talk.accounted == talk.fed)
  }

  /// What the receiver announced bounds what the sender may send, not the other way round.
  @Test func oversize() {
    let talk = RawSocketConversation.open([0x7F, 0x01, 0, 0], [0x7F, 0x11, 0, 0])
    let text = String(repeating: " ", count: 1000)
    talk.send(.toServer, message(text))
    #expect(talk.codes == [])
    talk.send(.toServer, message(text + text))
    talk.send(.toClient, message(text))
    #expect(talk.codes == ["rawsocket.oversize", "rawsocket.oversize"])
    #expect(talk.recorder.findings[0].text.contains("2000 bytes, where the router"))
    #expect(talk.recorder.findings[1].text.contains("1000 bytes, where the client"))
    #expect(talk.passed.count == 3, "they are shown all the same")
  }

  @Test func tooLarge() {
    var limits = Limits()
    limits.messageBytes = 10
    let talk = RawSocketConversation(limits: limits)
    talk.send(.toServer, greeting)
    talk.send(.toClient, greeting)
    talk.send(.toServer, message("[3456789]") + message("[34567890]") + message("[345678901]"))
    talk.send(.toServer, message("[1]"))
    talk.finish()
    #expect(talk.passed == ["text [3456789]", "text [34567890]", "text [1]"])
    #expect(talk.codes == ["rawsocket.message-too-large"])
    #expect(talk.recorder[.incomplete] == 15 && talk.accounted == talk.fed)
    #expect(talk.chooser.all[0].gaps.map(\.missing) == [nil], "who watches must know")
  }

  /// What all connections put together at once is bounded, and is given back.
  @Test(arguments: [true, false]) func noRoom(hasEnd: Bool) {
    var limits = Limits()
    limits.assembledBytes = Allowance(512 << 10)
    let text = "[1,\"" + String(repeating: "a", count: 200_000) + "\"]"
    let talks = (0..<4).map { _ in RawSocketConversation(limits: limits) }
    for talk in talks {
      talk.send(.toServer, greeting)
      talk.send(.toClient, greeting)
      talk.send(.toServer, Array(message(text).prefix(100_000)))
    }
    for talk in talks.reversed() where hasEnd {
      talk.send(.toServer, Array(message(text).dropFirst(100_000)))
    }
    for talk in talks { talk.finish() }
    let shown = talks.map { $0.passed.count }
    #expect(shown == (hasEnd ? [1, 1, 1, 0] : [0, 0, 0, 0]))
    let codes = talks.map(\.codes)
    let others = hasEnd ? [] : ["rawsocket.message-incomplete"]
    #expect(
      codes == [others, others, others, hasEnd ? ["rawsocket.message-too-large"] : others])
    #expect(talks.allSatisfy { $0.accounted == $0.fed })
    #expect(limits.assembledBytes.take(512 << 10))
  }

  @Test func brokenText() {
    let talk = RawSocketConversation.open()
    talk.send(.toServer, frame(0, [0x5B, 0xFF, 0x5D]))
    #expect(talk.chooser.all[0].chunks.map(\.delivery.kind) == [.brokenText])
    #expect(talk.codes == ["rawsocket.invalid-utf8"])
  }

  @Test func pingAndPong() {
    let talk = RawSocketConversation.open()
    var links: [Link] = []
    talk.recorder.onMessage = { message, _, _ in
      links.append(message.first)
      #expect(message.traits == .isControl && message.dialect.description == "rawsocket")
    }
    talk.send(.toServer, frame(1, "beat"))
    talk.send(.toClient, frame(1, "beat"))
    talk.send(.toClient, frame(2, "beat"))
    talk.send(.toServer, frame(2, "beat"))
    #expect(
      talk.recorder.lines.dropFirst() == [
        "toServer PING beat", "toClient PING beat", "toClient PONG beat", "toServer PONG beat",
      ])
    #expect(links.map(\.role) == [.restarts, .restarts, .answers, .answers])
    #expect(links[0].key == links[2].key && links[1].key == links[3].key)
    #expect(links[0].key != links[1].key, "who pinged is part of the key")
    #expect(talk.codes == [] && talk.passed == [])
  }

  @Test func pongMismatch() {
    let talk = RawSocketConversation.open()
    talk.send(.toServer, frame(1, "a") + frame(1, "b"))
    talk.send(.toClient, frame(2, "c"))
    talk.send(.toClient, frame(2, "b") + frame(2, "a"))
    talk.send(.toClient, frame(2, "a"))
    talk.send(.toServer, frame(2, "a"))
    // A PING may still come that was captured late.
    #expect(talk.codes == [])
    // The hole may have had the PING.
    talk.gap(.toServer, 5)
    talk.send(.toClient, frame(2, "z"))
    talk.finish()
    #expect(talk.codes.count { $0 == "rawsocket.pong-mismatch" } == 3)
    #expect(talk.recorder.findings.filter { $0.text.contains("another payload") }.count == 1)
  }

  /// Packets of two directions may be captured in the wrong order.
  @Test func pongBeforePing() {
    let talk = RawSocketConversation.open()
    talk.send(.toClient, frame(2, "a") + frame(2, "b"))
    talk.send(.toServer, frame(1, "a") + frame(1, "b"))
    talk.send(.toServer, frame(1, "a"))
    talk.send(.toClient, frame(2, "a"))
    talk.finish()
    #expect(talk.codes == [])
  }

  /// So many PINGs wait that some had to be forgotten.
  @Test func forgottenPings() {
    var limits = Limits()
    limits.pings = 3
    let talk = RawSocketConversation(limits: limits)
    talk.send(.toServer, greeting)
    talk.send(.toClient, greeting)
    for number in 0..<4 { talk.send(.toServer, frame(1, "\(number)")) }
    talk.send(.toClient, frame(2, "0"))
    #expect(talk.codes == [])
  }

  @Test(arguments: 1..<11) func cutOff(count: Int) {
    let talk = RawSocketConversation.open()
    talk.send(.toServer, message("[1]"))
    talk.send(.toServer, Array(message("[2,345]").prefix(count)))
    talk.finish(.reset, .toClient)
    #expect(talk.passed == ["text [1]"] && talk.codes == ["rawsocket.message-incomplete"])
    #expect(talk.recorder[.incomplete] == count && talk.accounted == talk.fed)
  }

  @Test(arguments: [Direction.toServer, .toClient]) func everyCut(direction: Direction) {
    let bytes =
      [0x7F, 0x11, 0, 9] + message("[1,\"realm\",{}]") + frame(1, "ping") + frame(2, "")
      + message("") + frame(0x10, "[2]") + frame(3, "?") + frame(0, [0x5B, 0xFF])
      + message(String(repeating: "é", count: 600)) + frame(2, "ping")
      + Array(message("cut off").dropLast(2))
    for isFirst in [true, false] {
      let found = difference(forEveryCutOf: bytes) { pieces in
        let talk = RawSocketConversation()
        if !isFirst { talk.send(direction.reversed, [0x7F, 0x01, 0, 0] + frame(1, "ping")) }
        for piece in pieces { talk.send(direction, piece) }
        if isFirst { talk.send(direction.reversed, [0x7F, 0x01, 0, 0]) }
        talk.finish(.closed, direction)
        #expect(talk.accounted == talk.fed)
        return talk.reported.filter { !$0.contains(" rawsocket.handshake") }
      }
      #expect(found == nil, "\(String(describing: found))")
    }
  }
}
