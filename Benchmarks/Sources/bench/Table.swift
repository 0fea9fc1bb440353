// SPDX-License-Identifier: Apache-2.0

/// Columns of text; all but the first are right-aligned.
struct Table {
  private var rows: [[String]]

  init(_ head: [String]) { rows = [head] }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let columns = rows[0].indices
    // Rows without all columns do not affect the widths.
    let full = rows.filter { $0.count == columns.count }
    let widths = columns.map { column in
      (column == 0 ? rows : full).map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(widths[column] - cell.count, 0))
        return column == 0 || row.count < columns.count ? cell + space : space + cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  static func text(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    var digits = String(Int((value * scale).rounded()))
    if places == 0 { return digits }
    while digits.count <= places { digits = "0" + digits }
    return digits.dropLast(places) + "." + digits.suffix(places)
  }
}
