// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Sessions of logs that name none.
@Suite struct LogTalksTests {
  /// The flows of the messages, and the codes of findings.
  private func reported(_ lines: [String], _ limits: Limits = Limits()) -> [String] {
    let sink = SessionSink()
    var input = TestLog.input("x", limits) { SessionRecogniser() }
    let text = lines.map { "app \($0)\n" }.joined()
    input.receive(Array(text.utf8).span.bytes, sink)
    input.finish(sink)
    return sink.reported
  }

  private static let first = "sent [1,\"r\",{}]"
  private static let second = "received [2,7,{}]"
  private let hello = first
  private let welcome = second

  @Test("another HELLO begins another session, unless nobody has answered the first")
  func sessions() {
    // Nothing says that the first has ended.
    let doubt = "log.sessions-mixed 2"
    #expect(reported([hello, welcome, hello, welcome]) == ["1", "1", doubt, "2", "2"])
    #expect(reported([welcome, hello, welcome]) == ["1", doubt, "2", "2"])
    #expect(reported([hello, hello, welcome]) == ["1", "gap 1", "1", "1"])
    let bye = ["sent [6,{},\"x\"]", "received [6,{},\"x\"]"]
    #expect(
      reported([hello, welcome] + bye + [hello, welcome])
        == ["1", "1", "1", "1", "closed 1", "2", "2"])
  }

  @Test("a session that begins beside another whose requests have no count is not judged at all")
  func crowded() {
    let other = "sent [1,\"u\",{}]"
    #expect(
      reported([other, welcome, other, welcome])
        == ["1", "1", "log.sessions-mixed 2", "gap 1", "gap 2", "2", "gap 2", "2"])
    #expect(
      reported([other, other, welcome])
        == ["1", "gap 1", "log.sessions-mixed 1", "gap 1", "gap 1", "1", "gap 1", "1"])
  }

  @Test("an answer to the session before, or an id that comes again, is two at once")
  func mixed() {
    let asked = [hello, welcome, "sent [48,1,{},\"a\"]", hello, welcome]
    let begun = ["1", "1", "1", "log.sessions-mixed 2", "2", "2"]
    let mixed = ["gap 1", "gap 2", "log.sessions-mixed 2"]
    #expect(reported(asked + ["received [50,1,{}]"]) == begun + mixed + ["1"])
    #expect(
      reported(asked + ["sent [48,1,{},\"b\"]", "sent [48,1,{},\"c\"]"])
        == begun + ["2"] + mixed + ["gap 3", "3"])
    // The later one is asked first.
    #expect(
      reported(asked + ["sent [48,1,{},\"b\"]", "received [50,1,{}]"]) == begun + ["2", "2"])
  }

  @Test("what was granted to the session before, or comes behind the end of the later, is of that")
  func held() {
    let asked = [
      hello, welcome, "sent [32,1,{},\"a\"]", "received [33,1,70]", hello, welcome,
    ]
    let begun = ["1", "1", "1", "1", "log.sessions-mixed 2", "2", "2"]
    let mixed = ["gap 1", "gap 2", "log.sessions-mixed 2"]
    #expect(reported(asked + ["received [36,70,5,{}]"]) == begun + mixed + ["1"])
    #expect(reported(asked + ["received [36,71,5,{}]"]) == begun + ["2"])
    let bye = ["sent [6,{},\"x\"]", "received [6,{},\"x\"]"]
    #expect(reported(asked + bye + ["sent [48,1,{},\"b\"]"]) == begun + ["2", "2"] + mixed + ["1"])
  }

  @Test("what two sessions may wait for is in neither, and joined with nothing")
  func ambiguous() {
    let calls = ["sent [48,1,{},\"a\"]", "sent [48,1,{},\"b\"]"]
    let mixed = ["1", "gap 1", "gap 2", "log.sessions-mixed 2", "2"]
    #expect(reported(calls + ["received [50,1,{}]"]) == mixed + ["gap 3", "3"])
    #expect(
      reported(calls + ["sent [48,2,{},\"c\"]", "received [50,2,{}]"]) == mixed + ["2", "2"])
  }

  @Test("a number that is used again is of the one session whose beginning the log has")
  func reused() {
    let call = "sent [48,1,{},\"a\"]"
    let doubt = "log.sessions-mixed 1"
    #expect(
      reported([hello, welcome, call, call, call, "received [50,1,{}]", "received [50,1,{}]"])
        == ["1", "1", "1", doubt, "1", "1", "1", "1"])
  }

  @Test(
    "lines that name the connection are told apart",
    arguments: [
      "session=4 x", "conn_id=7", "\"socket\":\"a-1\"", "peer: 10.0.0.1:80", "client = 4",
    ])
  func named(key: String) {
    let other = key.replacing("4", with: "5").replacing("7", with: "8").replacing("1", with: "2")
    let calls = [
      "\(key) sent [48,1,{},\"a\"]", "\(other) sent [48,1,{},\"b\"]",
      "\(key) received [50,1,{}]", "\(other) received [50,1,{}]",
    ]
    #expect(reported(calls) == ["1", "2", "1", "2"])
    let word = calls.map { $0.replacing(key, with: "session=on").replacing(other, with: "sid=on") }
    #expect(reported(Array(word.prefix(1))) == ["1"])
    #expect(
      reported([hello] + ["\(key) \(welcome)", "\(key) sent [48,1,{},\"a\"]"]) == ["1", "1", "1"])
  }

  @Test(
    "lines without a name are of the one that is named, until there are two",
    arguments: [
      ([first, "session 7: \(second)", "sent [48,1,{},\"a\"]"], "1 1 1"),
      (["sent [48,1,{},\"a\"]", "session 7: received [50,1,{}]", "sent [48,2,{}]"], "1 1 1"),
      (["conn=1 sent [48,1,{},\"a\"]", "conn=2 sent [48,1,{}]", "received [50,1,{}]"], "1 2 3"),
      (
        ["conn=1 sent [48,1,{}]", "sent [48,2,{}]", "conn=2 sent [48,1,{}]", "sent [48,3,{}]"],
        "1 1 2 3"
      ),
      (
        [
          first, "session 7: \(second)", "sent [6,{},\"a.b\"]", "received [6,{},\"a.b\"]", first,
          "session 8: received [2,8,{}]", "sent [48,1,{},\"a\"]", "conn=1 sent [48,1,{}]",
        ], "1 1 1 1 2 2 2 3"
      ),
    ])
  func nameless(lines: [String], flows: String) {
    #expect(reported(lines).filter { Int($0) != nil }.joined(separator: " ") == flows)
  }

  @Test("what is sent and what is received may be printed in different words")
  func kindred() {
    let call = "sent [48,1,{},\"a\"]"
    #expect(
      reported([call, "Received text: [50,1,{}]", "Received text: [36,7]"]) == ["1", "1", "1"])
    #expect(
      reported([hello, "Received text: [2,7,{}]", "Received text: [36,7]"]) == ["1", "1", "1"])
    // Another session, whose lines are of one kind.
    #expect(
      reported([hello, "Sent text: [1,\"r\",{}]", "Received text: [2,7,{}]"]) == ["1", "2", "2"])
  }

  @Test("ids that are passed over mean that lines are missing")
  func skipped() {
    let calls = ["sent [48,1,{},\"a\"]", "sent [48,3,{},\"a\"]", "sent [48,9,{},\"a\"]"]
    #expect(reported([hello, welcome] + calls) == ["1", "1", "1", "gap 1", "1", "1"])
  }

  @Test("what is said of a message next to it is reported once")
  func echoes() {
    let call = "[48,1,{},\"a\"]"
    #expect(reported(["sent \(call)", "timed out \(call)"]) == ["1"])
    #expect(reported([hello, "calling \(call)", "x", "sent \(call)"]) == ["1", "gap 1", "1"])
    #expect(reported(["received [36,7]", "parsed received [36,7]"]) == ["1", "1"])
  }

  @Test("what was not sent is no message")
  func denied() {
    #expect(reported(["failed to send [48,1,{},\"a\"]"]) == ["log.message-dropped 0"])
    #expect(reported(["failed to send [34,7,5]"]) == ["log.message-dropped 0"])
    #expect(reported(["failed to parse received [50,1,{}]"]) == ["1"])
    for words in ["can't send", "did not send", "Cannot send", "message dropped:"] {
      #expect(reported(["\(words) [48,1,{},\"a\"]"]) == ["log.message-dropped 0"], "\(words)")
    }
    for words in ["WebSocket send", "client sent:", "dropped=0 sent", "agent send"] {
      #expect(reported(["\(words) [48,1,{},\"a\"]"]) == ["1"], "\(words)")
    }
  }

  @Test("sessions without end are bounded")
  func bounded() {
    var limits = Limits()
    limits.connections = 4
    let lines = (0..<50).flatMap { _ in [hello, welcome] }
    let reported = reported(lines, limits)
    #expect(reported.last == "50")
    #expect(reported.count { $0.hasPrefix("closed") } >= 46)
  }
}

