// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapTesting
import TapTraffic
import Testing

@Suite struct LogClockTests {
  /// 2026-11-20 23:34:50 UTC.
  static let night: Int64 = 1_795_217_690_000_000_000

  /// What is reported of a log: the times of its messages, the first of which stands for `zero`.
  private func read(_ text: String) -> (sink: LogSink, origins: [Origin]) {
    let sink = LogSink()
    TestLog.read(text, onto: sink)
    return (sink, sink.recorder.messages.map(\.delivery.origin))
  }

  @Test(
    "a column of a table is a time wherever it stands",
    arguments: [
      "7,\"20/11/26 23:34:50\",→,\"[35,4]\"", "7;To server;;23:34:50 20 Nov 2026;\"[35,4]\"",
      "\"[35,4]\",\"2026-11-20T23:34:50+0000\",h",
      "\"recv [35,4]\",\"2026-11-20T23:34:50+0000\",h", "\"[35,\"\"a\"\"]\",x,20 Nov 2026 23:34:50",
    ])
  func column(line: String) {
    let night = Instant(nanoseconds: Self.night)
    #expect(read(line).origins.map(\.time) == [night])
    // What has more than a time is no column of times.
    let other = line.replacing("23:34:50", with: "23:34:50 x")
    #expect(read(other).origins.map(\.time) == [.unknown])
  }

