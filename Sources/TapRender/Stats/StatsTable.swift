// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Rows of cells in columns. Cells are text that may be shown as it is.
struct StatsTable {
  struct Column {
    var head: String
    /// Otherwise right-aligned, as numbers are.
    var isText = false
    /// Left out where there is little room.
    var isExtra = false

    static func text(_ head: String, isExtra: Bool = false) -> Column {
      Column(head: head, isText: true, isExtra: isExtra)
    }

    static func number(_ head: String) -> Column { Column(head: head) }
  }

  /// Terminals from this width on show all columns.
  private static let wide = 120
  /// The widest that a column of text may be; the row of a longer text is out of line.
  private static let widest = 72
  /// The first column is not made narrower than this.
  private static let narrowest = 8

  var title: String
  var columns: [Column]
  private var rows: [[String]] = []

  init(_ title: String, _ columns: [Column]) { (self.title, self.columns) = (title, columns) }

  var isEmpty: Bool { rows.isEmpty }

  mutating func append(_ cells: [String]) { rows.append(cells) }

  /// The columns that are shown, and how wide they are.
  private struct Layout {
    /// Places in `columns`.
    let used: [Int]
    let widths: [Int]
    /// Columns of the terminal; nil outside one, where nothing is cut.
    let width: Int?
  }

  /// - Parameter width: columns of the terminal; nil outside one, where nothing is cut.
  func append(to text: inout TextBuffer, width: Int?, _ style: Style) {
    let layout = layout(width)
    text.append("\n")
    line(layout.used.map(head), layout, .name, style, &text)
    for row in rows { line(layout.used.map { row[$0] }, layout, nil, style, &text) }
  }

  private func layout(_ width: Int?) -> Layout {
    let shown = columns.indices.filter { !columns[$0].isExtra || width ?? .max >= Self.wide }
    let used = shown.filter { at in rows.contains { !$0[at].isEmpty } || at == 0 }
    var widths = used.map { at in
      min(max(Self.size(head(at)), rows.map { Self.size($0[at]) }.max() ?? 0), Self.widest)
    }
    if let width {
      // A long text at the end is cut there, and takes no room from the first.
      let tail = widths.count > 1 && columns[used.last!].isText ? max(widths.last! - 12, 0) : 0
      let sum = widths.reduce(0, +) + 2 * (widths.count - 1) - tail
      if sum > width { widths[0] = max(widths[0] - (sum - width), Self.narrowest) }
    }
    return Layout(used: used, widths: widths, width: width)
  }

  private func head(_ at: Int) -> String { at == 0 ? title : columns[at].head }

  private func line(
    _ cells: [String], _ layout: Layout, _ role: Style.Role?, _ style: Style,
    _ text: inout TextBuffer
  ) {
    let begin = text.count
    if let role { style.begin(role, &text) }
    for (place, cell) in cells.enumerated() {
      if place > 0 { text.append("  ") }
      let isText = columns[layout.used[place]].isText
      let shown =
        place == 0 && layout.width != nil ? Self.shortened(cell, to: layout.widths[0]) : cell
      let padding = layout.widths[place] - Self.size(shown)
      if !isText { text.append(spaces: padding) }
      text.append(shown)
      if isText { text.append(spaces: padding) }
    }
    TextLayout.removeTrailingSpaces(&text)
    if let width = layout.width { TextLayout.elide(&text, from: begin, to: width) }
    if role != nil { style.end(&text) }
    text.append("\n")
  }

  /// Columns on a terminal.
  private static func size(_ cell: String) -> Int {
    var text = TextBuffer(capacity: 64)
    text.append(cell)
    return text.bytes.columns(from: 0)
  }

  /// The end of a text: what tells URIs apart stands there.
  private static func shortened(_ cell: String, to width: Int) -> String {
    if size(cell) <= width { return cell }
    // More characters than columns there are never of use.
    var tail = cell.suffix(width - 1)
    while size(String(tail)) > width - 1 { tail = tail.dropFirst() }
    return "…" + tail
  }
}
