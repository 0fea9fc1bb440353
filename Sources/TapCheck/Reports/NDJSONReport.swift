// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// One JSON object per check, and a summary last; `event` is `verdict`, as in wamptap-ndjson(5).
enum NDJSONReport {
  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    for result in report.results {
      text.append(#"{"event":"verdict""#)
      text.member("name", result.name)
      switch result.subject {
      case .expectation(let form): text.member("kind", word: form)
      case .finding: text.member("kind", word: "finding")
      case .evidence: text.member("kind", word: "evidence")
      }
      text.member("verdict", result.verdict.rawValue)
      if let suppression = result.suppression { text.member("suppressed", suppression) }
      text.member("checked", result.checked)
      text.member("failed", result.failed)
      text.member("text", result.reason)
      text.list("messages", of: result.examples.filter { $0.message.index > 0 }) {
        $1.append(decimal: $0.message.index)
      }
      if let place = result.place, !place.file.isEmpty {
        text.object("origin") {
          $0.member("input", place.file)
          $0.member("line", place.line)
        }
      }
      text.append("}\n")
    }
    text.append("{\"event\":\"summary\",\"messages\":\(report.messages),\"verdicts\":{")
    for (number, verdict) in Verdict.allCases.enumerated() {
      if number > 0 { text.append(",") }
      text.append("\"\(verdict.rawValue)\":\(report.count(verdict))")
    }
    text.append("}}\n")
  }
}