  @Test(
    "every notation of a time",
    arguments: [
      ("2026-11-20T23:34:50+0000", 1_795_217_690_000_000_000, 0),
      ("2026-11-20T23:34:50.5Z", 1_795_217_690_500_000_000, 1),
      ("2026-11-20T23:34:50.123456789+01:00", 1_795_214_090_123_456_789, 9),
      ("2026-11-20 23:34:50,123", 1_795_217_690_123_000_000, 3),
      ("2026-11-20 23:34:50:123", 1_795_217_690_123_000_000, 3),
      ("2026-11-20 23:34:50,17", 1_795_217_690_000_000_000, 0),
      ("[2026-11-20 23:34:50.1234567]", 1_795_217_690_123_456_700, 7),
      ("2026/11/20 23:34:50", 1_795_217_690_000_000_000, 0),
      ("INFO 2026-11-20 23:34:50 -0500", 1_795_235_690_000_000_000, 0),
      ("1795217690.25", 1_795_217_690_250_000_000, 2),
      ("1795217690250", 1_795_217_690_250_000_000, 3),
      ("{\"ts\":1795217690.25,\"m\":", 1_795_217_690_250_000_000, 2),
      ("a - - [20/Nov/2026:23:34:50 +0000]", 1_795_217_690_000_000_000, 0),
      ("Nov 20, 2026 11:34:50 PM", 1_795_217_690_000_000_000, 0),
      ("Fri Nov 20 23:34:50 2026", 1_795_217_690_000_000_000, 0),
      ("Fri Nov 20 23:34:50 CET 2026", 1_795_214_090_000_000_000, 0),
      ("Fri Nov 20 2026 23:34:50 GMT+0100 (CET)", 1_795_214_090_000_000_000, 0),
      ("Fri, 20 Nov 2026 23:34:50 +0100", 1_795_214_090_000_000_000, 0),
      ("Nov 20 2026 23:34:50:", 1_795_217_690_000_000_000, 0),
      ("2026 Nov 20 23:34:50", 1_795_217_690_000_000_000, 0),
      ("@400000006b00d924075bcd15", 1_795_217_690_123_456_789, 9),
      ("@400000006b00d924075bcbf4", 1_795_217_690_123_456_000, 6),
      (
        #"{"DATE":"Nov 20 23:34:50","ISODATE":"2026-11-20T23:34:50.5Z","m":"#,
        1_795_217_690_500_000_000, 1
      ),
      ("20 Nov 2026 23:34:50,123", 1_795_217_690_123_000_000, 3),
      ("20-Nov-2026 23:34:50.5", 1_795_217_690_500_000_000, 1),
      ("20.11.2026 23:34:50", 1_795_217_690_000_000_000, 0),
      ("20.11.26, 23:34:50", 1_795_217_690_000_000_000, 0),
      ("11/20/2026, 11:34:50 PM", 1_795_217_690_000_000_000, 0),
      ("[Nest] 4711  - 11/20/2026, 11:34:50 PM     LOG", 1_795_217_690_000_000_000, 0),
      ("11/20/26 23:34:50", 1_795_217_690_000_000_000, 0),
      ("[11/20/26 23:34:50:123 CET] 00000042", 1_795_214_090_123_000_000, 3),
      ("Nov 20, 2026 @ 23:34:50.123", 1_795_217_690_123_000_000, 3),
      ("[2026.11.20-23.34.50:123][ 42]LogWaapi:", 1_795_217_690_123_000_000, 3),
      ("2026-11-20-23.34.50.123456", 1_795_217_690_123_456_000, 6),
      ("2026-11-20 23.34.50 [main]", 1_795_217_690_000_000_000, 0),
      ("2026-11-20 23-34-50.123 [Info]", 1_795_217_690_123_000_000, 3),
      ("23:34:50 20 Nov 2026", 1_795_217_690_000_000_000, 0),
      ("2026-11-20, 23:34:50.5", 1_795_217_690_500_000_000, 1),
      ("2026-11-20 | 23:34:50.5 | INFO", 1_795_217_690_500_000_000, 1),
      ("[2026-11-20][23:34:50][INFO]", 1_795_217_690_000_000_000, 0),
      ("20261120T233450.5Z", 1_795_217_690_500_000_000, 1),
      ("20261120-23:34:50.5", 1_795_217_690_500_000_000, 1),
      ("I20261120 23:34:50.123456  1234 conn.cc:42]", 1_795_217_690_123_456_000, 6),
      ("I1120 23:34:50.123456    1234 conn.go:42]", 27_992_090_123_456_000, 6),
      ("E1001 23:34:50.5 send", 84_890_500_000_000, 1),
      ("[I 261120 23:34:50 web:2591]", 1_795_217_690_000_000_000, 0),
      ("[11-05-2026 23:34:50.123456][INFO]: x", 1_793_921_690_123_456_000, 6),
      ("2026年11月20日 23:34:50", nil, nil), ("2026年11月20日 下午11:34:50", nil, nil),
      ("2026. 11. 20. 오후 11:34:50", nil, nil),
      ("2026-11-19T24:00:00Z", 1_795_132_800_000_000_000, 0),
      ("11-20 23:34:50.123  1234  5678 D OkHttp  :", 27_992_090_123_000_000, 3),
      ("11-20 23:34:50.123 +0100  1234  5678 D A:", 27_988_490_123_000_000, 3),
      ("Nov 20 23:34:50 host app[77]:", 27_992_090_000_000_000, 0),
      ("Nov 20 23:34:50 host a[7]: 2026-11-20 23:34:50.123 D", 1_795_217_690_123_000_000, 3),
      (
        #"Nov 20 23:34:50 h a[7]: {"time":"2026-11-20T23:34:50.5Z","m":""#,
        1_795_217_690_500_000_000, 1
      ),
      ("Nov 20 23:34:50 h a: since 2026-10-03 10:00:00", 27_992_090_000_000_000, 0),
      ("<34>Nov 20 23:34:50 host su:", 27_992_090_000_000_000, 0),
      ("<34>1 2026-11-20T23:34:50.003Z host su -", 1_795_217_690_003_000_000, 3),
      ("Fr 20. Nov 23:34:50 CET 2026", 1_795_214_090_000_000_000, 0),
      ("23:34:50.5", 84_890_500_000_000, 1),
      ("session 1795217690", nil, nil),
      ("id 1234-56-78 at 99:99:99", nil, nil),
      ("version 2026.11.20", nil, nil),
      ("20.11.2026 1.2.3.4", nil, nil),
      ("23.34.50 recv", nil, nil), ("2026-11-20 10.20.30.40 recv", nil, nil),
      ("2026-11-20 10.20.30.140:5000 recv", nil, nil), ("2026-11-20 10-20-3012", nil, nil),
      ("3026-01-01T12:00:00.000Z", nil, nil),
      ("01/01/0000 12:00:00", nil, nil),
      ("2026-02-30 10:00:00", nil, nil),
      ("2026-02-29 10:00:00", nil, nil),
      ("261120 23:34:50", nil, nil), ("240131 12:00:01.5", nil, nil),
      ("[I 261120 23:34:50.5 web:2591]", nil, nil), ("[I 261320 23:34:50 web:2591]", nil, nil),
      ("x [I 261120 23:34:50 web:2591]", nil, nil),
      ("20 lis 2026 23:34:50", nil, nil),
      ("lis 20 23:34:50", nil, nil),
      ("up 01:10:05", nil, nil),
      ("mac 10:20:30:40:50:60", nil, nil),
      ("[2001:db8:10:20:30::1]:80", nil, nil),
      ("fe80::10:20:30:1", nil, nil),
      ("1002783120652702", nil, nil),
      ("1802783120", nil, nil),
      ("9.402000000040200000", nil, nil),
      ("9.99999999999999999999999e+09", nil, nil),
      ("{\"started\":\"2026-11-20T23:34:50Z\",\"m\":", nil, nil),
    ] as [(String, Int64?, UInt8?)])
  func notation(prefix: String, nanoseconds: Int64?, precision: UInt8?) {
    let (_, origins) = read("\(prefix) recv [35,4]\n")
    #expect(origins.count == 1)
    #expect(origins.first?.time == nanoseconds.map { Instant(nanoseconds: $0) } ?? .unknown)
    if let precision { #expect(origins.first?.precision == precision) }
  }

  @Test(
    "zones",
    arguments: [
      ("Z", 0), (" UTC", 0), ("+01:00", 60), ("+0100", 60), (" GMT+01:00", 60), (" GMT+1", 60),
      (" UTC+0530", 330), (" UTC-3", -180), ("-05", -300), (" CET", 60), (" PST", -480),
      ("+01:00[Europe/Berlin]", 60), (" CST", nil), (" -5 items", nil), ("", nil),
    ] as [(String, Int64?)])
  func zone(suffix: String, minutes: Int64?) {
    let (_, origins) = read("2026-11-20 23:34:50\(suffix) recv [35,4]\n")
    let time = Self.night - (minutes ?? 0) * 60_000_000_000
    #expect(origins.first?.time == Instant(nanoseconds: time))
    #expect(origins.first?.isLocal == (minutes == nil))
  }

  @Test(
    "marks of twelve hours, in all their spellings",
    arguments: [
      " PM", "PM", " pm", " p.m.", " p. m.", "\u{202F}PM", "\u{A0}PM", "\u{202F}p.\u{A0}m.",
    ])
  func half(mark: String) {
    let (_, origins) = read("2026-11-20 11:34:50\(mark) recv [35,4]\n")
    #expect(origins.first?.time == Instant(nanoseconds: Self.night))
    let (_, early) = read(
      "2026-11-20 12:00:00\(mark.replacing("p", with: "a").replacing("P", with: "A")) x [35,4]\n")
    #expect(early.first?.time == Instant(nanoseconds: 1_795_132_800_000_000_000))
  }

  @Test(
    "seconds between messages",
    arguments: [
      // Midnight in logs without dates; a line that came late.
      ("23:59:59 recv [35,4]\n00:00:01 recv [35,5]\n23:59:59 recv [35,6]\n", [2, 0]),
      // The turn of the year.
      ("Dec 31 23:59:59 h a: x [35,4]\nJan  1 00:00:01 h a: x [35,5]\n", [2]),
      ("12-31 23:59:59.0 1 2 D A: [35,4]\n01-01 00:00:01.0 1 2 D A: [35,5]\n", [2]),
      ("Feb 28 23:59:59 h a: x [35,4]\nMar  1 00:00:01 h a: x [35,5]\n", [2]),
      ("Feb 29 23:59:59 h a: x [35,4]\nMar  1 00:00:01 h a: x [35,5]\n", [2]),
      // Dates that some lines lack are those of the lines before, and a log without stays so.
      ("2026-11-20 23:59:59 x [35,4]\n00:00:01 x [35,5]\nNov 21 00:00:02 x [35,6]\n", [2, 3]),
      (
        "23:59:59 x [35,4]\n2026-11-21 00:00:01 x [35,5]\n2026-11-22 00:00:01 x [35,6]\n",
        [2, 86_402]
      ),
      ("23:59:59 x [35,4]\nNov 21 00:00:01 x [35,5]\nNov 22 00:00:01 x [35,6]\n", [2, 86_402]),
      ("Nov 20 23:59:59 x [35,4]\n2026-11-21 00:00:01 x [35,5]\n", [2]),
      // Order of day and month, once a date has told.
      ("13/11/2026 10:00:00 x [35,4]\n05/12/2026 10:00:00 x [35,5]\n", [22 * 86_400]),
      ("11/13/2026 10:00:00 x [35,4]\n12/05/2026 10:00:00 x [35,5]\n", [22 * 86_400]),
      ("20.11.2026 23:00:00 x [35,4]\n22.11.2026 23:00:01 x [35,5]\n", [172_801]),
      // Each record of a line has its own.
      (
        #"[{"time":"2026-11-20T23:34:50Z","m":"x [35,4]"},"#
          + #"{"time":"2026-11-20T23:34:52Z","m":"x [35,5]"}]"# + "\n", [2]
      ),
      (
        #"[{"m":"x [35,4]","time":"2026-11-20T23:34:50Z"},"#
          + #"{"m":"x [35,5]","time":"2026-11-20T23:34:52Z"}]"# + "\n", [2]
      ),
      ("2026-11-20 23:34:50 x [35,4]\r2026-11-20 23:34:52 x [35,5]\n", [2]),
      ("2026-11-20 23:34:50 x [35,4] y [35,5]\n", [0]),
    ] as [(String, [Int64])])
  func differences(text: String, seconds: [Int64]) {
    let (_, origins) = read(text)
    let times = origins.map(\.time.nanoseconds)
    #expect(origins.allSatisfy { $0.time.isKnown })
    #expect(times.dropFirst().map { ($0 - times[0]) / 1_000_000_000 } == seconds)
  }

  @Test(
    "the time of a record is what is called so",
    arguments: [
      (#"{"started":"2026-11-19T00:00:00Z","time":"2026-11-20T23:34:50Z","m":"x [35,4]"}"#, true),
      (
        #"{"event":{"created":"2026-11-19T00:00:00Z"},"@timestamp":"2026-11-20T23:34:50Z","#
          + #""m":"x [35,4]"}"#, true
      ),
      (
        #"{"m":"x [35,4]","receiveTimestamp":"2026-11-21T00:00:00Z","#
          + #""timestamp":"2026-11-20T23:34:50Z"}"#, true
      ),
      (#"{"m":"x [35,4]","__REALTIME_TIMESTAMP":"1795217690000000"}"#, true),
      (#"{"timeMillis":1795217690000,"m":"x [35,4]"}"#, true),
      (#"{"instant":{"epochSecond":1795217690,"nanoOfSecond":0},"m":"x [35,4]"}"#, true),
      (#"{"result":{"_raw":"x [35,4]","_time":"2026-11-20 23:34:50.000 UTC"}}"#, true),
      (#"uptime=01:10:05 ts=2026-11-20T23:34:50Z x [35,4]"#, true),
      (#"level=info msg="x [35,4]" timestamp=2026-11-20T23:34:50Z"#, true),
      (#"device 10:20:30:40:50:60 2026-11-20 23:34:50 x [35,4]"#, true),
      (#"{"m":"x [35,4]"} {"time":"2026-11-20T23:34:50Z","m":"x"}"#, false),
      (#"[{"m":"x [35,4]"},{"time":"2026-11-20T23:34:50Z","m":"x"}]"#, false),
    ] as [(String, Bool)])
  func record(line: String, isTimed: Bool) {
    let (_, origins) = read(line + "\n")
    #expect(origins.count == 1)
    #expect(origins.first?.time == (isTimed ? Instant(nanoseconds: Self.night) : .unknown))
  }

  @Test("the line above has the time of one that begins with a level")
  func heads() {
    let (_, origins) = read(
      "Nov 20, 2026 11:34:50 PM com.example.Ws onMessage\nINFO: received [35,4]\n"
        + "2026-11-20 23:34:50 one: two three\nINFO: received [35,6]\n")
    #expect(origins.map(\.time.isKnown) == [true, false])
    #expect(origins.first?.time == Instant(nanoseconds: Self.night))
  }

  @Test("ids at the beginning of lines are no times")
  func ids() {
    let text = "1002783120652702 x [35,4]\n4002783120652702 x [35,5]\n1002783120652703 x [35,6]\n"
    let (_, origins) = read(text)
    #expect(origins.map(\.time.isKnown) == [false, false, false])
    #expect(origins.map(\.record) == [1, 2, 3])
  }

  @Test(
    "what is in doubt is said",
    arguments: [
      ("05/11/2026 1:00:00 x [35,4]\n", "taken as the month"),
      ("05/11/2026 1:00:00 x [35,4]\n13/11/2026 1:00:00 x [35,5]\n", "the day is"),
      ("11/13/2026 1:00:00 x [35,4]\n13/11/2026 1:00:00 x [35,5]\n", "line 2 otherwise"),
      ("2026-02-30 1:00:00 x [35,4]\n", "not understood, first in line 1"),
      ("2026-11-20 1:00:00 x [35,4]\n2026-11-20 1:00:00Z x [35,5]\n", "some without a time zone"),
      ("2026-11-20 1:00:00Z x [35,4]\n1:00:00Z x [35,5]\n", "taken from the lines before"),
    ])
  func doubt(text: String, words: String) {
    let (sink, _) = read(text)
    #expect(sink.recorder.lines.contains { $0.hasPrefix("recognised") && $0.contains(words) })
  }

  @Test("midnight comes in logs without dates")
  func midnight() {
    let (sink, origins) = read("23:59:59 recv [35,4]\n00:00:01 recv [35,5]\n")
    #expect(origins.map(\.time.nanoseconds) == [86_399_000_000_000, 86_401_000_000_000])
    #expect(sink.codes == ["log.clock", "log.side-assumed"])
  }
}
