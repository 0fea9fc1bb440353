// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// GitLab's code quality report: a JSON array, empty when there is no problem.
enum GitLabReport {
  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    text.append("[")
    // GitLab shows only one issue per fingerprint.
    var known: [String: Int] = [:]
    for (number, issue) in Issue.all(report).enumerated() {
      text.append(number > 0 ? ",\n" : "\n")
      let repeated = known[issue.fingerprint, default: 0]
      known[issue.fingerprint] = repeated + 1
      let file = issue.file.hasPrefix("./") ? String(issue.file.dropFirst(2)) : issue.file
      text.append("{")
      text.member("description", issue.text)
      text.member("check_name", issue.code)
      text.member(
        "fingerprint",
        repeated == 0
          ? issue.fingerprint : Fingerprint.of([issue.fingerprint, String(repeated)]))
      text.member("severity", word: severity(issue.severity))
      text.object("location") {
        $0.member("path", file)
        $0.object("lines") { $0.member("begin", issue.line) }
      }
      text.append("}")
    }
    text.append("\n]\n")
  }

  private static func severity(_ severity: Finding.Severity) -> StaticString {
    switch severity {
    case .error: "major"
    case .warning: "minor"
    case .note: "info"
    }
  }
}
