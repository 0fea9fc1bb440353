// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// One problem with a file and a line, for editors and code reviews.
struct Issue {
  var file: String
  /// From 1. For a capture, the packet number.
  var line: UInt64
  var severity: Finding.Severity
  var code: String
  var text: String
  var fingerprint: String

  /// Everything that does not pass, the worst first.
  static func all(_ report: CheckReport) -> [Issue] {
    var issues: [Issue] = []
    for result in report.results where result.isWrong && result.suppression == nil {
      if case .finding = result.subject {
        for example in result.examples {
          let message = example.message
          issues.append(
            Issue(
              file: report.file(message.input), line: max(message.record, 1),
              severity: example.severity ?? result.severity, code: result.name,
              text: example.text, fingerprint: example.fingerprint))
        }
      } else {
        let place = result.place
        let isPlaced = place.map { !$0.file.isEmpty } ?? false
        let message = result.examples.first?.message
        issues.append(
          Issue(
            file: isPlaced ? place!.file : report.file(message?.input ?? 0),
            line: isPlaced ? UInt64(place!.line) : max(message?.record ?? 1, 1),
            severity: .error, code: "wamptap.\(result.type)",
            text: "\(result.name): \(result.verdict.rawValue): \(result.reason)",
            fingerprint: result.fingerprint))
      }
    }
    return issues.enumerated().sorted {
      ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
    }.map(\.element)
  }
}
