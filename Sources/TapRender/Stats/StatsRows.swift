// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Writes statistics as JSON objects, one a row.
struct StatsRows {
  let statistics: Statistics
  /// Names of the inputs as typed, by number.
  private let inputs: [String]
  private var time = TimeText()

  init(statistics: Statistics, inputs: [String]) {
    (self.statistics, self.inputs) = (statistics, inputs)
  }

  mutating func append(_ summary: Summary, to text: inout TextBuffer) {
    begin("total", &text)
    append("from", statistics.first, &text)
    append("to", statistics.last, &text)
    text.member("seconds", seconds: statistics.span)
    text.member("messages", summary.messages)
    text.member("bytes", statistics.bytes)
    text.append("}\n")
    if statistics.slowest.most + statistics.failed.most > 0 {
      for row in statistics.slowest.rows { append("slowest", row, &text) }
      for row in statistics.failed.rows { append("failed", row, &text) }
    } else {
      tables(&text)
    }
    var last = NDJSONRenderer(inputs: [])
    last.summary(summary, into: &text)
  }

  private mutating func tables(_ text: inout TextBuffer) {
    kinds(&text)
    subjects(&text)
    for row in statistics.reasons {
      begin("error", &text)
      text.key("reason")
      if row.text < 0 { text.append("null") } else { append(row.text, &text) }
      text.member("messages", row.messages)
      text.append("}\n")
    }
    for row in statistics.sessions { append(row, &text) }
    clients(&text)
    pings(&text)
    for row in statistics.keepAlives { append(row, &text) }
    for row in statistics.codes {
      begin("finding", &text)
      text.member("code", word: row.code.text)
      text.member("severity", word: row.severity.name)
      text.member("findings", row.findings)
      text.append("}\n")
    }
  }

  private mutating func append(
    _ what: StaticString, _ row: SingleExchange, _ text: inout TextBuffer
  ) {
    begin(what, &text)
    append("subject", row.subject, &text)
    text.member("name", word: statistics.kinds[row.kind].name)
    text.member(connection: row.connection)
    text.member("request", row.request)
    append("time", row.time, &text)
    let isMeasured = row.latency >= 0
    if !isMeasured || Joined.latencyUpperBound(row.latency, precision: row.precision) != nil {
      text.member("latency", seconds: nil)
    }
    if isMeasured { text.member("latency", latency: row.latency, precision: row.precision) }
    text.member("failed", row.isFailure)
    if row.reason != 0 { append("error", row.reason, &text) }
    text.list("messages", of: [row.asked, row.answered].compactMap(\.self)) {
      $1.append(decimal: $0.index)
    }
    if let asked = row.asked { append("asked", asked, &text) }
    append("origin", row.answered, &text)
    text.append("}\n")
  }

  private func append(
    _ key: StaticString, _ place: SingleExchange.MessageSource, _ text: inout TextBuffer
  ) {
    let input = Int(place.input)
    text.member(
      key, input: input < inputs.count ? inputs[input] : "", record: place.record,
      isLine: place.isLine)
  }

  private func kinds(_ text: inout TextBuffer) {
    for row in statistics.kinds {
      begin("type", &text)
      text.member("protocol", word: row.dialect)
      text.member("name", word: row.name)
      text.member("messages", row.messages)
      text.member("toServer", row.toServer)
      text.member("toClient", row.toClient)
      text.member("bytes", row.bytes)
      text.append("}\n")
    }
  }

  private func subjects(_ text: inout TextBuffer) {
    for row in statistics.subjects {
      begin("uri", &text)
      append("subject", row.subject, &text)
      text.member("name", word: row.kind.map { statistics.kinds[$0].name })
      text.member("messages", row.messages)
      text.member("bytes", row.bytes)
      if let exchange = row.exchange { append(statistics.exchanges[exchange], &text) }
      text.append("}\n")
    }
  }

