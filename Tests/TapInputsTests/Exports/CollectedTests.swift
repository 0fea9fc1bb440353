// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapInputs
import TapLogs
import TapTesting
import TapTraffic
import Testing

/// What programs that collect logs write of two lines, the second over several.
enum Collected {
  static let docker = Array(
    [
      #"{"log":"sent [48,1,{},\"com.\u00e9\"]\n","stream":"stdout","time":"2026-11-20T10:00:00.5Z"}"#,
      #"{"log":"recv [\n","stream":"stdout","time":"2026-11-20T10:00:01.000000001Z"}"#,
      #"{"stream":"stdout","log":"  50,1,{}]\r\n","time":"2026-11-20T10:00:01.000000002Z"}"#,
      "no record [36,1,2,{}]", "",
    ].joined(separator: "\n").utf8)

  static let lines = Array(
    [
      #"{"short_message":"recv [","host":"a","_container_name":"/b","timestamp":1795217690.5}"#,
      #"{"host":"a","short_message":"  50,1,{}]\n","_container_name":"/b","timestamp":1795217691}"#,
      #"{"short_message":"sent [48,1,{},\"c.a\"]","conn":1,"timestamp":1795217692}"#, "",
    ].joined(separator: "\n").utf8)

  static let journal = Array(
    [
      #"{"__REALTIME_TIMESTAMP":"1795217690000001","_HOSTNAME":"a","_COMM":"b","#
        + #""MESSAGE":"sent [48,1,{},\"com.\u00e9\"]"}"#,
      #"{"MESSAGE":[114,101,99,118,32,91,53,48,44,49,44,123,125,93],"#
        + #""__REALTIME_TIMESTAMP":"1795217691000001","_PID":"7"}"#, "",
    ].joined(separator: "\n").utf8)
}

