// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Objects of JSON among other words, on lines that have a mark of such messages.
@Suite struct LogObjectTests {
  /// What has the mark in it first is a message, and so is a list of numbers.
  private final class MarkedObjects: TextRecogniser {
    let objectMarks: [StaticString] = ["mark"]

    func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
      let isMessage = text.starts(with: #"{"mark""#) || text.starts(with: "[3")
      return isMessage ? Recognition(.likely) : .none
    }
  }

  /// Each message as `flow direction text`.
  private func messages(_ text: String) -> [String] {
    let sink = LogSink()
    TestLog.read(text, onto: sink) { MarkedObjects() }
    return sink.reported
  }

  private func count(_ line: String) -> Int { messages(line).count }

  @Test("all objects of a line are messages, however many", arguments: [1, 31, 33, 200])
  func many(objects: Int) {
    let line = (0..<objects).map { #"x {"mark":\#($0),"in":{"mark":1}} "# }.joined()
    #expect(count(line) == objects)
  }

  @Test(
    "what is inside of a record is found",
    arguments: [#"{"a":{"b":[{"mark":1}]}}"#, #"{"a":1} {"b":{"mark":1}}"#])
  func inside(line: String) { #expect(count(line) == 1) }

  @Test("brackets that never close end the search", arguments: ["{", "{\"a\":", "{'a': ["])
  func open(bracket: String) {
    let line = "mark " + String(repeating: bracket, count: 20_000) + #"{"mark":1}"#
    #expect(count(line) == 0)
  }

  @Test(
    "what begins first is a message, and what is inside of it is none",
    arguments: [
      (#"sent [32,1,[{"mark":1}]]"#, [#"1 toServer [32,1,[{"mark":1}]]"#]),
      (#"sent {"mark":[33,1,7]}"#, [#"1 toServer {"mark":[33,1,7]}"#]),
      (
        #"sent {"mark":1} then sent [32,1,7] and recv {"mark":2}"#,
        [#"1 toServer {"mark":1}"#, "2 toServer [32,1,7]", #"1 toClient {"mark":2}"#]
      ),
      (#"x,info,"sent {""mark"":1}""#, [#"1 toServer {"mark":1}"#]),
      // Inches are no quotation mark.
      (
        #"screen 12" {"dir":"out","level":"info","text":"x","msg":{"mark":1}}"#,
        [#"1 toServer {"mark":1}"#]
      ),
    ])
  func order(line: String, expected: [String]) { #expect(messages(line) == expected) }

  /// What is said of the first message of a batch holds for all of it.
  @Test(
    "a batch goes one way; messages between which just a comma stands need not",
    arguments: [
      (#"recv [{"mark":1}, {"mark":2},{"mark":3}]"#, ["toClient", "toClient", "toClient"]),
      ("recv {\"mark\":1}\u{1E}{\"mark\":2}\u{1E}", ["toClient", "toClient"]),
      (#"recv {"mark":1}, {"mark":2}"#, ["toClient", "unknown"]),
      (
        "recv {\"mark\":1}\u{1E}{\"mark\":2},{\"mark\":3}",
        ["toClient", "toClient", "unknown"]
      ),
      (#"recv [{"mark":1}, x {"mark":2}, {"mark":3}]"#, ["toClient", "unknown", "unknown"]),
      (#"recv [{"mark":1}], {"mark":2}"#, ["toClient", "unknown"]),
      (#"recv [{"mark":1},, {"mark":2}]"#, ["toClient", "unknown"]),
    ])
  func batches(line: String, directions: [String]) {
    #expect(messages(line).map { $0.split(separator: " ")[1] } == directions.map { $0[...] })
  }

  /// What uvicorn tells its application is reported in other lines; those of others are not.
  @Test(
    "lines of uvicorn are those that name an event",
    arguments: [
      (#"INFO ASGI [8] received {"mark":1}"#, 1), (#"INFO ASGI [8] Send {"mark":1}"#, 1),
      (#"INFO - ASGI [8] Receive {"mark":1}"#, 1), (#"INFO [8] Receive {'type': '', 'mark':1}"#, 0),
      (#"TRACE: ASGI [1] Receive {'type': 'a', 'of': {"mark":1}}"#, 0),
      (#"TRACE: 127.0.0.1:4 - ASGI [1] Send {'type': 'a', 'of': {"mark":1}}"#, 0),
      (#"TRACE: 127.0.0.1:4 - [1] Send {'type': 'a', 'of': {"mark":1}}"#, 1),
    ])
  func uvicorn(line: String, messages: Int) { #expect(count(line) == messages) }

  @Test("a list further on is found behind as many objects as there are") func beforeAList() {
    let objects = (1...40).map { #"x {"mark":\#($0)} {"other":[1]} "# }.joined()
    let reported = messages(objects + "recv [32,1,7] " + objects + "recv [32,1,8]")
    #expect(
      reported.count == 82 && reported[40].hasSuffix("[32,1,7]")
        && reported[81].hasSuffix("[32,1,8]"))
  }

  @Test("lists behind the same words are another conversation") func conversations() {
    let lines = [#"sent [32,1,7]"#, #"sent {"mark":1}"#, "recv [33,1,7]", #"recv {"mark":2}"#]
    let flows = messages(lines.joined(separator: "\n")).map { $0.prefix(1) }
    #expect(flows == ["1", "2", "1", "2"])
  }
}
