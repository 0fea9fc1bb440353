// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Lists as collectors of logs and loggers leave them: escaped, prefixed, in parts, cut, coloured.
@Suite struct LogTextTests {
  private func messages(_ text: String) -> [String] {
    let sink = StrictSink()
    TestLog.read(text, onto: sink) { StrictRecogniser() }
    return sink.reported
  }

  @Test(
    "a list in the text of a string is read, however often it was escaped",
    arguments: [
      (#"{"msg":"sent [32,1,{},\"a.b\"]"}"#, #"1 toServer [32,1,{},"a.b"]"#),
      (#"{"m":"{\"msg\":\"sent [32,1,{},\\\"a.b\\\"]\"}"}"#, #"1 toServer [32,1,{},"a.b"]"#),
      (
        #"{"l":"{\"m\":\"{\\\"s\\\":\\\"sent [32,1,{},\\\\\\\"a\\\\\\\"]\\\"}\"}"}"#,
        #"1 toServer [32,1,{},"a"]"#
      ),
      (#"{"msg":"sent [36,1,{},[\"a \\\"b\\\" ]\"]]"}"#, #"1 toServer [36,1,{},["a \"b\" ]"]]"#),
      (#"{"msg":"sent [36,1,{},[\"a\\\\\"]]"}"#, #"1 toServer [36,1,{},["a\\"]]"#),
      (#"{"msg":"sent [\n  36,\n  1\n]"}"#, "1 toServer [\n  36,\n  1\n]"),
      (#"{"msg":"sent [36,1,{},[\"a...","t":1}"#, #"1 toServer [36,1,{},["a…"]]"#),
      // The string ends, and nothing says that the list was cut.
      (#"{"msg":"some [36,1,{},[\"a","t":1}"#, nil),
    ] as [(String, String?)])
  func escaped(line: String, expected: String?) {
    #expect(messages(line) == (expected.map { [$0] } ?? []))
  }

  @Test(
    "escapes of a printed string are undone once, whatever it holds",
    arguments: [
      (#"recv '[36,1,["a\\nb \\u00e9"]]'"#, #"[36,1,["a\nb \u00e9"]]"#),
      (#"recv b'[36,1,["a\\nb"]]'"#, #"[36,1,["a\nb"]]"#),
      (#"recv b'[36,1,["\xc3\xa9\\n"]]'"#, #"[36,1,["é\n"]]"#),
      (#"recv '[36,1,["it\'s \\"q\\""]]'"#, #"[36,1,["it's \"q\""]]"#),
      (#"recv `[36,1,["it's \\"q\\" \\n"]]`"#, #"[36,1,["it's \"q\" \n"]]"#),
      (#"event='recv [36,1,["a\\nb"]]' x='y'"#, #"[36,1,["a\nb"]]"#),
      (#"{"m":"recv '[36,1,[\"a\\\\nb\"]]'"}"#, #"[36,1,["a\nb"]]"#),
      (#"{"m":"recv '[36,1,[\"a \\\\\"b\"]]'"}"#, #"[36,1,["a \"b"]]"#),
      // Quotes around a text that has its own escapes, which nobody escaped.
      (#"recv '[36,1,{"c":"{\"n\": 1}"}]' x"#, #"[36,1,{"c":"{\"n\": 1}"}]"#),
      (#"recv `[36,1,["\"a\""]]`"#, #"[36,1,["\"a\""]]"#),
      // What was sent has no line break in a string: nobody escaped this.
      (#"recv '[36,1,["a\nb"]]'"#, #"[36,1,["a\nb"]]"#),
      (#"don't recv [36,1,["a\\nb"]] 'x'"#, #"[36,1,["a\\nb"]]"#),
      (#"recv "[36,1,[\"caf\xc3\xa9 \xe9\"]]""#, #"[36,1,["café é"]]"#),
    ])
  func printed(line: String, expected: String) {
    let reported = messages(line).map {
      $0.split(separator: " ", maxSplits: 2).last.map(String.init)
    }
    #expect(reported == [expected])
  }

  @Test(
    "what is no value of JSON is read, or left out",
    arguments: [
      (#"[36, 1, {"a" => 1, :b => {}}, ["x"]]"#, #"[36,1,{"a":1,"b":{}},["x"]]"#),
      (#"[36, 1, %S{a: 1}, ["x"]]"#, #"[36,1,"…",["x"]]"#),
      ("[36, 1, {}, Array(2), Object]", #"[36,1,{},"…","…"]"#),
      ("[36, 1, {}, [f(x), 'a']]", #"[36,1,{},["…","a"]]"#),
    ])
  func notations(list: String, expected: String) {
    #expect(messages("x sent \(list)") == ["1 toServer \(expected)"])
  }

  @Test(
    "fields of CSV and XML stand for what is in them",
    arguments: [
      (#"t,sent,"[36,1,[""a \""b\"" ""],""""]""#, #"[36,1,["a \"b\" "],""]"#),
      (#"t,sent,"{""m"":""sent [36,1,[\""a\""]]""}""#, #"[36,1,["a"]]"#),
      (#"<a b="sent [36,1,[&quot;a &amp;lt; &#233;&quot;]]"/>"#, #"[36,1,["a &lt; é"]]"#),
      (#"<a>[36,1,["a &lt; b"]]</a>"#, #"[36,1,["a < b"]]"#),
      (#"sent [36,1,["a &lt; b"]]"#, #"[36,1,["a &lt; b"]]"#),
    ])
  func fields(line: String, expected: String) {
    let reported = messages(line).map {
      $0.split(separator: " ", maxSplits: 2).last.map(String.init)
    }
    #expect(reported == [expected])
  }

  @Test(
    "a message is reported once of one record, and each of several",
    arguments: [
      (#"{"a":"[36,1]","b":{"c":[36, 1]}}"#, 1), (#"{"a":"[36,1]"},{"a":"[36,1]"}"#, 2),
      (#"{"a":"[36,1]","b":"[36,2]"}"#, 2), ("sent [36,1] [36,1]", 2),
    ])
  func copies(line: String, expected: Int) {
    #expect(messages(line).count == expected)
  }

  @Test(
    "where an element ends, a cut is shown as well",
    arguments: [
      ("sent [36,1,{},[1]", #"[36,1,{},[1],"…"]"#), ("sent [36,1,{}", #"[36,1,{},"…"]"#),
      (#"sent [36,1,["a""#, #"[36,1,["a","…"]]"#), (#"sent [36,1,{"k":"v""#, nil),
      ("Handling TextMessage payload=[[36,1,58..], byteCount=14, last=true] in x", #"[36,1,"…"]"#),
    ] as [(String, String?)])
  func edges(line: String, expected: String?) {
    let reported = messages(line).map {
      $0.split(separator: " ", maxSplits: 2).last.map(String.init)
    }
    #expect(reported == [expected ?? #"[36,1,{"k":"v","…":"…"}]"#])
  }

  @Test("escape sequences are no part of a message")
  func sequences() {
    let line = "\u{1B}[32msent\u{1B}[0m [\u{1B}[33m36\u{1B}[39m,[\"a\u{1B}[31mb\"]\u{1B}[0m]"
    let sink = LogSink()
    TestLog.read(line, onto: sink)
    #expect(sink.reported == ["1 toServer [36,[\"ab\"]]"])
  }

  @Test(
    "marks of a cut are no part of the message",
    arguments: [
      "...", "…", "... (12 more)", "...[300 more bytes]", "<truncated 300 bytes>", "[truncated]",
      "(cut)",
    ])
  func cutMarks(mark: String) {
    #expect(messages("sent [36,1,{},[\"abc\(mark)") == [#"1 toServer [36,1,{},["abc…"]]"#])
  }

  @Test(
    "colours that are written in letters",
    arguments: [#"\u001b"#, #"\\u001b"#, #"\x1b"#, #"\033"#, #"\e"#, "^["])
  func notedColours(escape: String) {
    let line = "\(escape)[32msent\(escape)[0m [\(escape)[33m36\(escape)[39m, 4 ]"
    #expect(messages(line) == ["1 toServer [36, 4 ]"])
    // In a message that is whole they are what was sent.
    #expect(messages(#"sent [36,1,{},["\u001b[31mred"]]"#).first?.contains("[31mred") == true)
  }

  @Test("what a collector puts before lines is no part of them")
  func prefixes() {
    let lines = ["web-1 | sent [36,", "db-1  | [35,4]", "web-1 |   5]"]
    #expect(
      messages(lines.joined(separator: "\n"))
        == ["1 unknown [35,4]", "2 toServer [36,\n  5]"])
  }

  @Test("parts of a line are joined, of each stream by itself")
  func parts() {
    let time = "2026-11-20T23:34:50.123456789Z"
    let lines = [
      "\(time) stdout P sent [36,1,{},[\"a", "\(time) stderr F [35,4]", "\(time) stdout P b",
      "\(time) stdout F c\"]]",
    ]
    #expect(
      messages(lines.joined(separator: "\n"))
        == ["1 unknown [35,4]", "1 toServer [36,1,{},[\"abc\"]]"])
  }

  @Test(
    "escapes of strings in other quotation marks are not those of a string around the list",
    arguments: [
      (#"recv [50, 1, {}, ['a\nb "c"', 7]]"#, #"1 toClient [50,1,{},["a\nb \"c\"",7]]"#)
    ])
  func otherQuotes(line: String, expected: String) { #expect(messages(line) == [expected]) }

  @Test("lines that were taken for one message and are none are read one by one")
  func wrapped() {
    #expect(
      messages("sent [36,1,{},[\"a\n b\"]]\nsent [35,2]\n")
        == [#"1 toServer [36,1,{},["a…"]]"#, "1 toServer [35,2]"])
  }
}

/// A sink for which every list of JSON with a code above 30 is a message.
final class StrictSink: EvidenceSink {
  private(set) var reported: [String] = []

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let text = String(decoding: bytes.copied(), as: Unicode.UTF8.self)
    reported.append("\(delivery.origin.flow) \(delivery.origin.direction) \(text)")
  }
}

/// Every list of JSON with a code above 30 is a message.
final class StrictRecogniser: TextRecogniser {
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    let list = try? JSONSerialization.jsonObject(with: Data(text.copied())) as? [Any]
    guard let code = list?.first as? Int, code > 30 else { return .none }
    return Recognition(.likely)
  }
}
