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
    append(time: "from", statistics.first, &text)
    append(time: "to", statistics.last, &text)
    append(seconds: "seconds", statistics.span, &text)
    append("messages", summary.messages, &text)
    append("bytes", statistics.bytes, &text)
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
      text.append(#","reason":"#)
      if row.text < 0 { text.append("null") } else { append(row.text, &text) }
      append("messages", row.messages, &text)
      text.append("}\n")
    }
    for row in statistics.sessions { append(row, &text) }
    clients(&text)
    pings(&text)
    for row in statistics.keepAlives { append(row, &text) }
    for row in statistics.codes {
      begin("finding", &text)
      append("code", Symbol(row.code.text), &text)
      append("severity", Symbol(row.severity.name), &text)
      append("findings", row.findings, &text)
      text.append("}\n")
    }
  }

  private mutating func append(
    _ what: StaticString, _ row: SingleExchange, _ text: inout TextBuffer
  ) {
    begin(what, &text)
    append(text: "subject", row.subject, &text)
    append("name", statistics.kinds[row.kind].name, &text)
    append(connection: row.connection, &text)
    append("request", row.request, &text)
    append(time: "time", row.time, &text)
    text.append(#","latency":"#)
    let isExact = row.latency >= 0 && Joined.most(row.latency, precision: row.precision) == nil
    if isExact { append(row.latency, &text) } else { text.append("null") }
    if row.latency >= 0, let most = Joined.most(row.latency, precision: row.precision) {
      text.append(#","latencyAtMost":"#)
      append(Int64(clamping: most), &text)
    }
    text.append(row.isFailure ? #","failed":true"# : #","failed":false"#)
    if row.reason != 0 {
      text.append(#","error":"#)
      append(row.reason, &text)
    }
    text.append(#","messages":["#)
    if let asked = row.asked {
      text.append(decimal: asked.index)
      text.append(",")
    }
    text.append(decimal: row.answered.index)
    text.append("]")
    for (key, place) in [("asked", row.asked), ("origin", row.answered)] {
      guard let place else { continue }
      text.append(",\"")
      text.append(key)
      text.append(#"":{"input":"#)
      let input = Int(place.input)
      text.append(jsonString: input < inputs.count ? inputs[input] : "")
      if place.record > 0 { append(place.isLine ? "line" : "packet", place.record, &text) }
      text.append("}")
    }
    text.append("}\n")
  }

  private func kinds(_ text: inout TextBuffer) {
    for row in statistics.kinds {
      begin("type", &text)
      append("protocol", Symbol(row.dialect), &text)
      append("name", row.name, &text)
      append("messages", row.messages, &text)
      append("toServer", row.toServer, &text)
      append("toClient", row.toClient, &text)
      append("bytes", row.bytes, &text)
      text.append("}\n")
    }
  }

  private func subjects(_ text: inout TextBuffer) {
    for row in statistics.subjects {
      begin("uri", &text)
      append(text: "subject", row.subject, &text)
      if let kind = row.kind {
        append("name", statistics.kinds[kind].name, &text)
      } else {
        text.append(#","name":null"#)
      }
      append("messages", row.messages, &text)
      append("bytes", row.bytes, &text)
      if let exchange = row.exchange { append(statistics.exchanges[exchange], &text) }
      text.append("}\n")
    }
  }

  private mutating func append(_ row: SessionTally, _ text: inout TextBuffer) {
    begin("session", &text)
    append(connection: row.connection, &text)
    append("number", UInt64(row.number) + 1, &text)
    append(endpoint: "client", row.client, &text)
    append(endpoint: "server", row.server, &text)
    append(text: "realm", row.realm, &text)
    append("session", row.id, &text)
    append(time: "from", row.began, &text)
    append(time: "to", row.ended, &text)
    append(seconds: "seconds", row.duration, &text)
    append("messages", row.messages, &text)
    append("bytes", row.bytes, &text)
    append("errors", row.errors, &text)
    text.append(#","end":"#)
    switch row.end {
    case .open: text.append(row.isRest || row.connection == 0 ? "null" : #""unfinished""#)
    case .followed: text.append(#""followed""#)
    case .reset: text.append(#""reset""#)
    case .cut: text.append(#""cut""#)
    case .ended: text.append(#""ended""#)
    case .closed(let code, let by):
      text.append(#""closed""#)
      append("code", code.map { UInt64($0) }, &text)
      append(by: by, &text)
    }
    text.append("}\n")
  }

  private func clients(_ text: inout TextBuffer) {
    for row in statistics.clients {
      begin("client", &text)
      text.append(#","client":"#)
      if let peers = row.peers {
        text.append(jsonString: StatsText.address(peers))
      } else {
        text.append("null")
      }
      append(endpoint: "server", row.peers?.server ?? .unknown, &text)
      append("connections", row.connections, &text)
      append("refused", row.refused, &text)
      append("reconnects", row.reconnects.count, &text)
      text.append(#","gaps":["#)
      for (place, gap) in row.gaps.enumerated() {
        if place > 0 { text.append(",") }
        append(gap, &text)
      }
      text.append("]")
      append("gap", row.reconnects, &text)
      text.append("}\n")
    }
  }

  private func pings(_ text: inout TextBuffer) {
    for row in statistics.pings {
      begin("ping", &text)
      append(connection: row.connection, &text)
      append(by: row.direction, &text)
      append(statistics.exchanges[row.exchange], &text)
      text.append("}\n")
    }
  }

  private func append(_ row: KeepAliveTally, _ text: inout TextBuffer) {
    begin("keepAlive", &text)
    append(connection: row.connection, &text)
    append(by: row.side.direction, &text)
    if row.connection > 0 {
      append("protocol", Symbol(row.side.dialect), &text)
      append(seconds: "every", row.side.interval, &text)
    }
    append("sent", row.side.signals, &text)
    append(seconds: "silence", row.side.longestSilence, &text)
    append("missed", row.side.missed, &text)
    text.append("}\n")
  }

  private func append(_ exchange: ExchangeTally, _ text: inout TextBuffer) {
    append("requests", exchange.asked, &text)
    append("answers", exchange.answered, &text)
    append("errors", exchange.errors, &text)
    append("unanswered", exchange.unanswered, &text)
    append("unasked", exchange.unasked, &text)
    append("latency", exchange.latencies, &text)
  }

  /// Nothing where nothing was measured.
  private func append(
    _ key: StaticString, _ latencies: Latencies, _ text: inout TextBuffer
  ) {
    if latencies.count == 0 { return }
    text.append(",\"")
    text.append(key)
    text.append(#"":{"min":"#)
    append(latencies.least, &text)
    text.append(#","p50":"#)
    append(latencies.percentile(50), &text)
    text.append(#","p95":"#)
    append(latencies.percentile(95), &text)
    text.append(#","p99":"#)
    append(latencies.percentile(99), &text)
    text.append(#","max":"#)
    append(latencies.greatest, &text)
    text.append("}")
  }

  private func begin(_ what: StaticString, _ text: inout TextBuffer) {
    text.append(#"{"event":"stats","of":""#)
    text.append(what)
    text.append("\"")
  }

  private func append(_ key: StaticString, _ value: UInt64?, _ text: inout TextBuffer) {
    text.append(",\"")
    text.append(key)
    text.append("\":")
    if let value { text.append(decimal: value) } else { text.append("null") }
  }

  private func append(_ key: StaticString, _ value: Symbol, _ text: inout TextBuffer) {
    text.append(",\"")
    text.append(key)
    text.append("\":\"")
    text.append(symbol: value)
    text.append("\"")
  }

  private func append(by side: Direction, _ text: inout TextBuffer) {
    switch side {
    case .toServer: text.append(#","by":"client""#)
    case .toClient: text.append(#","by":"server""#)
    case .unknown: text.append(#","by":null"#)
    }
  }

  /// Text from the wire, by its number; 0 where there is none.
  private func append(text key: StaticString, _ number: Int32, _ text: inout TextBuffer) {
    text.append(",\"")
    text.append(key)
    text.append("\":")
    if number == 0 { text.append("null") } else { append(number, &text) }
  }

  /// Text from the wire.
  private func append(_ number: Int32, _ text: inout TextBuffer) {
    text.append(jsonString: statistics.texts[number])
  }

  private func append(connection: UInt32, _ text: inout TextBuffer) {
    append("connection", connection == 0 ? nil : UInt64(connection), &text)
  }

  private func append(
    endpoint key: StaticString, _ endpoint: Endpoint, _ text: inout TextBuffer
  ) {
    text.append(",\"")
    text.append(key)
    text.append("\":")
    if !endpoint.isKnown { return text.append("null") }
    text.append("\"")
    endpoint.append(to: &text)
    text.append("\"")
  }

  private mutating func append(
    time key: StaticString, _ instant: Instant, _ text: inout TextBuffer
  ) {
    text.append(",\"")
    text.append(key)
    text.append("\":")
    guard instant.isKnown else { return text.append("null") }
    text.append("\"")
    time.append(utc: instant, precision: statistics.precision, to: &text)
    text.append("\"")
  }

  private func append(
    seconds key: StaticString, _ nanoseconds: Int64?, _ text: inout TextBuffer
  ) {
    text.append(",\"")
    text.append(key)
    text.append("\":")
    if let nanoseconds { append(nanoseconds, &text) } else { text.append("null") }
  }

  /// Seconds.
  private func append(_ nanoseconds: Int64, _ text: inout TextBuffer) {
    TimeText.append(seconds: nanoseconds, precision: 9, columns: 0, to: &text)
    TextLayout.removeTrailingZeros(&text)
  }
}
