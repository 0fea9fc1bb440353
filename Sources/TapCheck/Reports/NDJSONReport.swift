// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// One JSON object per check, and a summary last; `event` is `verdict`, as in wamptap-ndjson(5).
enum NDJSONReport {
  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    for result in report.results {
      text.append("{\"event\":\"verdict\",\"name\":")
      text.append(jsonString: result.name)
      text.append(",\"kind\":\"")
      switch result.subject {
      case .expectation(let form): text.append(form)
      case .finding: text.append("finding")
      case .evidence: text.append("evidence")
      }
      text.append("\",\"verdict\":\"\(result.verdict.rawValue)\"")
      if let suppression = result.suppression {
        text.append(",\"suppressed\":")
        text.append(jsonString: suppression)
      }
      text.append(",\"checked\":\(result.checked),\"failed\":\(result.failed),\"text\":")
      text.append(jsonString: result.reason)
      text.append(",\"messages\":[")
      for (number, example) in result.examples.filter({ $0.message.index > 0 }).enumerated() {
        if number > 0 { text.append(",") }
        text.append("\(example.message.index)")
      }
      text.append("]")
      if let place = result.place, !place.file.isEmpty {
        text.append(",\"origin\":{\"input\":")
        text.append(jsonString: place.file)
        text.append(",\"line\":\(place.line)}")
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