extension Collected {
  static let records = Array(
    #"""
    {
        "events": [
            {
                "timestamp": 1795217690000,
                "message": "sent [48,1,{},\"com.a\",[{\"a\": \"}\"}]]\n",
                "ingestionTime": 1795217699999
            },
            {
                "timestamp": 1795217691000,
                "tags": [{"a": [1]}],
                "message": "recv [50,1,{}]"
            }
        ],
        "nextForwardToken": "f/1"
    }

    """#.utf8)
}

@Suite struct CollectedTests {
  private func reported(_ file: [UInt8]) -> SinkRecorder {
    let sink = LogSink()
    let recognition = Inputs.recognise(
      file.span.bytes, isAll: true, input: 0, limits: Limits(), choice: TestLog.choice)
    guard case .input(var input) = recognition else { return sink.recorder }
    input.receive(file.span.bytes, sink)
    input.finish(sink)
    return sink.recorder
  }

  @Test func lines() {
    let sink = reported(Collected.lines)
    #expect(
      sink.messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } == [
        "[\n  50,1,{}]", #"[48,1,{},"c.a"]"#,
      ])
    let times = sink.messages.map(\.delivery.origin.time.nanoseconds)
    #expect(times == [1_795_217_690_500_000_000, 1_795_217_692_000_000_000])
    #expect(sink.messages.map(\.delivery.origin.record) == [1, 3])
  }

  @Test func recordsOfLoggers() {
    // Facts beside the message, and messages that are whole.
    for record in [
      #"{"message":"  recv [50,1,{}]","time":"2026-11-20T10:00:00Z","conn":1}"#,
      #"{"message":"recv [50,1,{}]","time":"2026-11-20T10:00:00Z"}"#,
      #"{"level":"debug","log":"recv [50,1,{}]","time":"2026-11-20T10:00:00Z"}"#,
      // A time that cannot be read.
      #"{"short_message":"recv [50,1,{}]","host":"a","timestamp":175217690.5}"#,
    ] {
      #expect(read([Array(record.utf8)]).kind == "log", "\(record)")
    }
  }

  @Test func docker() {
    let sink = reported(Collected.docker)
    #expect(
      sink.messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } == [
        #"[48,1,{},"com.é"]"#, "[\n  50,1,{}]", "[36,1,2,{}]",
      ])
    let times = sink.messages.map(\.delivery.origin.time.nanoseconds)
    #expect(times[0] == 1_795_168_800_500_000_000 && times[1] == 1_795_168_801_000_000_001)
    #expect(sink.messages.map(\.delivery.origin.record) == [1, 2, 4])
  }

  /// More than 16 KiB of a line are in several records.
  @Test func dockerParts() {
    let argument = String(repeating: "x", count: 40_000)
    let line = Array(#"sent [48,1,{},"com.x",["\#(argument)"]]"#.utf8)
    var file = ""
    for start in stride(from: 0, to: line.count, by: 16 << 10) {
      let part = line[start..<min(line.count, start + 16 << 10)]
      let text = String(decoding: part, as: Unicode.UTF8.self).replacing("\"", with: "\\\"")
      let end = start + 16 << 10 < line.count ? "" : "\\n"
      file += #"{"log":"\#(text)\#(end)","stream":"stdout","time":"2026-11-20T10:00:00Z"}"# + "\n"
    }
    let sink = reported(Array(file.utf8))
    #expect(sink.messages.count == 1 && sink.messages[0].bytes.count == line.count - 5)
    #expect(sink.messages.first?.delivery.kind == .text)
  }

  /// The last line of a container may lack its end, and nothing is glued to it.
  @Test func dockerWithoutEnd() {
    let text =
      #"{"log":"sent [48,1,{},\"com.x\"]","stream":"stdout","time":"2026-11-20T10:00:00Z"}"# + "\n"
    #expect(reported(Array((text + text.replacing("48,1", with: "48,2")).utf8)).messages.count == 2)
  }

  @Test func journal() {
    let sink = reported(Collected.journal)
    #expect(
      sink.messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } == [
        #"[48,1,{},"com.é"]"#, "[50,1,{}]",
      ])
    #expect(sink.messages[0].delivery.origin.time.nanoseconds == 1_795_217_690_000_001_000)
  }

  @Test func records() {
    let sink = reported(Collected.records)
    #expect(
      sink.messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) } == [
        #"[48,1,{},"com.a",[{"a": "}"}]]"#, "[50,1,{}]",
      ])
    // The lines on which the records begin.
    #expect(sink.messages.map(\.delivery.origin.record) == [3, 8])
    #expect(sink.messages[1].delivery.origin.time.nanoseconds == 1_795_217_691_000_000_000)
  }

  /// One behind the other, as `jq` prints them, and what breaks off.
  @Test func recordsInARow() {
    let record =
      "{\n  \"time\": \"2026-11-20T10:00:00Z\",\n  \"msg\": \"sent [48,1,{},\\\"a\\\"]\"\n}\n"
    #expect(read([Array((record + record).utf8)]).kind == "records")
    #expect(
      reported(Array((record + record + "{\n\"msg\": \"sent\n").utf8)).messages.count == 2)
  }

  private static let record = "{\n\"time\":1,\n\"msg\":\"a\"}\n"

  private func texts(_ file: String) -> [String] {
    reported(Array(file.utf8)).messages.map { String(decoding: $0.bytes, as: Unicode.UTF8.self) }
  }

  /// Nothing that stands before, between and behind records is lost, and no text of a record is.
  @Test(arguments: [
    (
      record + record + "sent [48,1,{},\"a\",[1]]\nreceived [50,1,{},[2]]\n",
      ["[48,1,{},\"a\",[1]]", "[50,1,{},[2]]"]
    ),
    ("[\n\(record),\n\"sent [48,1,{},\\\"a\\\"]\",\n\(record)]\n", ["[48,1,{},\"a\"]"]),
    (
      record + "{\n\"time\":2,\n\"msg\":\"sent [48,1,{},\\\"a\\\",[1]]\",\n\"data\":[{}]}\n"
        + record, ["[48,1,{},\"a\",[1]]"]
    ),
    (
      record + record + "\n{\n\"data\":[\n\(record)],\n\"time\":2,\n"
        + "\"msg\":\"sent [48,1,{},\\\"a\\\"]\"}\n", ["[48,1,{},\"a\"]"]
    ),
    (
      record + record + "sent [48,1,{},\"a\"] {\n[\n}\n" + record + "received [50,1,{}]",
      ["[48,1,{},\"a\"]", "[50,1,{}]"]
    ),
  ])
  func nothingIsLost(file: String, messages: [String]) {
    #expect(read([Array(file.utf8)]).kind == "records")
    #expect(texts(file) == messages)
    let reported = difference(forEveryCutOf: Array(file.utf8)) { read($0).sink.lines }
    #expect(reported == nil, "\(reported?.pieces ?? [])")
  }

  /// Half a record is no more than half a line: nobody says yet what it is.
  @Test func halfARecordIsUndecided() {
    let file = Collected.records
    let first = file.firstRange(of: Array("\n        },".utf8))!.lowerBound
    for end in 1...first + 9 {
      let part = Array(file[..<end])
      let found = Inputs.recognise(
        linesOf: part.span.bytes, input: 0, limits: Limits(), choice: TestLog.choice)
      guard case .needMore = found else {
        Issue.record("\(end)")
        return
      }
    }
  }

  /// What is outside of brackets is passed on at once, also half a line.
  @Test func nothingWaitsOutside() {
    let sink = LogSink()
    let pieces = [
      "[{\n\"time\":1,\n\"msg\":\"sent [32,1,{},\\\"a\\\"]\"}\n]\n",
      "[{\n\"time\":1,\n\"msg\":\"received [33,1,55]\"}\n]\n", "sent [34,7,55]\n",
      "received [35,7]\n",
    ]
    let first = Array(pieces[0].utf8)
    let recognition = Inputs.recognise(
      first.span.bytes, isAll: false, input: 0, limits: Limits(),
      choice: TestLog.choice)
    guard case .input(var input) = recognition else {
      Issue.record("not recognised")
      return
    }
    for (index, piece) in pieces.enumerated() {
      let piece = Array(piece.utf8)
      input.receive(piece.span.bytes, sink)
      input.settle(sink)
      #expect(sink.recorder.messages.count == index + 1)
    }
  }

  /// What never ends is read as the lines that it has; a CR in a string stays.
  @Test func recordsWithoutEnd() {
    let blanks = String(repeating: "\"x\":1,\n", count: 200_000)
    let file =
      Self.record + Self.record + "{\n" + blanks + "\"y\":\"sent [48,1,{},\\\"a\\\"]\",\n"
    #expect(texts(file) == ["[48,1,{},\"a\"]"])
    let record = "{\r\n\"time\":1,\r\n\"msg\":\"sent [48,1,{},\\\"a\rb\\\"]\"}\r\n"
    #expect(texts(record + record) == ["[48,1,{},\"a\rb\"]", "[48,1,{},\"a\rb\"]"])
  }

  /// A list of the application's own, one record, and records without a time or a text.
  @Test(arguments: [
    "{\n\"time\": 1,\n\"msg\": \"a\"\n}\n", "[\n{\n\"msg\": \"a\"\n}\n]\n",
    "[\n{\n\"time\": 1,\n\"msg\": [36,1,2,{}]\n}\n]\n", "[{\"time\": 1, \"msg\": \"a\"}]\n",
    "{\n\"list\": [{\n\"time\": 1,\n\"msg\": \"a\"\n}]\n}\n",
  ])
  func noRecords(text: String) {
    #expect(read([Array(text.utf8)]).kind != "records")
  }

  @Test(arguments: [
    #"{"log":"a\n","stream":"stdin","time":"2026-11-20T10:00:00Z"}"#, #"{"log":"a","level":3}"#,
    #"{"log":["a"],"stream":"stdout","time":"x"}"#, #"{"MESSAGE":"a","time":"1795217690000001"}"#,
    #"{"__REALTIME_TIMESTAMP":"now","MESSAGE":"a"}"#, #"{"log":"a"#,
  ])
  func others(line: String) {
    #expect(read([Array((line + "\n").utf8)]).kind == "log")
  }
}
