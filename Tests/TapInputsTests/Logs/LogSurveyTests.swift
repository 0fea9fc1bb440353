// SPDX-License-Identifier: Apache-2.0
import TapBytes
@testable import TapLogs
import Testing

/// What is reported of a line depends on nothing but that line.
@Suite struct LogSurveyTests {
  /// Lines, and parts of lines that would be worth reading if the next went on them.
  private static let lines = [
    "", "[", "[ ", "[\t", "[\r", "[3", "[33", "[33 ", "[33\r", ",", ", 1]", "33,1]", "1,2,{}]",
    "[\u{1B}", "[3\u{1B}", "\u{1B}[31m", "[text", ", 24 bytes]", "[24", " bytes]", "[\\", "n33,1]",
    "WAMP", "sen", "t [32,1,{},\"a\"]", "[1,2,3]", "no list", "\\x1b", "[33m",
  ]

  private func reported(_ lead: LogSurvey.Lead?) -> String {
    guard let lead else { return "none" }
    return "\(lead.at) \(lead.anchors.rawValue) \(lead.numbers ?? -1) \(lead.isPlain)"
      + " \(lead.list.state) \(lead.list.start)"
  }

  @Test(arguments: lines) func alone(first: String) {
    var survey = LogSurvey(LogFormats.leads)
    for second in Self.lines {
      let text = Array((first + "\n" + second + "\n").utf8)
      survey.look(at: text.span.bytes)
      let found = survey.lines.map { reported($0.lead.map { survey.leads[$0] }) }
      let expected = [first, second].map {
        reported(LogSurvey.Lead(Array($0.utf8).span.bytes, LogFormats.leads))
      }
      #expect(found == expected, "\(first.debugDescription) \(second.debugDescription)")
    }
  }
}
