// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// `app.log:812: warning: text [code]`, as compilers print it and editors read it. For a capture,
/// the packet number takes the place of the line.
enum GCCReport {
  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    for issue in Issue.all(report) {
      text.append(escaping: issue.file)
      text.append(":\(issue.line): ")
      text.append(issue.severity.name)
      text.append(": ")
      text.append(escaping: issue.text)
      text.append(" [\(issue.code)]\n")
    }
  }
}
