// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Logs whose newest line comes first.
@Suite struct LogOrderTests {
  private func read(
    _ lines: [String], isWhole: Bool = true, exportBytes: Int = 1 << 20
  ) -> LogSink {
    var choice = InputChoice()
    choice.isWhole = isWhole
    var limits = Limits()
    limits.exportBytes = exportBytes
    let text = lines.map { $0 + "\n" }.joined()
    let sink = LogSink()
    TestLog.read(text, limits, choice: choice, onto: sink)
    return sink
  }

  private func line(_ second: Int, _ message: String) -> String {
    "2026-11-20 10:00:\(second) sent \(message)"
  }

  private func order(_ sink: LogSink) -> [UInt64] {
    sink.recorder.messages.map(\.delivery.origin.record)
  }

  @Test func turned() {
    let lines = (1...9).map { line(60 - $0, "[48,\($0),{},\"com.x\"]") }
    let sink = read(lines)
    #expect(order(sink) == Array((1...9).reversed()))
    #expect(sink.codes.contains("log.newest-first"))
    // Whoever waits for messages gets them as they come.
    let live = read(lines, isWhole: false)
    #expect(order(live) == Array(1...9) && !live.codes.contains("log.newest-first"))
  }

  /// The time is in a record of the record, or the record is on several lines.
  @Test func members() {
    let nested = (1...5).map {
      #"{"s":{"@timestamp":"2026-11-20T10:00:5\#(9 - $0)Z","message":"sent [48,\#($0),{},\"x\"]"}}"#
    }
    #expect(order(read(nested)) == Array((1...5).reversed()))
    let pretty = (1...5).flatMap {
      [
        "  {", "    \"timestamp\": \"2026-11-20T10:00:5\(9 - $0)Z\",",
        "    \"text\": \"sent [48,\($0),{},\\\"x\\\"]\"", "  },",
      ]
    }
    #expect(read(["["] + pretty + ["]"]).codes.contains("log.newest-first"))
  }

  /// All records stand on one line.
  @Test func oneLine() {
    let records = (1...5).map {
      #"{"time":"2026-11-20T10:00:5\#(9 - $0)Z","message":"sent [48,\#($0),{},\"x\"]"}"#
    }
    let sink = read(["[" + records.joined(separator: ",") + "]"])
    let offsets = sink.recorder.messages.map(\.delivery.origin.offset)
    #expect(offsets.count == 5 && offsets == offsets.sorted(by: >))
    #expect(sink.codes.contains("log.newest-first"))
  }

  /// Times in what was sent do not say in which order the log is.
  @Test(arguments: [
    #"[{"time":"2026-11-20T22:00:00Z","dir":"sent","data":[48,1,{},"com.x"]},"#
      + #"{"time":"2026-11-20T22:00:01Z","dir":"received","data":[50,1,{},[OLD]]}]"#,
    #"2026-11-20T22:34:50.100Z recv {"jsonrpc":"2.0","id":1,"result":[OLD]}"#,
    #"{"jsonrpc":"2.0","id":1,"result":[OLD]}"#,
    #"[50,1,{},[OLD]]"#,
    #"{"log":[OLD],"dir":"sent","data":[48,1,{},"com.x"]}"#,
  ]) func historyOnOneLine(text: String) {
    let old = (1...5).map { #"{"time":"2026-11-20T1\#(9 - $0):00:00Z","text":"m"}"# }
    let line = text.replacing("OLD", with: old.joined(separator: ","))
    #expect(!read([line]).codes.contains("log.newest-first"))
  }

  @Test(arguments: [
    // Two lines may be out of order by chance, and threads write at once.
    [30, 29], [30, 31, 30, 32, 31, 33, 32, 34], [30, 30, 30, 30], [10, 11, 12, 13],
  ])
  func others(seconds: [Int]) {
    let sink = read(seconds.map { line($0, "[48,\($0),{},\"com.x\"]") })
    #expect(order(sink) == seconds.indices.map { UInt64($0 + 1) })
    #expect(!sink.codes.contains("log.newest-first"))
  }

  /// The longest run of them that is kept is turned round.
  @Test func bounded() {
    let lines = (1...40).map { line(60 - $0, "[48,\($0),{},\"com.x\"]") }
    let sink = read(lines, exportBytes: 4000)
    let reported = order(sink)
    #expect(reported.sorted() == Array(1...40) && reported != Array((1...40).reversed()))
    #expect(reported.first! > 1 && reported.last! < 40)
    let finding = sink.recorder.findings.first { $0.code.text.description == "log.newest-first" }
    #expect(finding?.severity == .warning)
  }

  @Test func cuts() {
    var choice = InputChoice()
    choice.isWhole = true
    let lines = (1...9).map { line(60 - $0, "[48,\($0),{},\"com.x\"]") + "\n" }
    let text = lines.joined()
    let outcome = difference(forEveryCutOf: Array(text.utf8)) { (pieces) -> [String] in
      let sink = LogSink()
      var input = TestLog.input(text, choice: choice)
      for piece in pieces { input.receive(piece.span.bytes, sink) }
      input.finish(sink)
      return sink.reported + sink.recorder.lines
    }
    #expect(outcome == nil)
  }
}
