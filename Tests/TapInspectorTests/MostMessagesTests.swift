// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCaptures
import TapEvidence
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// So many messages and no more.
@Suite("As many messages as were asked for") struct MostMessagesTests {
  /// What is rendered of a capture when only so many messages are wanted; nil for all.
  private func render(
    _ file: [UInt8], _ most: UInt64?, _ renderer: any Renderer
  ) -> (lines: [String], summary: Summary, isReached: Bool) {
    var options = Inspector.Options()
    options.mostMessages = most ?? .max
    let inspector = Inspector(renderer, options)
    let engine = Engine(inspector, limits: Limits())
    var input = PcapInput(Place(input: 0), limits: Limits())
    input.receive(file.span.bytes, engine)
    input.finish(engine)
    engine.finish(!engine.wantsMore ? .count : nil)
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    let lines = text.split(separator: "\n").map { String($0) }
    return (lines, inspector.summary, !engine.wantsMore)
  }

  /// Two messages and a PING in one segment, a hole, and more messages.
  private var file: [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.text(.toServer, #"[1,"chat",{"roles":{"caller":{}}}]"#)
    let welcome = Dialogue.frame(opcode: 1, masked: false, Array(#"[2,7,{"roles":{}}]"#.utf8))
    let ping = Dialogue.frame(opcode: 9, masked: false, [])
    let goodbye = Dialogue.frame(opcode: 1, masked: false, Array(#"[6,{},"wamp.a"]"#.utf8))
    talk.send(.toClient, ping + welcome + ping + goodbye + ping)
    talk.text(.toServer, #"[6,{},"wamp.close.goodbye_and_out"]"#)
    talk.drop()
    talk.close()
    return talk.pcap()
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func lines(_ most: UInt64) {
    let isMessage = { (line: String) in line.contains(" → ") || line.contains(" ← ") }
    let header = { (line: String) in line.hasPrefix("#") }
    let all = render(file, nil, LineRenderer(LineRenderer.Options()))
    let some = render(file, most, LineRenderer(LineRenderer.Options()))
    let messages = all.lines.filter { isMessage($0) && !header($0) }
    #expect(messages.count == 5)
    #expect(
      some.lines.filter { isMessage($0) && !header($0) } == Array(messages.prefix(Int(most))))
    #expect(some.isReached == (most <= 5))
    #expect(some.lines.last?.hasSuffix("limit reached; the rest was not read") == (most <= 5))
    // Findings about what was not looked at are not reported.
    if most < 4 { #expect(some.summary.warnings == 0 && some.summary.lostBytes == 0) }
  }

  @Test(arguments: 1...9 as ClosedRange<UInt64>) func objects(_ most: UInt64) {
    let all = render(file, nil, NDJSONRenderer(inputs: ["a"]))
    let some = render(file, most, NDJSONRenderer(inputs: ["a"]))
    let messages = all.lines.filter { $0.contains(#""event":"message""#) }
    // PING is a message there.
    #expect(messages.count == 8)
    #expect(
      some.lines.filter { $0.contains(#""event":"message""#) } == Array(messages.prefix(Int(most))))
    #expect(some.summary.messages == min(most, 8))
    let opened = some.lines.filter { $0.contains(#""state":"opened""#) }
    let ended = some.lines.filter {
      $0.contains(#""state":"unfinished""#) || $0.contains(#""state":"closed""#)
    }
    #expect(opened.count == 1 && ended.count == 1)
    #expect(some.lines.last?.hasPrefix(#"{"event":"summary""#) == true)
    #expect(some.lines.last?.contains(#""stopped":"count""#) == (most <= 8))
    // Every byte that was looked at is accounted for.
    #expect(Fate.allCases.reduce(0) { $0 + some.summary[$1] } == some.summary[.payloadByte])
  }

  /// What is wrong with the last message is reported with it.
  @Test func findingOfTheLastMessage() {
    var talk = Dialogue()
    talk.open()
    talk.text(.toServer, #"[1,"chat",{"roles":{"caller":{}}}]"#)
    talk.frame(.toClient, opcode: 1, masked: true, Array(#"[2,7,{"roles":{}}]"#.utf8))
    let all = render(talk.pcap(), nil, NDJSONRenderer(inputs: ["a"]))
    let some = render(talk.pcap(), 2, NDJSONRenderer(inputs: ["a"]))
    let findings = all.lines.filter { $0.contains(#""event":"finding""#) }
    #expect(!findings.isEmpty)
    #expect(some.lines.filter { $0.contains(#""event":"finding""#) } == findings)
  }
}
