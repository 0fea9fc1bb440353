// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TapFilter

@Suite("Reading of filters") struct FilterReaderTests {
  static let words: Vocabulary = {
    var words = Vocabulary()
    words.messages = ["HELLO", "EVENT", "CALL", "RESULT", "ERROR", "PUBLISH", "INVOCATION"].map {
      Vocabulary.Message(name: $0, title: "WAMP")
    }
    words.protocols = ["wamp", "websocket"]
    words.findings = ["wamp.call-unanswered", "tls.gap"]
    words.errors = ["wamp.error.not_authorized"]
    words.filters["slow"] = "latency > 1s"
    words.filters["wrong"] = "latency > 1"
    words.filters["self"] = "not $self"
    return words
  }()

  @Test(
    "takes what it should",
    arguments: [
      "", "EVENT and subject ^= com.chat", "exchange(subject == com.user.get)", "latency > 200ms",
      "RESULT and subject ^= com.user and latency in {1s..30s}", "exchange(failed)",
      "error == wamp.error.not_authorized", "CALL and unanswered", "args[0].user.id == 5",
      #"payload contains "karma""#, #"kwargs.priority in {"high", "urgent"}"#,
      "names == chatListUpdate", "session(ids.session == 4188690801490567)",
      "connection(close.code in {1002, 1006, 1011} or close.reset)", "time in {11:42..11:43}",
      "size > 64KiB", "PUBLISH and not options.acknowledge == true",
      "not name in {HELLO, CALL}", "client == 10.0.0.7 and direction == toServer",
      "security or finding ^= tls.", #"body ~ r"[\w.]+@[\w.]+\.\w+""#, "#2", "$slow", "$problems",
      "!(EVENT||CALL)&&latency>=1.5s", "name not in {EVENT}", "time >= 2026-11-25T11:42:00+01:00",
      "time > +5s", "client == [::1]:80", "server == :8080", "client in {10.0.0.0/8, fd77::/16}",
      "len(args) > 3", "args[*].x == 1", #"kwargs."a key" == null"#, "latency in {200ms..1s, 5s..}",
      "request in {1..3, 7..}", "origin.line > 3",
      "exchange(failed or latency > 1s) and not name == INVOCATION", #""karma""#, "request == 7",
      "subject == com.chat.*", "severity ge warning", "names.kwargs.type == chat",
      #"subject matches "^com\.(a|b)$"i"#, "answered == false", #"name == "Result""#,
      "ids.document == x", "ids.prefix == x", #"ids."cid" == 1"#, "ids.'a.b' == 1",
    ])
  func taken(_ filter: String) throws {
    _ = try Filter(filter, Self.words)
  }

