// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Single exchanges, each with its connection, its time and its place.
extension StatsText {
  var slowest: StatsTable { table("slowest", statistics.slowest) }

  var failed: StatsTable { table("failed", statistics.failed) }

  private func table(_ title: String, _ list: ExchangeList) -> StatsTable {
    var table = StatsTable(
      title,
      [
        .text(""), .text(""), .number("took"), .text("on"), .number("request"), .number("at"),
        .text("place"), .text("error"),
      ])
    for row in list.rows {
      table.append([
        row.subject == 0 ? "-" : escaped(row.subject),
        statistics.kinds[row.kind].name.description, latency(row),
        row.connection == 0 ? "" : "#\(row.connection)",
        row.request.map { String($0) } ?? "", sinceFirst(row.time), place(row),
        row.reason != 0 ? escaped(row.reason) : row.isFailure ? "(no reason)" : "",
      ])
    }
    let more = list.candidates - UInt64(list.rows.count)
    if more > 0 {
      table.append(["and \(Quantity.count(more)) more", "", "", "", "", "", "", ""])
    } else if list.most > 0 && list.rows.isEmpty {
      table.append(["none", "", "", "", "", "", "", ""])
    }
    return table
  }

  private func latency(_ row: SingleExchange) -> String {
    if row.latency < 0 { return "" }
    var text = TextBuffer(capacity: 64)
    Latency.append(row.latency, row.precision, to: &text)
    return Quantity.string(text)
  }

  /// `packets 33–35`, `lines 7–9`, with the name of the input where there are several.
  private func place(_ row: SingleExchange) -> String {
    let isLine = row.connection == 0 || row.answered.isLine
    guard row.answered.record > 0 else { return "" }
    let unit = isLine ? "line" : "packet"
    func name(_ input: Int) -> String {
      guard inputs.count > 1 && input < inputs.count else { return "" }
      var text = TextBuffer(capacity: 64)
      text.append(escaping: inputs[input])
      text.append(" ")
      return Quantity.string(text)
    }
    guard let asked = row.asked, asked.record > 0, asked.record != row.answered.record else {
      return "\(name(Int(row.answered.input)))\(unit) \(row.answered.record)"
    }
    if asked.input != row.answered.input {
      return "\(name(Int(asked.input)))\(unit) \(asked.record), "
        + "\(name(Int(row.answered.input)))\(unit) \(row.answered.record)"
    }
    return "\(name(Int(asked.input)))\(unit)s \(asked.record)–\(row.answered.record)"
  }
}
