// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapLogs
import TapTesting
import TapTraffic
import Testing

@Suite struct LogInputTests {
  /// What is reported of a log, each message as `flow direction text`.
  private func messages(_ text: String) -> [String] {
    let sink = LogSink()
    TestLog.read(text, onto: sink)
    return sink.reported
  }

  @Test("what rsyslog has escaped is undone once, however deep it looks") func escapes() {
    let many = 6000
    let text =
      "Nov 28 12:00:00 host app[1]: sent [33,1,7] " + String(repeating: "#0", count: many)
      + "#033[m" + String(repeating: "33[m", count: many)
    #expect(messages(text) == ["1 toServer [33,1,7]"])
  }

  @Test(
    "a message is found wherever it stands",
    arguments: [
      ("x recv: [33,1,7]", "1 toClient [33,1,7]"),
      ("x sent [32,1,{},\"a.b\"] ok", "1 toServer [32,1,{},\"a.b\"]"),
      (#"{"m":"[32,1,{},\"a.b\"]"}"#, #"1 unknown [32,1,{},"a.b"]"#),
      (#"{"l":"{\"m\":\"[32,1,{},\\\"a.b\\\"]\"}"}"#, #"1 unknown [32,1,{},"a.b"]"#),
      ("data=b'[32,1,{},\"\\xc5\\x99\"]'", "1 unknown [32,1,{},\"ř\"]"),
      (
        "x [32, 1, {'k': None, 'b': b'\\x00'}, 'a.b']",
        #"1 unknown [32,1,{"k":null,"b":"\u0000AA=="},"a.b"]"#
      ),
      ("x [32, 1, {k: true}, 'it\\'s']", #"1 unknown [32,1,{"k":true},"it's"]"#),
      ("\u{1B}[31mx <- \u{1B}[0m[ \u{1B}[33m35\u{1B}[39m, 4 ]", "1 toClient [ 35, 4 ]"),
      ("READ 33 \"\\x81\\x1f[32,1,{},\\\"a.b\\\"]\"", #"1 toClient [32,1,{},"a.b"]"#),
      ("++Rcv raw: b'\\x81\\x07[33,1,7]'", nil),
      ("a line of no interest [12] at 10:20", nil),
      (
        #"{"m":"Received text: [32,1,{\"k\":1},\"a.b\"]","n":[1]}"#,
        #"1 toClient [32,1,{"k":1},"a.b"]"#
      ),
      (
        #"{"l":"{\"m\":\"got [32,1,{},\\\"a.b\\\"]\"}","n":1}"#,
        #"1 toClient [32,1,{},"a.b"]"#
      ),
      ("ids=[1, 30, 4] [2,2] recv [33,1,7]", "1 toClient [33,1,7]"),
      ("ids=[1, 30, 4] [2,2] [-1.5,3]", nil),
    ] as [(String, String?)])
  func found(line: String, expected: String?) {
    #expect(messages(line) == (expected.map { [$0] } ?? []))
  }

  @Test(
    "what stands where messages do is reported though it is malformed, and nothing else",
    arguments: [
      ("TX WAMP: [9,1]", ["1 toServer [9,1]"]),
      ("TX WAMP: [9, 1, 'a']", [#"1 toServer [9,1,"a"]"#]),
      ("TX WAMP: [9]", ["1 toServer [9]"]),
      ("TX WAMP: []", ["1 toServer []"]),
      ("TX WAMP: [9,,1]", ["1 toServer [9,,1]"]),
      ("TX WAMP: [35,4] took [3,4]", ["1 toServer [35,4]"]),
      ("x RX [35,4]\nx RX [9,4]", ["1 toClient [35,4]", "1 toClient [9,4]"]),
      ("x RX [35,4]\nx RX [9,4] of 3", ["1 toClient [35,4]"]),
      ("x RX [35,4]\nx RX [9,\"a\"]", ["1 toClient [35,4]"]),
      ("x RX [35,4]\ny RX [9,4]", ["1 toClient [35,4]"]),
      ("[35,4]\n[9,4]", ["1 unknown [35,4]", "1 unknown [9,4]"]),
      ("x RX [9,4]", []),
    ])
  func malformed(text: String, expected: [String]) {
    #expect(messages(text) == expected)
  }

  @Test(
    "a value that is not understood is left out, and nothing beside it",
    arguments: [
      ("datetime.datetime(2026, 1, tzinfo=a.b('c, d]'))", #""…""#),
      ("{1, 2}", #""…""#), ("{(1, 2): 3, 'a': 4}", #"{"…":"…","a":4}"#),
      ("Point(x=1, y=[2])", #""…""#), ("array([[1, 2]], dtype=b)", #""…""#),
      ("2026-11-20T23:34:50.000Z", #""…""#), ("Map(1) { 'a' => 1 }", #""…""#),
      ("'aaa'... 500 more characters", #""aaa…""#), ("Uint8Array(2) [ 1, 2 ]", #""…""#),
      ("{ a: 1, ... 3 more items }", #"{"a":1,"…":"…"}"#), ("'a' + 'b'", #""ab""#),
      ("<ref *1> { a: [Circular *1] }", #""…""#), ("/re/g", #""…""#), ("1L", "1"),
      ("{'a' => 1, :b=>2}", #"{"a":1,"b":2}"#), ("{…}", #""…""#), ("nan", "NaN"),
    ])
  func notUnderstood(value: String, expected: String) {
    #expect(
      messages("TX WAMP: [36, 1, ['x', \(value), 2]]")
        == [#"1 toServer [36,1,["x",\#(expected),2]]"#])
  }

  @Test(
    "a marked line of which nothing is read is a finding, and a gap of its conversation",
    arguments: ["RX WAMP: <too long>", "WAMP RECV: message=EventReceived(publication=6)"])
  func unread(line: String) {
    let text = "TX WAMP: [36,1]\n\(line)\nRX WAMP: [36,2]\nx RX: <too long>\n"
    let sink = LogSink()
    TestLog.read(text, onto: sink)
    #expect(sink.reported == ["1 toServer [36,1]", "1 toClient [36,2]"])
    #expect(sink.codes == ["log.message-unread", "log.side-assumed"])
    #expect(sink.gaps == 1)
  }

  @Test("lines of others between those of a message are no part of it")
  func interrupted() {
    let time = "2026-11-20T23:34:50+0000"
    #expect(
      messages("\(time) sent [\n  36,\n\(time) INFO other [7]\n  5\n]\n\(time) recv [35,4]\n")
        == ["1 toClient [35,4]"])
    // Neither is what grep puts before each line.
    #expect(messages("1:sent [\n2:  36,\n3:  5\n4:]\n5:recv [35,4]\n") == ["1 toClient [35,4]"])
    #expect(
      messages("{\n  \"sent\": [\n    36,\n    1\n  ]\n}\n")
        == ["1 toServer [\n    36,\n    1\n  ]"])
  }

  /// Two containers, or more, write at the same time.
  @Test(arguments: [2, 3, 16, 20]) func containers(count: Int) {
    let lines = ["sent [", "  32,", "  1,", "  {},", "  \"a\"", "]"]
    let text = lines.flatMap { line in (1...count).map { "app-\($0)  | \(line)\n" } }.joined()
    let end = (1...count).map { "app-\($0)  | recv [33,1,\($0)]\n" }.joined()
    #expect(messages(text + end).count == min(count, 17) + count)
    #expect(messages(text).count == min(count, 17))
    // The last is not whole.
    let cut = text.split(separator: "\n").dropLast(count).joined(separator: "\n") + "\n"
    #expect(messages(cut + end).count >= count)
  }

  @Test("lines that belong together are one message")
  func gathered() {
    #expect(
      messages("WAMP-Receive(7, a) <<\n  X::\n    [36,\n     5,\n     ('a'\n      'b',)]\n<<\n")
        == ["1 toClient [36,5,[\"ab\"]]"])
    // A line that goes on may begin with a key that is a number.
    #expect(
      messages(
        "WAMP-Receive(7, a) <<\n  X::\n    [36,\n     5,\n     [{1: 'a',\n       2: 'b'}]]\n")
        == ["1 toClient [36,5,[{\"1\":\"a\",\"2\":\"b\"}]]"])
    #expect(
      messages(
        "[\n  \"TX\",\n  \"r\",\n  null,\n  [\n    32,\n    1,\n    {},\n    \"a\"\n  ]\n]\n")
        == ["1 toServer [\n    32,\n    1,\n    {},\n    \"a\"\n  ]"])
  }

  @Test("what was begun and never ends costs no line behind it")
  func abandoned() {
    let text = "x [33, 1,\n 2026-01-01T00:00:00Z recv [35,4]\n2026-01-01T00:00:00Z recv [35,5]\n"
    #expect(messages(text).suffix(2) == ["1 toClient [35,4]", "1 toClient [35,5]"])
  }

  @Test("a million brackets, and lines of any length, are bounded")
  func bounded() {
    let brackets = String(repeating: "[1,", count: 100_000)
    #expect(messages("x \(brackets)\nrecv [35,4]\n").last == "1 toClient [35,4]")
    var limits = Limits()
    limits.lineBytes = 1000
    let long = [UInt8](repeating: 0x78, count: 5000) + Array("[35,3]\nrecv [35,4]\n".utf8)
    for pieces in [[long], long.map { [$0] }] {
      let sink = LogSink()
      var input = TestLog.input("x", limits)
      for piece in pieces { input.receive(piece.span.bytes, sink) }
      #expect(sink.reported.last == "1 toClient [35,4]")
      #expect(sink.codes == ["log.line-too-long"])
    }
  }

  @Test(
    "lines that are made to be slow are read in time that grows with their length only",
    .timeLimit(.minutes(10)),
    arguments: [
      ("x ", "["), ("x ", "[1,"), ("x ", "[1,2]"), ("x ", "[1,<]"), ("x ", "\"\\[1,{a:\\xZZ}]"),
      ("x \"", "\\\"[1,\\\"a]"), ("DEBUG:websockets.client:< TEXT '", "'[1,2]"),
      ("x 'direction': 'rx' ", "[31,4]"), ("x recv ", "[1,(((("), ("x recv \"", "\\\\\""),
      ("x ", "WAMP-Transmit("), ("x ", "\u{1B}[1m["), ("x ", "[1,\n"),
      ("x ", "<5b..."), ("x ", "[1,... "),
    ] as [(String, String)])
  func slow(begin: String, repeated: String) {
    let text = begin + String(repeating: repeated, count: 10_000) + "\nrecv [35,4]\n"
    #expect(messages(text).last?.hasSuffix(" [35,4]") == true)
  }

  @Test("of more sessions than are kept, those that speak are still told apart")
  func manySessions() {
    var limits = Limits()
    limits.connections = 4
    let sink = LogSink()
    var input = TestLog.input("x", limits)
    for session in [1, 2, 3, 4, 1, 5, 1, 6, 7, 8, 1, 2] {
      let line = "x {'session_id': \(session), 'direction': 'rx', 'msg': [35,\(session)]}\n"
      input.receive(Array(line.utf8).span.bytes, sink)
    }
    let flows = sink.reported.map { $0.prefix { $0 != " " } }
    #expect(flows == ["1", "2", "3", "4", "1", "5", "1", "6", "7", "8", "1", "9"])
  }

  @Test("noise is no log", arguments: [0, 1, 2, 3, 4])
  func noise(seed: UInt64) {
    var random = Seeded(seed + 99)
    let bytes = [0xFF] + (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(read([bytes]).kind == "unknown")
  }

  @Test("half a character, and octets that are none, harm nothing")
  func brokenText() {
    let text = Array("recv [32,1,{},\"\u{159}\"] ".utf8).dropLast(4) + [0xC5, 0x22, 0x5D, 0x0A]
    let sink = LogSink()
    var input = TestLog.input("x")
    input.receive(Array(text).span.bytes, sink)
    input.finish(sink)
    #expect(sink.kinds == [.brokenText])
  }

  @Test("every cut of the log gives the same", arguments: TestLog.samples)
  func cuts(sample: String) {
    let outcome = difference(forEveryCutOf: Array(sample.utf8)) { pieces in
      let sink = LogSink()
      var input = TestLog.input(sample)
      for piece in pieces { input.receive(piece.span.bytes, sink) }
      input.finish(sink)
      return sink.reported + sink.recorder.lines
    }
    #expect(outcome == nil)
  }

  /// Lines that waited for the rest of a record which never came are read one by one: what stands
  /// before the piece they end in is not above them.
  @Test("every cut of a record without an end gives the same")
  func openRecord() {
    let text = "0-X WAMP [\n {\n :[1,]\n9:\n"
    let outcome = difference(forEveryCutOf: Array(text.utf8)) { pieces in
      let sink = LogSink()
      var input = TestLog.input(text) { FixedRecogniser() }
      for piece in pieces { input.receive(piece.span.bytes, sink) }
      input.finish(sink)
      return sink.reported + sink.recorder.lines
    }
    #expect(outcome == nil)
  }

  /// A line that may be wrapped waits for the next one.
  @Test("every cut of lines with a place at their margin gives the same")
  func atMargin() {
    let text = "Otr  ;  ciS.py:269\n[7:08:20  cnt.py:6\n\n [50,{3,{os]]]"
    let outcome = difference(forEveryCutOf: Array(text.utf8)) { pieces in
      let sink = SinkRecorder()
      var choice = InputChoice()
      choice.recogniser = { FixedRecogniser(grade: .likely) }
      var input = PasteInput(input: 0, limits: Limits(), choice: choice)
      for piece in pieces { input.receive(piece.span.bytes, sink) }
      input.finish(sink)
      return sink.lines
    }
    #expect(outcome == nil)
  }

  private final class FixedRecogniser: TextRecogniser {
    let grade: Recognition.Grade

    init(grade: Recognition.Grade = .possible) { self.grade = grade }

    func recognise(_: RawSpan, _: Delivery.Kind) -> Recognition { Recognition(grade) }
  }

  @Test("what tshark -V prints once more is reported once")
  func copies() {
    let text = """
          Payload
              Text: [36,1,2,{}]
      Line-based text data (1 lines)
          [36,1,2,{}]

      """
    let sink = LogSink()
    TestLog.read(text, onto: sink)
    #expect(sink.reported == ["1 unknown [36,1,2,{}]"])
  }
}
