// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInputs
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Streams whose beginning was not captured, through the whole stack.
@Suite("Midstream") struct MidstreamTests {
  private func summary(
    _ dialogue: Dialogue,
    _ inspector: Inspector = Inspector(
      LineRenderer(LineRenderer.Options()), Inspector.Options())
  ) -> Summary {
    let ground = Ground(inspector, limits: Limits())
    var input = PcapInput(input: 0, limits: Limits())
    input.receive(dialogue.pcap().span.bytes, ground)
    input.finish(ground)
    ground.finish()
    return inspector.summary
  }

  /// Found by fuzzing: who was chosen for the head handed the gap before it back, without end.
  @Test("a head behind a gap is read", arguments: [Direction.toServer, .toClient])
  func headBehindGap(_ direction: Direction) {
    var dialogue = Dialogue()
    dialogue.send(direction, "of something else")
    dialogue.send(direction, "never captured")
    dialogue.drop()
    // The hole is given up before anything else is seen.
    dialogue.capture(
      dialogue.conversation.acknowledge(direction == .toServer ? .toClient : .toServer))
    dialogue.wait(milliseconds: 10_000)
    dialogue.request()
    dialogue.respond()
    dialogue.text(.toServer, #"[1,"realm",{}]"#)
    let summary = summary(dialogue)
    #expect(summary[.httpRequest] == 1)
    #expect(summary.messages == 1)
    #expect(Fate.allCases.reduce(0) { $0 + summary[$1] } == summary[.payloadByte])
  }

  /// Frames of RawSocket begin with zeros, as no frames of WebSocket do.
  @Test(
    "RawSocket is recognised by its messages, and who is the client",
    arguments: [Direction.toServer, .toClient], [false, true])
  func rawSocket(_ client: Direction, _ pings: Bool) {
    var dialogue = Dialogue()
    func send(_ direction: Direction, _ kind: UInt8, _ text: String) {
      dialogue.send(
        client == .toServer ? direction : direction.reversed,
        [kind, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8))
    }
    if pings { send(.toClient, 1, "beat") }
    send(.toClient, 0, "[36,5862354,71,{}]")
    if pings { send(.toServer, 2, "beat") }
    send(.toServer, 0, #"[48,2,{},"com.user.get",[123]]"#)
    send(.toClient, 0, #"[50,2,{},[],{"karma":10}]"#)
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let summary = summary(dialogue, inspector)
    #expect(summary[.streamRawSocket] == 1 && summary[.streamUnread] == 0)
    #expect(summary.messages == (pings ? 5 : 3) && summary.controlFrames == (pings ? 2 : 0))
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    #expect(text.contains("#1 →  CALL"))
    #expect(Fate.allCases.reduce(0) { $0 + summary[$1] } == summary[.payloadByte])
  }

  @Test(
    "what begins with 0x7F alone is not RawSocket",
    arguments: [["\u{7F}ELF\u{2}\u{1}\u{1}", "thanks"], ["\u{7F}"], ["\u{7F}a", "\u{7F}\u{1}b"]])
  func otherStreams(_ sides: [String]) {
    var dialogue = Dialogue()
    dialogue.connect()
    for (side, text) in sides.enumerated() {
      dialogue.send(side == 0 ? .toServer : .toClient, text)
    }
    dialogue.end()
    let summary = summary(dialogue)
    #expect(summary[.streamUnread] == 1 && summary[.streamRawSocket] == 0)
    #expect(summary[.unread] == summary[.payloadByte])
  }
}
