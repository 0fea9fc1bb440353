// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Annotations for GitHub Actions. GitHub shows ten of each severity per step and silently drops
/// the rest, so the ten worst are written, and a notice counts the others.
enum GitHubReport {
  private static let most = 10

  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    var counts: [Finding.Severity: Int] = [:]
    var hidden = 0
    let issues = Issue.all(report)
    for issue in issues {
      counts[issue.severity, default: 0] += 1
      if counts[issue.severity, default: 0] > most {
        hidden += 1
        continue
      }
      switch issue.severity {
      case .error: text.append("::error file=")
      case .warning: text.append("::warning file=")
      case .note: text.append("::notice file=")
      }
      text.append(escaped(issue.file, isProperty: true))
      text.append(",line=\(issue.line),title=")
      text.append(escaped(issue.code, isProperty: true))
      text.append("::")
      text.append(escaped(issue.text, isProperty: false))
      text.append("\n")
    }
    if hidden > 0 {
      let files = Set(issues.map(\.file)).sorted().joined(separator: ", ")
      text.append("::notice title=wamptap::")
      text.append(escaped("\(hidden) more in \(files)", isProperty: false))
      text.append("\n")
    }
  }

  private static func escaped(_ value: String, isProperty: Bool) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      case ":" where isProperty: escaped += "%3A"
      case "," where isProperty: escaped += "%2C"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        escaped += "\\x" + String(scalar.value, radix: 16)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
