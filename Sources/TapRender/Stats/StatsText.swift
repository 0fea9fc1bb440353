// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Statistics as tables for people.
struct StatsText {
  let statistics: Statistics
  /// How many rows a table has; the rest is summed in one more.
  let rows: Int
  /// Nil for the order that each table has of its own.
  var sorting: StatsSorting?
  /// Names of the inputs as typed, where there are several.
  var inputs: [String] = []

  var all: [StatsTable] {
    if statistics.slowest.most + statistics.failed.most > 0 { return [slowest, failed] }
    return [kinds, requests, subjects, reasons, sessions, clients, pings, keepAlives, codes]
  }

  /// The greatest first; rows that are equal stay in their order.
  func sorted<Row>(_ rows: some Sequence<Row>, by value: (Row) -> UInt64) -> [Row] {
    rows.enumerated().map { (value($1), $0, $1) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
      .map(\.2)
  }

  /// The line above all tables.
  static func overall(_ statistics: Statistics, _ summary: Summary, _ text: inout TextBuffer) {
    if statistics.first.isKnown {
      text.append("from ")
      var time = TimeText()
      time.append(utc: statistics.first, precision: statistics.precision, to: &text)
      if let span = statistics.span {
        text.append(" over ")
        text.append(Quantity.duration(span, statistics.precision))
      }
      text.append(" · ")
    }
    text.append(Quantity.bytes(statistics.bytes))
    text.append(summary.hasPackets ? " in frames" : " of messages")
    let rate = Quantity.rate(summary.messages - summary.controlFrames, over: statistics.span)
    if !rate.isEmpty { text.append(" · \(rate) messages/s") }
  }

  /// Adds the rows that there is room for, and the sum of all others.
  func fill<Row>(
    _ table: inout StatsTable, _ all: [Row], _ cells: (Row) -> [String],
    rest: ([Row]) -> [String]
  ) {
    // If only one row is left over, it is shown itself: its sum would take a row, too.
    let shown = all.count <= rows + 1 ? all.count : rows
    for row in all.prefix(shown) { table.append(cells(row)) }
    if shown < all.count { table.append(rest(Array(all[shown...]))) }
  }

  func more(_ count: Int) -> String { "and \(Quantity.count(UInt64(count))) more" }

  func escaped(_ number: Int32) -> String {
    var text = TextBuffer(capacity: 64)
    _ = text.append(escaping: statistics.texts[number])
    return Quantity.string(text)
  }

  private func rate(_ count: UInt64) -> String {
    Quantity.rate(count, over: statistics.span)
  }

  func sum<Row>(_ rows: [Row], _ value: (Row) -> UInt64) -> UInt64 {
    rows.reduce(0) { $0 + value($1) }
  }

  private var kinds: StatsTable {
    var table = StatsTable(
      "messages",
      [
        .text(""), .number("n"), .number("→"), .number("←"), .number("bytes"),
        .number("/s"),
      ])
    func cells(_ name: String, _ kinds: [KindTally]) -> [String] {
      let (up, down) = (sum(kinds) { $0.toServer }, sum(kinds) { $0.toClient })
      let all = sum(kinds) { $0.messages }
      return [
        name, Quantity.count(all), up + down == 0 ? "" : Quantity.count(up),
        up + down == 0 ? "" : Quantity.count(down), Quantity.bytes(sum(kinds) { $0.bytes }),
        rate(all),
      ]
    }
    let sorted = sorted(statistics.kinds) { sorting == .bytes ? $0.bytes : $0.messages }
    fill(&table, sorted) {
      cells($0.name.description, [$0])
    } rest: {
      cells(more($0.count), $0)
    }
    return table
  }

  func subject(_ row: SubjectTally) -> String {
    row.kind == nil ? "(others)" : row.subject == 0 ? "-" : escaped(row.subject)
  }

  private func name(_ row: SubjectTally) -> String {
    row.kind.map { statistics.kinds[$0].name.description } ?? ""
  }

  private func durations(_ latencies: Latencies) -> [String] {
    if latencies.count == 0 { return ["", "", "", ""] }
    return [50, 95, 99, 100].map {
      let value = $0 == 100 ? latencies.greatest : latencies.percentile($0)
      return Quantity.duration(value, statistics.precision)
    }
  }

  private func outcome(_ exchanges: [ExchangeTally]) -> [String] {
    [sum(exchanges) { $0.asked }, sum(exchanges) { $0.errors }, sum(exchanges) { $0.unanswered }]
      .map(Quantity.count)
  }

  private static let latencyColumns: [StatsTable.Column] = [
    .number("n"), .number("err"), .number("open"), .number("p50"), .number("p95"), .number("p99"),
    .number("max"),
  ]

  private var requests: StatsTable {
    var table = StatsTable(
      "requests", [.text(""), .text("")] + Self.latencyColumns)
    func asked(_ row: SubjectTally) -> UInt64 {
      row.exchange.map { statistics.exchanges[$0].asked } ?? 0
    }
    let all = sorted(statistics.subjects.filter { asked($0) > 0 }) { row in
      let exchange = statistics.exchanges[row.exchange!]
      switch sorting {
      case nil, .calls: return exchange.asked
      case .errors: return exchange.errors
      case .open: return exchange.unanswered
      case .max: return UInt64(clamping: exchange.latencies.greatest)
      case .p95: return UInt64(clamping: exchange.latencies.percentile(95))
      case .bytes: return row.bytes
      }
    }
    fill(&table, all) { row in
      let exchange = statistics.exchanges[row.exchange!]
      return [subject(row), name(row)] + outcome([exchange]) + durations(exchange.latencies)
    } rest: { rest in
      [more(rest.count), ""] + outcome(rest.map { statistics.exchanges[$0.exchange!] })
        + ["", "", "", ""]
    }
    return table
  }

  private var subjects: StatsTable {
    var table = StatsTable(
      "URIs", [.text(""), .text(""), .number("n"), .number("bytes"), .number("/s")])
    func cells(_ head: String, _ name: String, _ rows: [SubjectTally]) -> [String] {
      let all = sum(rows) { $0.messages }
      return [
        head, name, Quantity.count(all), Quantity.bytes(sum(rows) { $0.bytes }), rate(all),
      ]
    }
    let all = sorted(statistics.subjects.filter { $0.subject != 0 || $0.kind == nil }) {
      sorting == .bytes ? $0.bytes : $0.messages
    }
    fill(&table, all) {
      cells(subject($0), name($0), [$0])
    } rest: {
      cells(more($0.count), "", $0)
    }
    return table
  }

  private var reasons: StatsTable {
    var table = StatsTable("errors", [.text(""), .number("n")])
    let all = statistics.reasons.enumerated().sorted {
      ($1.element.messages, $0.offset) < ($0.element.messages, $1.offset)
    }.map(\.element)
    fill(&table, all) { row in
      let name = row.text < 0 ? "(others)" : row.text == 0 ? "(no reason)" : escaped(row.text)
      return [name, Quantity.count(row.messages)]
    } rest: { rest in
      [more(rest.count), Quantity.count(sum(rest) { $0.messages })]
    }
    return table
  }

  private var pings: StatsTable {
    var table = StatsTable("pings", [.text("")] + Self.latencyColumns)
    fill(&table, Array(statistics.pings)) { row in
      let exchange = statistics.exchanges[row.exchange]
      let who =
        switch row.direction {
        case .toServer: " by client"
        case .toClient: " by server"
        case .unknown: ""
        }
      let name = row.connection == 0 ? "(others)" : "#\(row.connection)" + who
      return [name] + outcome([exchange]) + durations(exchange.latencies)
    } rest: { rest in
      [more(rest.count)] + outcome(rest.map { statistics.exchanges[$0.exchange] })
        + ["", "", "", ""]
    }
    return table
  }

  private var codes: StatsTable {
    var table = StatsTable("findings", [.text(""), .text(""), .number("n")])
    let all = statistics.codes.sorted {
      ($1.severity.rawValue, $1.findings, $0.code.name) < (
        $0.severity.rawValue, $0.findings, $1.code.name
      )
    }
    fill(&table, all) { row in
      [row.code.name, row.severity.name.description, Quantity.count(row.findings)]
    } rest: { rest in
      [more(rest.count), "", Quantity.count(sum(rest) { $0.findings })]
    }
    return table
  }
}
