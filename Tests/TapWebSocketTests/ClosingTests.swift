// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import TapWebSocket
import Testing

@Suite struct ClosingTests {
  private let close = frame(0x88, wire(3, 232, "bye"))
  private let answer = frame(0x88, wire(3, 233, "gone"), mask: key)

  @Test func whoSpokeFirstClosed() {
    let talk = WebSocketConversation()
    talk.send(.toClient, close)
    talk.send(.toServer, answer)
    talk.finish(.closed, .toServer)
    talk.finish(.closed, .toServer)
    #expect(
      talk.recorder.lines == [
        "toClient CLOSE \u{3}\u{FFFD}bye", "toServer CLOSE \u{3}\u{FFFD}gone",
        "closed by toClient 1000",
      ])
  }

  @Test(arguments: [
    (Ending.closed, Direction.toServer, "closed by toServer -"),
    (.closed, .unknown, "closed by unknown -"), (.reset, .toClient, "closed by toClient -"),
    (.endOfEvidence, .toServer, "closed by unknown - unfinished"),
  ])
  func withoutACloseFrame(ending: Ending, direction: Direction, line: String) {
    let talk = WebSocketConversation()
    talk.finish(ending, direction)
    let broken = ending == .reset ? ["warning websocket.connection-reset"] : []
    #expect(talk.recorder.lines == broken + [line])
  }

  @Test func halfCloses() {
    let talk = WebSocketConversation()
    talk.send(.toServer, frame(0x81, "a", mask: key))
    talk.finish(.half, .toServer)
    talk.send(.toClient, frame(0x81, "b"))
    talk.finish(.half, .toClient)
    talk.finish(.closed, .unknown)
    #expect(talk.passed == ["text a", "text b"])
    #expect(talk.recorder.lines == ["closed by toServer -"])
    #expect(talk.lent.endings == [.closed])
  }

  @Test func halfCloseInAMessage() {
    let talk = WebSocketConversation()
    talk.send(.toServer, Array(frame(0x81, "abc", mask: key).dropLast()))
    talk.send(.toClient, Array(frame(0x81, "abc").dropLast()))
    talk.finish(.half, .toServer)
    #expect(talk.codes == ["websocket.message-incomplete"])
    talk.send(.toClient, wire("c"))
    talk.finish(.closed, .toServer)
    #expect(talk.codes.count == 1 && talk.passed == ["text abc"])
    #expect(talk.accounted == talk.fed)
  }

  @Test func oneCloseFrameIsUnfinished() {
    let talk = WebSocketConversation()
    talk.send(.toServer, answer)
    talk.finish(.endOfEvidence, .unknown)
    #expect(talk.recorder.lines.last == "closed by toServer 1001 unfinished")
    let both = WebSocketConversation()
    both.send(.toServer, answer)
    both.send(.toClient, close)
    both.finish(.endOfEvidence, .unknown)
    #expect(both.recorder.lines.last == "closed by toServer 1001")
  }

  @Test func emptyClose() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x88, ""))
    talk.finish()
    #expect(talk.recorder.lines == ["toClient CLOSE ", "closed by toClient -"])
  }

  @Test(
    arguments: [
      (1000, true, "normal closure"), (1002, true, "protocol error"), (1004, false, "reserved"),
      (1005, false, "no status received"), (1006, false, "abnormal closure"),
      (1011, true, "internal error"), (1014, true, "bad gateway"), (1015, false, "TLS handshake"),
      (1016, false, "unassigned"), (2999, false, "unassigned"), (3000, true, "unauthorized"),
      (3999, true, "registered by a library or framework"),
      (4000, true, "private to the application"), (4999, true, "private to the application"),
      (5000, false, "unassigned"), (0, false, "unassigned"), (999, false, "unassigned"),
    ] as [(UInt16, Bool, String)])
  func codes(code: UInt16, maySend: Bool, name: String) {
    #expect(CloseCode.maySend(code) == maySend)
    #expect(CloseCode.name(code).description == name)
  }

  @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 3000, 4999])
  func failures(code: Int) {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x88, [UInt8(code >> 8), UInt8(code & 255)]))
    let isFailure = [1002, 1003, 1007, 1008, 1009, 1010, 1011].contains(code)
    #expect(talk.codes == (isFailure ? ["websocket.close-1002"] : []))
  }
}
