// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Objects of JSON among other words, on lines that have a mark of such messages.
@Suite struct LogObjectTests {
  /// What has the mark in it first is a message.
  private final class MarkedObjects: TextRecogniser {
    let objectMarks: [StaticString] = ["mark"]

    func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
      text.starts(with: #"{"mark""#) ? Recognition(.likely) : .none
    }
  }

  private func count(_ line: String) -> Int {
    let sink = LikeFloor()
    LogLine.read(line, onto: sink) { MarkedObjects() }
    return sink.told.count
  }

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
}
