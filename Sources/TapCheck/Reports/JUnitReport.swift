// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// JUnit XML for Jenkins and GitLab: a test case for each expectation, for each finding code that
/// could fail, and for each that occurred. Inconclusive results are errors, known ones are skipped.
enum JUnitReport {
  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    let results = all(report, around)
    let failures = results.count { $0.verdict == .fail }
    let errors = results.count { $0.verdict == .inconclusive || $0.verdict == .nothing }
    let skipped = results.count { $0.suppression != nil }
    let counts =
      "tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + " skipped=\"\(skipped)\""
    let seconds = DurationText.seconds(UInt64(max(report.duration, 0)), places: 3)
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    text.append("<testsuites name=\"wamptap check\" \(counts) time=\"\(seconds)\">\n")
    text.append("  <testsuite name=")
    attribute(report.inputs.isEmpty ? "wamptap" : report.inputs.joined(separator: " "), &text)
    text.append(" \(counts) time=\"\(seconds)\"")
    if report.start.isKnown {
      text.append(" timestamp=\"\(DateText.seconds(report.start))\"")
    }
    text.append(">\n")
    for result in results { testCase(result, report, &text) }
    text.append("  </testsuite>\n</testsuites>\n")
  }

  /// All results; codes that could have failed but did not occur pass.
  private static func all(
    _ report: CheckReport, _ around: CheckReports.Surroundings
  ) -> [CheckResult] {
    var results = report.results
    guard let failOn = report.failOn, report.messages > 0 else { return results }
    let known = Set(results.map(\.name))
    let others = around.explanations.values.filter {
      !known.contains($0.code.name) && ($0.severities.max() ?? .note) >= failOn
    }
    results += others.sorted { $0.code.name < $1.code.name }.map {
      CheckResult(
        $0.code.name, .finding($0.code, $0.severities.max() ?? .note), .pass, "did not occur")
    }
    return results
  }

  private static func testCase(
    _ result: CheckResult, _ report: CheckReport, _ text: inout TextBuffer
  ) {
    text.append("    <testcase classname=\"wamptap.")
    switch result.subject {
    case .expectation: text.append("expectations")
    case .finding: text.append("findings")
    case .evidence: text.append("evidence")
    }
    text.append("\" name=")
    attribute(result.name, &text)
    let file = result.place?.file ?? ""
    if !file.isEmpty {
      text.append(" file=")
      attribute(file, &text)
    }
    text.append(" time=\"0\"")
    let element =
      result.suppression != nil
      ? "skipped" : result.verdict == .pass ? "" : result.verdict == .fail ? "failure" : "error"
    if element.isEmpty { return text.append("/>\n") }
    text.append(">\n      <\(element) message=")
    attribute(result.suppression ?? "\(result.verdict.rawValue): \(result.reason)", &text)
    if element == "skipped" { return text.append("/>\n    </testcase>\n") }
    text.append(" type=")
    attribute(result.type, &text)
    text.append(">")
    content("\(result.verdict.rawValue): \(result.reason)", &text)
    for example in result.examples.prefix(Judge.mostExamples) {
      text.append("\n")
      content(
        "\(report.line(example.message, about: example.about)): \(example.text)", &text)
    }
    text.append("</\(element)>\n    </testcase>\n")
  }

  private static func attribute(_ value: String, _ text: inout TextBuffer) {
    text.append("\"")
    content(value, &text)
    text.append("\"")
  }

  /// Characters that XML 1.0 does not allow are written as `\x1b`.
  private static func content(_ value: String, _ text: inout TextBuffer) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text.append("&amp;")
      case "<": text.append("&lt;")
      case ">": text.append("&gt;")
      case "\"": text.append("&quot;")
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        text.append("\\x\(digits.count < 2 ? "0" : "")\(digits)")
      default: text.append(String(scalar))
      }
    }
  }
}
