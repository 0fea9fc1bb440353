// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@testable import TapLogs

@Suite("What a record says twice") struct RecordCopiesTests {
  /// Which texts of a line are the same as one before them in their record.
  private func copies(_ kind: RecordCopies.Kind, _ line: String, _ texts: [String]) -> [Bool] {
    let bytes = Array(line.utf8)
    var copies = RecordCopies(of: kind)
    var at = 0
    return texts.map { text in
      let text = Array(text.utf8)
      let found = bytes[at...].firstRange(of: text)!
      at = found.upperBound
      let isCopy = copies.has(text.span.bytes, at: found, on: bytes.span.bytes)
      if !isCopy { copies.add(text.span.bytes, endingAt: at) }
      return isCopy
    }
  }

  @Test("a line and its text are the same, in one record") func lines() {
    let line = #"{"text":"INFO: sent [35,4]","message":"sent [35,4]","level":"INFO"}"#
    #expect(copies(.lines, line, ["INFO: sent [35,4]", "sent [35,4]"]) == [false, true])
    #expect(copies(.lines, line, ["sent [35,4]", "message"]) == [false, false])
  }

  @Test(
    "the next record of a line may say the same once more",
    arguments: [#"{"m":"sent"},{"m":"sent"}"#, #"{"m":"sent"}{"m":"sent"}"#])
  func records(line: String) { #expect(copies(.lines, line, ["sent", "sent"]) == [false, false]) }

  @Test("messages differ in blanks, and a name stands between them") func messages() {
    let line = #"{"message":[35,4],"data":[35, 4]}"#
    #expect(copies(.messages, line, ["[35,4]", "[35, 4]"]) == [false, true])
    #expect(copies(.messages, "[35,4] [35,4]", ["[35,4]", "[35,4]"]) == [false, false])
  }
}
