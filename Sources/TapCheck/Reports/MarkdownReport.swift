// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A Markdown page for a step summary: a table of the results, and sequence diagrams of failing
/// exchanges.
enum MarkdownReport {
  /// GitHub silently drops a summary of more than 1 MiB.
  private static let mostBytes = 900 << 10
  /// The limit of diagrams per expectation.
  private static let mostDrawn = 3

  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    let isGood = !report.results.contains { $0.isWrong }
    text.append("### wamptap check: \(isGood ? "pass" : "does not pass")\n\n")
    text.append("\(report.tally); \(report.messages) messages")
    let files = report.inputs.map { "`\(code($0))`" }.joined(separator: ", ")
    text.append(files.isEmpty ? ".\n\n" : " in \(files).\n\n")
    text.append("| | check | found |\n|---|---|---|\n")
    let start = text.count
    for result in report.results {
      let word = result.suppression == nil ? result.verdict.rawValue : "suppressed"
      let strong = result.isWrong ? "**" : ""
      text.append("| \(strong)\(word)\(strong) | \(cell(result.name)) | ")
      text.append("\(cell(result.suppression ?? result.reason)) |\n")
      if text.count - start > mostBytes / 2 {
        text.append("\nThe rest of the table is left out.\n")
        break
      }
    }
    for result in report.results where result.isWrong && !result.examples.isEmpty {
      if text.count - start > mostBytes {
        text.append("\nThe rest is left out: summaries of steps take 1 MiB.\n")
        return
      }
      text.append("\n<details><summary>\(html(result.name))</summary>\n\n")
      for example in result.examples.prefix(20) {
        text.append("- `")
        text.append(code(report.line(example.message, about: example.about)))
        text.append("`: \(cell(example.text))\n")
      }
      if case .expectation = result.subject { draw(result, report, &text) }
      text.append("\n</details>\n")
    }
  }

  private static func draw(
    _ result: CheckResult, _ report: CheckReport, _ text: inout TextBuffer
  ) {
    let drawn = result.examples.filter { $0.message.index > 0 }.prefix(mostDrawn)
    if drawn.isEmpty { return }
    text.append("\n```mermaid\nsequenceDiagram\n")
    for connection in Set(drawn.map(\.message.connection)).sorted() {
      text.append("  participant c\(connection) as \(label("#\(connection)"))\n")
    }
    text.append("  participant s as server\n")
    for example in drawn {
      if let request = example.request { arrow(request, example.requestAbout, nil, &text) }
      let isReply = example.message.answers > 0
      arrow(example.message, example.about, isReply ? example.text : nil, &text)
      if !isReply {
        text.append("  Note over c\(example.message.connection),s: \(label(example.text))\n")
      }
    }
    text.append("```\n")
  }

  private static func arrow(
    _ message: MessageReference, _ about: String, _ remark: String?, _ text: inout TextBuffer
  ) {
    let (client, server) = ("c\(message.connection)", "s")
    let sign = message.answers > 0 ? "-->>" : "->>"
    let ends = message.direction == .toClient ? (server, client) : (client, server)
    var words = message.name.description
    if !about.isEmpty { words += " \(about)" }
    if let remark { words += " (\(remark))" }
    text.append("  \(ends.0)\(sign)\(ends.1): \(label(words))\n")
  }

  /// The text of a table cell, with `|` escaped.
  private static func cell(_ value: String) -> String {
    html(value).replacing("|", with: "\\|").replacing("\n", with: " ")
  }

  private static func html(_ value: String) -> String {
    plain(value).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("`", with: "&#96;")
  }

  private static func code(_ value: String) -> String { plain(value).replacing("`", with: "'") }

  /// In Mermaid, `;` ends a statement, `#` begins an entity, and `%%` a comment or a directive.
  private static func label(_ value: String) -> String {
    plain(value).replacing(";", with: "\u{0}").replacing("#", with: "#35;")
      .replacing("\u{0}", with: "#59;").replacing("<", with: "#lt;").replacing("%", with: "#37;")
  }

  private static func plain(_ value: String) -> String {
    var text = TextBuffer(capacity: 256)
    text.append(escaping: value)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }
}
