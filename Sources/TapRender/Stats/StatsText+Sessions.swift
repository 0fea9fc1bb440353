// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Who was there, for how long, and who came back.
extension StatsText {
  var sessions: StatsTable {
    var table = StatsTable(
      "sessions",
      [
        .text(""), .text("client"), .text("server", isExtra: true),
        .text("realm", isExtra: true), .text("session", isExtra: true), .number("from"),
        .number("for"), .number("n"), .number("bytes"), .number("err"), .text("end"),
      ])
    let all = sorted(statistics.sessions) { row in
      switch sorting {
      case .calls: row.messages
      case .bytes: row.bytes
      // A reader of sessions looks for those that have gone wrong.
      case nil, .errors, .max, .p95, .open: row.errors
      }
    }
    fill(&table, all) { row in
      let blank = row.isRest || row.connection == 0
      return [
        row.isRest
          ? "(others)"
          : blank ? "pasted" : "#\(row.connection)" + (row.number == 0 ? "" : ".\(row.number + 1)"),
        name(row.client), name(row.server), row.realm == 0 ? "" : escaped(row.realm),
        row.id.map { String($0) } ?? "", sinceFirst(row.began),
        row.duration.map { Quantity.duration($0, statistics.precision) } ?? "",
        Quantity.count(row.messages), Quantity.bytes(row.bytes), Quantity.count(row.errors),
        blank ? "" : Self.text(row.end),
      ]
    } rest: { rest in
      [
        more(rest.count), "", "", "", "", "", "", Quantity.count(sum(rest) { $0.messages }),
        Quantity.bytes(sum(rest) { $0.bytes }), Quantity.count(sum(rest) { $0.errors }), "",
      ]
    }
    return table
  }

  private func name(_ endpoint: Endpoint) -> String {
    endpoint.isKnown ? endpoint.description : ""
  }

  /// Seconds since the first message of all.
  func sinceFirst(_ time: Instant) -> String {
    guard time.isKnown else { return "" }
    let (since, isTooLong) = time.nanoseconds.subtractingReportingOverflow(
      statistics.first.nanoseconds)
    if isTooLong { return "" }
    var text = TextBuffer(capacity: 64)
    TimeText.append(seconds: since, precision: 3, columns: 0, to: &text)
    return Quantity.string(text)
  }

  private static func text(_ end: SessionTally.End) -> String {
    switch end {
    case .open: "still open"
    case .followed: "next session"
    case .reset: "reset"
    case .cut: "no CLOSE"
    case .ended: "closed"
    case .closed(let code, let by):
      (code.map { String($0) } ?? "no code")
        + (by == .toServer ? " client" : by == .toClient ? " server" : "")
    }
  }

  var clients: StatsTable {
    var table = StatsTable(
      "reconnects",
      [
        .text(""), .text("server", isExtra: true), .number("n"), .number("min"), .number("p50"),
        .number("max"), .text("one after the other"),
      ])
    let all = statistics.clients.filter { $0.reconnects.count > 0 }
    fill(&table, all) { row in
      let latencies = row.reconnects
      return [
        row.peers.map(Self.address) ?? "(others)", row.peers.map { $0.server.description } ?? "",
        Quantity.count(latencies.count), duration(latencies.least),
        duration(latencies.percentile(50)), duration(latencies.greatest),
        row.gaps.prefix(12).map(duration).joined(separator: ", ")
          + (latencies.count > 12 ? ", …" : ""),
      ]
    } rest: { rest in
      [more(rest.count), "", Quantity.count(sum(rest) { $0.reconnects.count }), "", "", "", ""]
    }
    return table
  }

  /// What was agreed on to show that a side is there, and what came.
  var keepAlives: StatsTable {
    var table = StatsTable(
      "keep-alive",
      [.text(""), .number("every"), .number("sent"), .number("silence"), .number("missed")])
    fill(&table, statistics.keepAlives) { row in
      let side = row.side
      let who = side.direction == .toClient ? " by server" : " by client"
      return [
        row.connection == 0 ? "(others)" : "#\(row.connection)" + who,
        row.connection == 0 ? "" : Quantity.duration(side.interval, 9),
        Quantity.count(side.signals), duration(side.longestSilence), Quantity.count(side.missed),
      ]
    } rest: { rest in
      [
        more(rest.count), "", Quantity.count(sum(rest) { $0.side.signals }), "",
        Quantity.count(sum(rest) { $0.side.missed }),
      ]
    }
    return table
  }

  private func duration(_ nanoseconds: Int64) -> String {
    Quantity.duration(nanoseconds, statistics.precision)
  }

  /// Without a port: each connection has its own.
  static func address(_ peers: ClientTally.Peers) -> String {
    let text = Endpoint(address: peers.client, port: 0).description
    return String(text.dropLast(2)).filter { $0 != "[" && $0 != "]" }
  }
}
