// SPDX-License-Identifier: Apache-2.0
import TapInputs
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Streams whose beginning was not captured, through the whole stack.
@Suite("Midstream") struct MidstreamTests {
  private func summary(_ dialogue: Dialogue) -> Summary {
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
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
}
