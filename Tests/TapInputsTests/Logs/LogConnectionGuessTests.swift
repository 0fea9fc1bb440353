// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Sessions that are told apart by a word of which nothing is known but that it explains them.
@Suite struct LogRehearsalTests {
  /// Two sessions at once, with requests of the same numbers.
  private static let talk: [(who: Int, way: String, text: String)] = [
    (0, "send", "[1,'r',{}]"), (1, "send", "[1,'r',{}]"), (0, "recv", "[2,71,{}]"),
    (1, "recv", "[2,72,{}]"), (0, "send", "[48,1,{},'a']"), (1, "send", "[48,1,{},'b']"),
    (1, "recv", "[50,1,{},['b']]"), (0, "recv", "[50,1,{},['a']]"), (1, "send", "[48,2,{},'d']"),
    (0, "send", "[48,2,{},'c']"), (0, "recv", "[50,2,{},['c']]"), (1, "recv", "[50,2,{},['d']]"),
  ]

  /// Lines of a form: `<id>` is the word, `<way>` who sends, `<m>` the message, `<j>` the same in a
  /// string of JSON, `<c>` in a field of a table.
  private func lines(_ form: String, _ ids: [String]) -> [String] {
    Self.talk.enumerated().map { number, one in
      let text = one.text.replacing("'", with: "\"")
      return form.replacing("<id>", with: ids[one.who]).replacing("<way>", with: one.way)
        .replacing("<t>", with: "2026-11-20T10:00:\(10 + number).123Z").replacing("<m>", with: text)
        .replacing("<j>", with: text.replacing("\"", with: "\\\""))
        .replacing("<c>", with: text.replacing("\"", with: "\"\""))
    }
  }

  private func told(_ lines: [String], isWhole: Bool = true, piece: Int = .max) -> [String] {
    let sink = SessionFloor()
    var choice = InputChoice()
    choice.isWhole = isWhole
    var input = LogLine.input("x", choice: choice) { SessionTexts() }
    let text = Array(lines.map { $0 + "\n" }.joined().utf8)
    for start in stride(from: 0, to: text.count, by: min(piece, text.count)) {
      let end = min(text.count - start, piece) + start
      input.receive(Array(text[start..<end]).span.bytes, sink)
    }
    input.finish(sink)
    return sink.told
  }

  private static let apart = Self.talk.map { "\($0.who + 1)" }

