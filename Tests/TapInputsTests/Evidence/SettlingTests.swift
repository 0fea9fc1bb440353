// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapInputs
import TapLogs
import TapTesting
import TapTraffic
import Testing

/// What waits for more lines, and does not wait for ever.
@Suite struct SettlingTests {
  @Test("so long after the first of what waits, once")
  func clock() {
    var settling = Settling(patience: 250)
    let steps: [(now: UInt64, waiting: UInt64?, isDue: Bool)] = [
      (0, nil, false), (1000, nil, false), (1000, 7, false), (1200, 7, false), (1250, 7, true),
      // It was settled, in vain.
      (9000, 7, false), (9001, 8, false), (9200, 8, false),
      // Something else waits, and that not so long.
      (9260, 9, false), (9509, 9, false), (9510, 9, true), (9510, nil, false), (9900, nil, false),
      (9900, 0, false), (10_150, 0, true),
    ]
    for step in steps {
      #expect(settling.isDue(step.waiting, at: step.now) == step.isDue, "\(step)")
    }
    #expect(settling.due == nil)
    _ = settling.isDue(1, at: 20_000)
    #expect(settling.due == 20_250)
  }

  private func kind(_ head: [UInt8]) -> String? {
    let recognition = Inputs.recognise(
      linesOf: head.span.bytes, input: 0, limits: Limits(), choice: InputChoice())
    guard case .input(let input) = recognition else { return nil }
    return TapInputsTests.kind(of: input)
  }

  @Test(
    "whole lines are taken for all there is",
    arguments: [
      ("2026-11-19 10:00:01.000 DEBUG TX: [1,\"r\",{\"roles\":{\"caller\":{}}}]\n", "log"),
      ("2026-11-19 10:00:01.000 D TX: [1,\"r\",{}]\n2026-11-19 10:0", "log"),
      ("2026-11-19 10:00:01.000 DEBUG TX: [1,\"realm1\",{\"roles\":{\"call", nil),
      ("[48,1,{},\"com.app\"]\n", "messages"),
      ("\n \r\n\n", nil), ("\n\r\r\n\u{6C}\0", nil), ("", nil),
    ] as [(String, String?)])
  func recognised(text: String, name: String?) {
    let text = Array(text.utf8)
    #expect(kind(text) == name)
    // Without it, the program would wait.
    let recognition = Inputs.recognise(
      text.span.bytes, isAll: text.isEmpty, input: 0, limits: Limits())
    if case .input(let input) = recognition { #expect(TapInputsTests.kind(of: input) == name) }
  }

  @Test("a log in a pipe would be anything as long as its beginning is short")
  func undecided() {
    let text = Array(
      """
      2026-11-19 10:00:01.000 DEBUG TX: [1,"realm1",{"roles":{"caller":{}}}]
      2026-11-19 10:00:01.100 DEBUG RX: [2,1,{"roles":{"dealer":{}}}]\n
      """.utf8)
    let recognition = Inputs.recognise(text.span.bytes, isAll: false, input: 0, limits: Limits())
    guard case .needMore = recognition else {
      Issue.record("it is decided at once")
      return
    }
    #expect(kind(text) == "log")
  }

  private static let whole = [
    // It may be printed once more.
    """
    app.js:44 WebSocket transport send [32,1,{},"a"]
    app.js:44 WebSocket transport receive [33,1,5862354]
    app.js:44 [34, 4, 5862354]\n
    """,
    // The record goes on.
    "{\n  \"dir\": \"in\",\n  \"msg\": [48,1,{},\"a\"],\n",
  ]

  @Test("a whole message is reported without what could say more of it", arguments: whole)
  func messages(text: String) {
    let sink = LogSink()
    var input = TestLog.input("x")
    input.receive(Array(text.utf8).span.bytes, sink)
    let reported = sink.reported.count
    #expect(input.waiting != nil)
    input.settle(sink)
    #expect(sink.reported.count == reported + 1 && input.waiting == nil)
    input.finish(sink)
    #expect(sink.reported.count == reported + 1)
  }

  @Test("a message of which only the beginning has come waits for the rest")
  func half() {
    let sink = LogSink()
    var input = TestLog.input("x")
    input.receive(Array("10:00:01 sent [48,1,\n".utf8).span.bytes, sink)
    #expect(input.waiting == nil)
    input.settle(sink)
    input.receive(Array("  {},\"a\"]\n".utf8).span.bytes, sink)
    input.finish(sink)
    #expect(sink.reported.count == 1)
  }

  @Test("a dump waits for all of its bytes, and for the end of its frame")
  func dumps() {
    let curl = [
      "=> Send data, 18 bytes (0x12)",
      "0000: 10 1f 00 04 4d 51 54 54 04 c2 00 1e 00 05 6e 65 ....MQTT......ne",
      "0010: 74 74                                           tt",
    ]
    let netty = [
      "[id: 0x4148ec68, L:/127.0.0.1:49294 - R:/127.0.0.1:1883] WRITE: 2B",
      "+--------+-------------------------------------------------+----------------+",
      "|00000000| c0 00                                           |..              |",
      "+--------+-------------------------------------------------+----------------+",
    ]
    for lines in [curl, netty] {
      var input = TestLog.input("x")
      for line in lines.dropLast() {
        input.receive(Array("\(line)\n".utf8).span.bytes, LogSink())
        #expect(input.waiting == nil, "\(line)")
      }
      input.receive(Array("\(lines.last!)\n".utf8).span.bytes, LogSink())
      #expect(input.waiting != nil)
    }
  }

  @Test("wherever logs stop for a while, nothing waits that could be reported")
  func samples() {
    var settled = 0
    for text in TestLog.samples where text.utf8.count < 32 << 10 {
      let bytes = Array(text.utf8)
      let ends = bytes.indices.filter { bytes[$0] == 0x0A }
      for end in ends where end % 5 == 0 {
        var choice = InputChoice()
        choice.isLive = true
        let sink = LogSink()
        var input = TestLog.input("x", choice: choice)
        input.receive(Array(bytes[...end]).span.bytes, sink)
        if input.waiting != nil { settled += 1 }
        input.settle(sink)
        #expect(input.waiting == nil)
        input.receive(Array(bytes[(end + 1)...]).span.bytes, sink)
        input.finish(sink)
      }
    }
    #expect(settled > 0)
  }
}