  private mutating func append(_ row: SessionTally, _ text: inout TextBuffer) {
    begin("session", &text)
    text.member(connection: row.connection)
    text.member("number", UInt64(row.number) + 1)
    text.member("client", row.client)
    text.member("server", row.server)
    append("realm", row.realm, &text)
    text.member("session", row.id)
    append("from", row.began, &text)
    append("to", row.ended, &text)
    text.member("seconds", seconds: row.duration)
    text.member("messages", row.messages)
    text.member("bytes", row.bytes)
    text.member("errors", row.errors)
    switch row.end {
    case .open:
      text.member("end", word: row.isRest || row.connection == 0 ? nil : "unfinished")
    case .followed: text.member("end", word: "followed")
    case .reset: text.member("end", word: "reset")
    case .cut: text.member("end", word: "cut")
    case .ended: text.member("end", word: "ended")
    case .closed(let code, let by):
      text.member("end", word: "closed")
      text.member("code", code.map { UInt64($0) })
      text.member(by: by)
    }
    text.append("}\n")
  }

  private func clients(_ text: inout TextBuffer) {
    for row in statistics.clients {
      begin("client", &text)
      text.key("client")
      if let peers = row.peers {
        text.append(jsonString: StatsText.address(peers))
      } else {
        text.append("null")
      }
      text.member("server", row.peers?.server ?? .unknown)
      text.member("connections", row.connections)
      text.member("refused", row.refused)
      text.member("reconnects", row.reconnects.count)
      text.list("gaps", of: row.gaps) { $1.append(jsonSeconds: $0) }
      append("gap", row.reconnects, &text)
      text.append("}\n")
    }
  }

  private func pings(_ text: inout TextBuffer) {
    for row in statistics.pings {
      begin("ping", &text)
      text.member(connection: row.connection)
      text.member(by: row.direction)
      append(statistics.exchanges[row.exchange], &text)
      text.append("}\n")
    }
  }

  private func append(_ row: KeepAliveTally, _ text: inout TextBuffer) {
    begin("keepAlive", &text)
    text.member(connection: row.connection)
    text.member(by: row.side.direction)
    if row.connection > 0 {
      text.member("protocol", word: row.side.dialect)
      text.member("every", seconds: row.side.interval)
    }
    text.member("sent", row.side.signals)
    text.member("silence", seconds: row.side.longestSilence)
    text.member("missed", row.side.missed)
    text.append("}\n")
  }

  private func append(_ exchange: ExchangeTally, _ text: inout TextBuffer) {
    text.member("requests", exchange.asked)
    text.member("answers", exchange.answered)
    text.member("errors", exchange.errors)
    text.member("unanswered", exchange.unanswered)
    text.member("unasked", exchange.unasked)
    append("latency", exchange.latencies, &text)
  }

  /// Nothing where nothing was measured.
  private func append(
    _ key: StaticString, _ latencies: Latencies, _ text: inout TextBuffer
  ) {
    if latencies.count == 0 { return }
    text.object(key) {
      $0.member("min", seconds: latencies.least)
      $0.member("p50", seconds: latencies.percentile(50))
      $0.member("p95", seconds: latencies.percentile(95))
      $0.member("p99", seconds: latencies.percentile(99))
      $0.member("max", seconds: latencies.greatest)
    }
  }

  private func begin(_ what: StaticString, _ text: inout TextBuffer) {
    text.append(#"{"event":"stats""#)
    text.member("of", word: what)
  }

  /// Text from the wire, by its number; 0 where there is none.
  private func append(_ key: StaticString, _ number: Int32, _ text: inout TextBuffer) {
    text.key(key)
    if number == 0 { text.append("null") } else { append(number, &text) }
  }

  /// Text from the wire.
  private func append(_ number: Int32, _ text: inout TextBuffer) {
    text.append(jsonString: statistics.texts[number])
  }

  private mutating func append(
    _ key: StaticString, _ instant: Instant, _ text: inout TextBuffer
  ) {
    text.member(key, instant, precision: statistics.precision, &time)
  }
}
