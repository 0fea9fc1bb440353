// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Statistics in text tables.
struct StatsTables: StatsForm {
  let options: StatsRenderer.Options

  var isRead: Bool { true }

  func append(_ statistics: Statistics, _ summary: Summary, to text: inout TextBuffer) {
    let style = Style(isColored: options.isColored)
    let start = text.count
    if summary.messages > 0 {
      StatsText.overall(statistics, summary, &text)
      if let width = options.width { TextLayout.wrap(&text, from: start, to: width, indent: 4) }
      text.append("\n")
    }
    let tables = StatsText(
      statistics: statistics, rows: max(options.rows, 1), sorting: options.sorting,
      inputs: options.inputs)
    for table in tables.all where !table.isEmpty {
      table.append(to: &text, width: options.width, style)
    }
    if text.count > start { text.append("\n") }
    let last = text.count
    style.begin(.dim, &text)
    SummaryLine.append(summary, to: &text)
    style.end(&text)
    if let width = options.width { TextLayout.wrap(&text, from: last, to: width, indent: 4) }
    text.append("\n")
  }
}