/// A sink that knows a few messages of WAMP.
final class SessionSink: EvidenceSink {
  private(set) var reported: [String] = []

  func packet(_: RawSpan, _: Packet) {}
  func message(_: RawSpan, _ delivery: Delivery) { reported.append("\(delivery.origin.flow)") }
  func closed(_: Closing, _ delivery: Delivery) {
    reported.append("closed \(delivery.origin.flow)")
  }
  func gap(_: Int?, _ delivery: Delivery) { reported.append("gap \(delivery.origin.flow)") }
  func finding(_ finding: Finding) {
    reported.append("\(finding.code.name) \(finding.origin.flow)")
  }
}

/// Knows a few messages of WAMP.
final class SessionRecogniser: TextRecogniser {
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    let numbers = String(decoding: text.copied(), as: Unicode.UTF8.self).dropFirst()
      .split { !$0.isNumber }.compactMap { UInt64($0) }
    guard let code = numbers.first else { return .none }
    var recognition = Recognition(.likely)
    // HELLO of a realm `u` stands for another protocol.
    recognition.isCounted = !text.copied().contains(UInt8(ascii: "u"))
    recognition.direction = [1, 32, 48].contains(code) ? .toServer : .toClient
    if code == 6 { recognition.direction = .unknown }
    (recognition.begins, recognition.ends) = (code == 1, code == 6)
    let request = numbers.count > 1 ? 48 << 56 | numbers[1] : 0
    if code == 2 { recognition.session = numbers[1] }
    if code == 48 { (recognition.opens, recognition.sequence) = (request, numbers[1]) }
    if code == 50 { recognition.answers = request }
    if code == 33 { recognition.grants = 32 << 56 | numbers[2] }
    if code == 36 { recognition.uses = 32 << 56 | numbers[1] }
    return recognition
  }
}