  @Test(
    "says what is wrong, and where",
    arguments: [
      (
        "name == EVENT and subjct ^= \"com\"", "no field 'subjct'; did you mean 'subject'?", 18..<24
      ),
      ("latency > 200", "a duration needs a unit: 200ms, or 200s", 10..<13),
      ("latency == \"slow\"", "'latency' is a duration and cannot be compared with text", 11..<17),
      ("latency == slow", "'latency' is a duration and cannot be compared with text", 11..<15),
      ("name = EVENT", "'=' compares nothing; write '=='", 5..<6),
      ("name == EVNT", "no message of WAMP is called 'EVNT'; EVENT is", 8..<12),
      ("name in {Result}", "an application's own name is quoted: \"Result\"", 9..<15),
      (
        "ids.cid == 1", "did you mean 'ids.id'? An application's own id is quoted: ids.\"cid\"",
        0..<7
      ),
      ("EVNT", "no message of WAMP is called 'EVNT'; EVENT is", 0..<4),
      ("exchange(name == ERROR", "'(' is not closed", 8..<9),
      (#"args[0] ~ "a[bc""#, "in the regular expression, '[' is not closed", 10..<16),
      ("name == CALL latency > 1s", "'and' or 'or' is missing", 13..<20),
      ("code == 1006", "'code' may be finding, close.code or ids.code", 0..<4),
      ("EVENT and", "here a test is missing", 9..<10), ("(EVENT))", "')' closes nothing", 7..<8),
      ("EVENT & CALL", "write 'and' or '&&'", 6..<7), ("$slwo", "did you mean '$slow'?", 0..<5),
      ("$wrong", "in $wrong: a duration needs a unit", 10..<11),
      ("$self", "refers to itself", 4..<9),
      ("direction == toSever", "did you mean 'toServer'?", 13..<20),
      ("subject < a", "has no order", 8..<9),
      ("latency contains 1", "is a duration and no text", 8..<16),
      ("finding == wamp.call-unanswred", "did you mean 'wamp.call-unanswered'?", 11..<30),
      ("finding ^= wmp.", "no code of a finding begins with 'wmp.'", 11..<15),
      ("index in {1..a}", "cannot be compared with text", 13..<14),
      ("index in {5..1}", "ends before it begins", 10..<14),
      ("ids.packet in {5..1}", "ends before it begins", 15..<19),
      ("request in {1..a}", "is an id; a range needs numbers", 12..<16),
      ("index in {1", "'{' is not closed", 9..<10),
      ("index in 1", "belongs a set", 9..<10), ("client == nowhere", "an address is", 10..<17),
      ("time > noon", "a time is", 7..<11), ("size > 3parsecs", "a size is", 7..<15),
      ("subject == \"a", "the quote is not closed", 11..<12),
      ("ids == 1", "'ids' needs the name of an id", 0..<3),
      ("ids.reqest == 1", "did you mean 'ids.request'?", 0..<10),
      ("args[x] == 1", "a number or '*'", 4..<7), ("failed == 3", "is yes or no", 10..<11),
      ("severity > eror", "did you mean 'error'?", 11..<15),
      ("and EVENT", "something is missing", 0..<3),
      ("protocol == wmap", "did you mean 'wamp'?", 12..<16),
      ("len(latency) > 1", "'len' takes", 0..<12),
    ] as [(String, String, Range<Int>)])
  func refused(_ filter: String, _ reason: String, _ place: Range<Int>) {
    do {
      _ = try Filter(filter, Self.words)
      Issue.record("\(filter) was read")
    } catch {
      #expect(error.text.contains(reason), "\(error.text)")
      #expect(error.place == place, "\(filter)")
    }
  }

  @Test("marks the place below the filter, whatever stands before it")
  func picture() {
    let error = FilterError(text: "", filter: "\"žluť\" subjct", place: 9..<15)
    #expect(error.picture == ["  \"žluť\" subjct", "         ^~~~~~"])
  }

  @Test(
    "warns of what never matches",
    arguments: [
      ("finding ^= tls. and latency > 1s", true), ("name == EVENT and name == CALL", true),
      ("EVENT and CALL", true), ("EVENT or CALL", false), ("security and text ~ \"a\"", false),
      ("EVENT and not CALL", false),
    ])
  func never(_ filter: String, _ isWarned: Bool) throws {
    #expect(try Filter(filter, Self.words).warnings.isEmpty != isWarned)
  }

  @Test(
    "warns of what only applications may have",
    arguments: [
      ("name == offerMade", true), (#"name == "offerMade""#, false), ("ids.seq == 1", true),
      (#"ids."seq" == 1"#, false), ("ids.receipt == 1", false),
    ])
  func applications(_ filter: String, _ isWarned: Bool) throws {
    #expect(try Filter(filter, Self.words).warnings.isEmpty != isWarned)
  }

  @Test("does not overflow on deep nesting")
  func deep() {
    for filter in [
      String(repeating: "(", count: 100_000), String(repeating: "not ", count: 100_000) + "EVENT",
      String(repeating: "!", count: 100_000),
    ] {
      #expect(throws: FilterError.self) { try Filter(filter, Self.words) }
    }
  }

  @Test(
    "offers what may come next",
    arguments: [
      ("laten", "latency"), ("EVENT and subj", "EVENT and subject"),
      ("name == EV", "name == EVENT"),
      ("exchange(fai", "exchange(failed"), ("latency ", "latency >"),
      ("severity >= w", "severity >= warning"),
      ("name in {CALL, R", "name in {CALL, RESULT"), ("$s", "$slow"),
      ("finding == w", "finding == wamp.call-unanswered"),
      ("latency > 1s a", "latency > 1s and"),
    ])
  func completions(_ typed: String, _ offered: String) {
    #expect(FilterSuggestions.completions(of: typed, Self.words).contains(offered))
  }
}