  private static let forms: [(form: String, ids: [String])] = [
    ("<t> [<id>] <way> <m>", ["3f2504e0-4f89-11d3", "6ba7b810-9dad-11d1"]),
    ("<t> <id>: <way> <m>", ["alice", "bob"]), ("<t> <way> <m> [<id>]", ["x1y", "z2w"]),
    ("<t> *<id> <way> <m>", ["17", "18"]), ("[<id>] <t> <way> <m>", ["0", "1"]),
    ("<t> <WebSocket 0x7f<id>> <way> <m>", ["11", "22"]),
    ("<t> user=<id> <way> <m>", ["alice", "bob"]), ("<t>;<id>;<way>;\"<c>\"", ["17", "18"]),
    ("<t> | <id> | <way> | <m>", ["17", "18"]), ("<t> <0.<id>.0> <way> <m>", ["171", "181"]),
    ("<t> DEBUG ws{id=<id>}: <way> <m>", ["17", "18"]),
    (#"{"ts":"<t>","conn":{"id":<id>},"msg":"<way> <j>"}"#, ["17", "18"]),
    (#"{"ts":"<t>","msg":"<way> <j>","labels":{"pod":"ws-<id>"}}"#, ["a", "b"]),
    ("<t> <id> <way> >>\n<m>", ["left", "right"]),
  ]

  @Test("a word that explains all tells sessions apart", arguments: forms)
  func apart(form: String, ids: [String]) {
    let lines = lines(form, ids)
    #expect(told(lines) == Self.apart)
    for piece in [1, 7, 100] { #expect(told(lines, piece: piece) == Self.apart) }
    // Nobody can wait for the end of what is still written.
    #expect(told(lines, isWhole: false) != Self.apart)
  }

  @Test("in a pipe it is decided on what has come, when no more comes for a while")
  func live() {
    let lines = lines("<t> <id> <way> <m>", ["alice", "bob"])
    let sink = SessionFloor()
    var choice = InputChoice()
    choice.isLive = true
    var input = LogLine.input("x", choice: choice) { SessionTexts() }
    input.receive(Array(lines.map { $0 + "\n" }.joined().utf8).span.bytes, sink)
    #expect(sink.told.isEmpty && input.waiting == 0)
    input.settle(sink)
    #expect(sink.told == Self.apart && input.waiting == nil)
    input.receive(Array("2026-11-20T10:00:40Z bob recv [36,7,8,{}]\n".utf8).span.bytes, sink)
    #expect(sink.told == Self.apart + ["2"])
  }

  @Test("numbers of requests that go back are of two sessions, too")
  func numbers() {
    let asked = [(0, 1), (0, 2), (1, 1), (1, 2), (0, 3), (1, 3)]
    let lines = asked.flatMap { who, id in
      ["sent [48,\(id),{},\"a\"]", "recv [50,\(id),{}]"].map { ["left ", "right "][who] + $0 }
    }
    #expect(told(lines) == asked.flatMap { ["\($0.0 + 1)", "\($0.0 + 1)"] })
  }

  @Test("behind the beginning it holds on")
  func goesOn() {
    let lines = lines("<t> <id> <way> <m>", ["alice", "bob"])
    let many = Array(repeating: "2026-11-20T10:00:30.123Z other words of no message", count: 8000)
    let more = ["alice", "carol"].map { "2026-11-20T10:00:40.123Z \($0) recv [36,7,8,{}]" }
    #expect(told(lines + many + more) == Self.apart + ["1", "3"])
  }

  @Test("what explains nothing tells nothing apart")
  func others() {
    let forms = [
      "<t> <way> <m>", "<t> same <way> <m>", "<t> thread <way>-<id> <m>",
    ]
    for form in forms {
      let lines = lines(form.replacing("<id>", with: "1"), ["", ""])
      #expect(told(lines) == told(lines, isWhole: false), "\(form)")
    }
    // A word of each request, of one connection that came again without a farewell.
    let talk = ["[1,\"r\",{}]", "[2,7,{}]"]
    let calls = (1...8).flatMap { ["[48,\($0),{},\"a\"]", "[50,\($0),{}]"] }
    let texts = talk + calls + talk
    let lines = texts.enumerated().map { number, text in
      "trace-\(number / 4) \(number % 2 == 0 ? "send" : "recv") \(text)"
    }
    #expect(told(lines) == told(lines, isWhole: false))
    // One session, whatever its words are.
    let one = (talk + calls).enumerated().map { number, text in
      "word\(number % 3) \(number % 2 == 0 ? "send" : "recv") \(text)"
    }
    #expect(Set(told(one)) == ["1"])
  }

  @Test(
    "credentials tell nothing apart, as they would be shown",
    arguments: [
      "<t> token=<id> <way> <m>", "<t> Bearer <id> <way> <m>", "<t> eyJ<id> <way> <m>",
      "<t> wss://h/?<id>=1 <way> <m>", #"{"ts":"<t>","apiKey":"<id>","msg":"<way> <j>"}"#,
    ])
  func secrets(form: String) {
    let lines = lines(form, ["a8f5f167f44f4964e6c998de", "c4ca4238a0b923820dcc509a"])
    #expect(told(lines) == told(lines, isWhole: false))
  }

  @Test("the verdict names the word, and connections have its name")
  func words() {
    let told = WordFloor()
    var choice = InputChoice()
    choice.isWhole = true
    var input = LogLine.input("x", choice: choice) { SessionTexts() }
    let form = #"{"ts":"<t>","conn":{"id":<id>},"msg":"<way> <j>"}"#
    let text = lines(form, ["17", "18"]).joined(separator: "\n")
    input.receive(Array(text.utf8).span.bytes, told)
    input.finish(told)
    #expect(told.writers == ["log, id 17", "log, id 18"])
    #expect(told.verdict.contains("; connections are told apart by “id”"))
  }
}

/// Remembers what conversations are called, and how the log was read.
private final class WordFloor: EvidenceSink {
  private(set) var writers: [String] = []
  private(set) var verdict = ""

  func packet(_: RawSpan, _: Packet) {}
  func message(_: RawSpan, _: Delivery) {}
  func finding(_: Finding) {}
  func opened(_ opening: Opening, _: Delivery) {
    writers.append(String(decoding: opening.provenance.writer, as: Unicode.UTF8.self))
  }
  func recognised(_ verdict: InputVerdict, _: Origin) { self.verdict = verdict.words }
}
