// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

@testable import TapLogs

/// Records that are printed over many lines, and what their other lines say of the message.
@Suite struct LogRecordTests {
  /// Conversation, direction, seconds and message of each.
  private func reported(_ text: String, cuts: Bool = true) -> [String] {
    func read(_ pieces: [[UInt8]]) -> [String] {
      let sink = RecordFloor()
      var input = TestLog.input(text) { RecordTexts() }
      for piece in pieces { input.receive(piece.span.bytes, sink) }
      input.finish(sink)
      return sink.reported
    }
    let bytes = Array(text.utf8)
    let whole = read([bytes])
    for cut in stride(from: 1, to: cuts ? bytes.count : 0, by: 3) {
      #expect(read([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
    }
    #expect(read(bytes.map { [$0] }) == whole)
    return whole
  }

  private static let subscribed = "[33,1,5862354]"

  /// What is written over the beginning of a line is indented, too, and in no record.
  @Test func overwritten() {
    let text = "1970-01-01 00:00:05 {a: [1\n1970-01-01 00:00:07 P\r recv [33,9,5862354]\n"
    #expect(reported(text) == ["1 toClient 7 [33,9,5862354]"])
  }

  @Test(
    "time and direction stand above the message or below it",
    arguments: [
      """
      {
        "time": "1970-01-01T00:00:07Z",
        "direction": "received",
        "message": [33,1,5862354]
      }
      """,
      """
      {
        "message": [33,1,5862354],
        "direction": "received",
        "time": "1970-01-01T00:00:07Z"
      }
      """,
      """
      {
        "meta": {
          "direction": "sent",
          "time": "1970-01-01T00:00:09Z"
        },
        "@timestamp": "1970-01-01T00:00:07Z",
        "data": {
          "message": [
            33,
            1,
            5862354
          ],
          "time": "",
          "size": 14
        },
        "direction": "in"
      }
      """,
      #"""
      [
        {
          "ts": "1970-01-01T00:00:07Z",
          "message": "[33,1,5862354]",
          "dir": "RX"
        }
      ]
      """#,
    ])
  func members(text: String) {
    #expect(reported(text + "\n") == ["1 toClient 7 \(Self.subscribed)"])
  }

  @Test("a record says nothing of the next, and of a line behind it") func next() {
    let text = """
      {
        "time": "1970-01-01T00:00:07Z",
        "direction": "received",
        "message": [33,1,5862354]
      }
      {
        "message": [33,2,5862354]
      }
      1970-01-01T00:00:09Z sent [33,3,5862354]
      {
        "message": [33,4,5862354]
      1970-01-01T00:00:11Z sent [33,5,5862354]
      """
    #expect(
      reported(text) == [
        "1 toClient 7 [33,1,5862354]", "1 unknown - [33,2,5862354]",
        "1 toServer 9 [33,3,5862354]", "1 unknown - [33,4,5862354]",
        "1 toServer 11 [33,5,5862354]",
      ])
  }

  @Test("trace records of Crossbar.io") func crossbar() {
    let text = """
      {'correlation': 'x',
       'direction': 'rx',
       'msg': [36, 46, 77],
       'session_id': 5,
       'ts': 1500000000.5}
      {'msg': [38, 46, 77],
       'direction': 'tx',
       'session_id': 6,
       'ts': 1500000001.5}
      """
    #expect(
      reported(text) == [
        "1 toServer 1500000000 [36, 46, 77]", "2 toClient 1500000001 [38, 46, 77]",
      ])
  }

  @Test("the value of the last member ends with its line") func lastMember() {
    let text = """
      {
        "session": 5,
        "direction": "sent",
        "message": [36, 46, 77]
      }
      {
        "direction": "received",
        "message": [38, 46, 77],
        "session": 5
      }
      """
    #expect(reported(text) == ["1 toServer - [36, 46, 77]", "1 toClient - [38, 46, 77]"])
  }

  @Test("what goes on for ever is read all the same") func endless() {
    let member = "  \"a\": 1,\n"
    let text = "{\n  \"message\": [33,1,5862354],\n" + String(repeating: member, count: 9000)
    #expect(reported(text, cuts: false) == ["1 unknown - \(Self.subscribed)"])
    // Lists that begin and never end.
    let open = "{\n" + String(repeating: "  \"message\": [\n", count: 900) + "> [33,1,5862354]\n"
    #expect(reported(open, cuts: false) == ["1 toServer - \(Self.subscribed)"])
  }

  @Test(
    "members of one line say as much, wherever they stand",
    arguments: [
      (#"{"dir":"in","msg":"[36,1]"}"#, "1 toClient - [36,1]"),
      (#"{"msg":"[36,1]","dir":"out"}"#, "1 toServer - [36,1]"),
      (#"dir=in msg=[36,1]"#, "1 toClient - [36,1]"),
      (#"{"log":"{\"msg\":\"[36,1]\",\"dir\":\"in\"}"}"#, "1 toClient - [36,1]"),
      (#"{"a":{"dir":"out"},"msg":[36,1],"b":{"dir":"out"},"dir":"rx"}"#, "1 toClient - [36,1]"),
      (#"{"type":"x","direction":"received","frame":[36,1],"op":"send"}"#, "1 toClient - [36,1]"),
      (#"{ direction: 'received', message: [ 36, 1 ] }"#, "1 toClient - [ 36, 1 ]"),
      (#"{"type":"text","msg":[36,1],"kind":"note"}"#, "1 unknown - [36,1]"),
    ])
  func oneLine(line: String, expected: String) { #expect(reported(line + "\n") == [expected]) }

  @Test("each record of a list says its own") func several() {
    let records = #"[{"m":"[36,1]","dir":"in"},{"m":"[36,2]","dir":"out"},{"m":"[36,3]"}]"#
    #expect(
      reported(records) == ["1 toClient - [36,1]", "1 toServer - [36,2]", "1 unknown - [36,3]"])
  }

  /// Assignments of a shell, and what a test expected and got, have quotes behind `=` as well.
  @Test(
    "fields of logfmt are those of a line that has nothing else, and a name that loggers write",
    arguments: [
      (#"time="2026-11-28T09:36:28Z" level=debug msg="a \" b" component=rpc"#, 5),
      (#"time=2026-11-28T09:36:28.123Z level=INFO msg="a b""#, 45), (#"a=1 message="b c" "#, 12),
      (#"level="a" sent "b""#, nil), (#"k="a" level=b "c""#, nil), (#"msg="a""#, nil),
      (#"expected="a" got="b""#, nil), (#"MSG="a" LEVEL="b""#, nil), (#"msg="a" b="c"#, nil),
      (#"x msg="a" level=b"#, nil), (#"msg="a"b level=c"#, nil), (#"msg=a"b" level=c"#, nil),
      (#"level=a msg=b"#, nil), ("", nil), (#"event='a \' "b"' level='info'"#, 6),
      (#"level=info event="it's""#, 17), (#"level='a' sent 'b'"#, nil),
    ] as [(String, Int?)])
  func logfmt(line: String, quote: Int?) {
    let bytes = Array(line.utf8)
    #expect(RecordString.fields(bytes.span.bytes)?.at == quote)
  }
}

/// Tells conversation, direction and seconds of each message.
private final class RecordFloor: EvidenceSink {
  private(set) var reported: [String] = []

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let (origin, text) = (delivery.origin, String(decoding: bytes.copied(), as: Unicode.UTF8.self))
    let time = origin.time.isKnown ? "\(origin.time.nanoseconds / 1_000_000_000)" : "-"
    let plain = text.split { $0 == " " || $0 == "\n" }.joined()
    reported.append(
      "\(origin.flow) \(origin.direction) \(time) \(text.contains("\n") ? plain : text)")
  }
}

/// Every list is a message, unless something was left out.
private final class RecordTexts: TextRecogniser {
  private let like = ListRecogniser()

  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    kind == .abridged ? .none : like.recognise(text, kind)
  }
}
