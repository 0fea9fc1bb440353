// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// For users: a line per check, and below those that do not pass, the examples.
enum TextReport {
  private static let widest = 12

  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    let width = report.results.map { $0.name.count }.max() ?? 0
    for result in report.results {
      let word = result.suppression == nil ? result.verdict.rawValue : "suppressed"
      color(result, word, around.isColored, &text)
      text.append(spaces: widest + 2 - word.count)
      text.append(escaping: result.name)
      text.append(spaces: min(width, 48) + 2 - min(result.name.count, min(width, 48)))
      text.append(escaping: result.suppression ?? result.reason)
      if result.isWrong, let place = result.place, !place.file.isEmpty {
        text.append(escaping: "  (\(place.file):\(place.line))")
      }
      text.append("\n")
      if result.isWrong && result.suppression == nil { examples(result, report, &text) }
    }
    for name in report.outdated {
      text.append(escaping: "in the baseline, and no longer there: \(name)")
      text.append("\n")
    }
    text.append("-- ")
    let checks = report.results.count
    text.append("\(counted(checks, "check")): \(report.tally); ")
    text.append("\(counted(report.messages, "message"))\n")
  }

  private static func examples(
    _ result: CheckResult, _ report: CheckReport, _ text: inout TextBuffer
  ) {
    for example in result.examples.prefix(Judge.mostExamples) {
      if let request = example.request {
        text.append("      ")
        text.append(escaping: report.line(request, about: example.requestAbout))
        text.append("\n")
      }
      text.append("      ")
      let isFinding = if case .finding = result.subject { true } else { false }
      if isFinding {
        let message = example.message
        if message.connection > 0 { text.append("#\(message.connection)  ") }
        if let time = report.since(message.time) { text.append("\(time)  ") }
        text.append(escaping: example.text)
        let place = report.place(message)
        if !place.isEmpty { text.append(escaping: "  (\(place))") }
      } else {
        text.append(escaping: report.line(example.message, about: example.about))
        text.append(escaping: "  \(example.text)")
      }
      text.append("\n")
    }
    let shown = UInt64(min(result.examples.count, Judge.mostExamples))
    if result.failed > shown && shown > 0 {
      text.append("      and \(result.failed - shown) more\n")
    }
  }

  private static func color(
    _ result: CheckResult, _ word: String, _ isColored: Bool, _ text: inout TextBuffer
  ) {
    if !isColored { return text.append(word) }
    let code =
      result.suppression != nil
      ? "2" : result.verdict == .pass ? "32" : result.verdict == .fail ? "31" : "33"
    text.append("\u{1B}[\(code)m\(word)\u{1B}[0m")
  }
}
