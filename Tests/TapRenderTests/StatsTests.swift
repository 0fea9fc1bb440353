// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapRender

@Suite struct StatsTests {
  private static let second: Int64 = 1_000_000_000

  private func empty(rows: Int = 1000) -> Statistics {
    var limits = Limits()
    limits.statisticsRows = rows
    return Statistics(limits: limits)
  }

  /// One message about a subject, which has a number, and what is known beside it.
  private func report(
    _ statistics: inout Statistics, _ name: StaticString, _ links: [Link] = [],
    subject: Int32 = 0, _ change: (inout TestMessage) -> Void = { _ in }
  ) {
    var said = TestMessage([], name, links)
    change(&said)
    said.bytes = Array(said.reason.utf8)
    said.time = said.time ?? 0
    var joined = said.joined(index: 1)
    joined.subject = subject
    let about = Array(said.subject.utf8)
    let view = MessageView(joined, said.bytes.span.bytes, Span(), subject: about.span.bytes)
    statistics.message(said.message, view)
    statistics.weigh(Detail(isMasked: false), joined)
  }

  private func open(
    _ statistics: inout Statistics, _ connection: UInt32, at time: Int64, client: UInt8 = 7
  ) {
    let opening = Opening(
      .webSocket, client: Endpoint(address: [10, 0, 0, client], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: true)
    statistics.opened(opening, connection, Origin(time: Instant(nanoseconds: time)))
  }

  private func close(_ statistics: inout Statistics, _ connection: UInt32, at time: Int64) {
    statistics.closed(
      Closing(isReset: true), connection, Origin(time: Instant(nanoseconds: time)))
  }

  @Test(arguments: [1, 2, 100, 128, 129, 1000, 20_000])
  func percentiles(count: Int) {
    var latencies = Latencies()
    // In an order that is not that of size.
    for number in 0..<count { latencies.record(Int64((number * 7919) % count + 1) * 1_000_000) }
    #expect(latencies.count == UInt64(count))
    #expect(latencies.least == 1_000_000)
    #expect(latencies.greatest == Int64(count) * 1_000_000)
    for percent in [50, 95, 99] {
      let exact = Double((count * percent + 99) / 100 * 1_000_000)
      let reported = Double(latencies.percentile(percent))
      #expect(
        count <= 128 ? reported == exact : abs(reported - exact) <= exact / 500, "p\(percent)")
    }
  }

  @Test func latenciesOfAnySize() {
    var latencies = Latencies()
    #expect(latencies.percentile(50) == 0)
    for _ in 0..<200 { latencies.record(.max) }
    for _ in 0..<100 { latencies.record(0) }
    latencies.record(-5)
    #expect(latencies.count == 301)
    #expect((latencies.least, latencies.greatest) == (0, .max))
    #expect(latencies.percentile(1) == 0)
    #expect(latencies.percentile(99) == .max)
  }

  @Test func exchanges() {
    var statistics = empty()
    func call(_ key: UInt64) -> [Link] { [link("request", key)] }
    func answer(_ key: UInt64) -> [Link] { [link("request", key, .answers)] }
    report(&statistics, "CALL", call(1), subject: 1) { $0.subject = "com.a" }
    report(&statistics, "CALL", call(2), subject: 1) { $0.subject = "com.a" }
    // Once more while open: part of the same call.
    report(&statistics, "CALL", call(2), subject: 1) { $0.subject = "com.a" }
    report(&statistics, "CALL", call(3), subject: 1) { $0.subject = "com.a" }
    report(&statistics, "RESULT", [link("request", 1, .continues)], subject: 1) {
      $0.subject = "com.a"
      $0.latency = 1
    }
    report(&statistics, "RESULT", answer(1), subject: 1) {
      $0.subject = "com.a"
      $0.latency = 5
    }
    report(&statistics, "ERROR", answer(2), subject: 1) {
      $0.subject = "com.a"
      $0.latency = 9
      $0.traits = .isFailure
      $0.reason = "com.no"
    }
    // Of another session, and answered by nobody.
    report(&statistics, "RESULT", answer(3)) { $0.session = 1 }
    report(&statistics, "RESULT", answer(3)) { $0.connection = 2 }
    let row = statistics.subjects.first { $0.subject != 0 }
    let exchange = statistics.exchanges[row!.exchange!]
    #expect(row!.messages == 4)
    #expect((exchange.asked, exchange.answered, exchange.errors) == (3, 2, 1))
    #expect(exchange.unanswered == 1)
    #expect((exchange.latencies.count, exchange.latencies.greatest) == (2, 9))
    #expect(statistics.reasons.map(\.messages) == [1])
  }

  @Test("who asks for no answer does not wait for one") func unasked() {
    var statistics = empty()
    for key in 1...3 as ClosedRange<UInt64> {
      report(&statistics, "PUBLISH", [link("request", key)], subject: 1) {
        $0.subject = "com.a"
        $0.traits = key == 1 ? [] : .asksNothing
      }
    }
    #expect(statistics.exchanges.map(\.asked) == [1])
    #expect(statistics.exchanges.map(\.unanswered) == [1])
    report(&statistics, "PUBLISHED", [link("request", 1, .answers)])
    #expect(statistics.exchanges.map(\.answered) == [1])
    #expect(statistics.exchanges.map(\.unanswered) == [0])
  }

  @Test("a ping that is sent again stays unanswered") func restarts() {
    var statistics = empty()
    for direction in [Direction.toServer, .toServer, .toClient] {
      report(&statistics, "PING", [link("", direction == .toServer ? 1 : 0, .restarts)]) {
        $0.traits = .isControl
        $0.direction = direction
      }
    }
    report(&statistics, "PONG", [link("", 1, .answers)]) {
      $0.latency = 3
      $0.traits = .isControl
    }
    #expect(statistics.pings.map(\.direction) == [.toServer, .toClient])
    #expect(statistics.exchanges.map(\.begun) == [2, 1])
    #expect(statistics.exchanges.map(\.unanswered) == [1, 1])
    #expect(statistics.subjects.isEmpty)
  }

  @Test func reconnects() {
    var statistics = empty()
    let gaps: [Int64] = [1, 2, 4, 8]
    var time: Int64 = 0
    for (number, gap) in (gaps + [0]).enumerated() {
      open(&statistics, UInt32(number) + 1, at: time * Self.second)
      // Another client is no reconnect.
      if number == 0 { open(&statistics, 100, at: 0, client: 8) }
      close(&statistics, UInt32(number) + 1, at: (time + 10) * Self.second)
      time += 10 + gap
    }
    #expect(statistics.clients.map(\.connections) == [5, 1])
    #expect(statistics.clients[0].gaps == gaps.map { $0 * Self.second })
    #expect(statistics.clients[1].gaps == [])
    #expect(statistics.sessions.filter { $0.end == .reset }.count == 5)
    #expect(statistics.sessions[0].duration == 10 * Self.second)
  }

  @Test("what has no row is summed") func limits() {
    var statistics = empty(rows: 2)
    for number in 1...5 as ClosedRange<Int32> {
      open(&statistics, UInt32(number), at: 0, client: UInt8(number))
      report(&statistics, "CALL", [link("request", 1)], subject: number) {
        $0.subject = "com.\(number)"
        $0.connection = UInt32(number)
      }
      report(&statistics, "PING", [link("", 1, .restarts)]) {
        $0.connection = UInt32(number)
        $0.traits = .isControl
      }
      report(&statistics, "ERROR", [link("request", 1, .answers)], subject: number) {
        $0.subject = "com.\(number)"
        $0.connection = UInt32(number)
        $0.traits = .isFailure
        $0.reason = "no.\(number)"
      }
    }
    #expect(statistics.subjects.map(\.messages) == [1, 1, 8])
    #expect(statistics.subjects.map { $0.kind == nil } == [false, false, true])
    #expect(statistics.sessions.map(\.messages) == [3, 3, 9])
    #expect(statistics.clients.map(\.connections) == [1, 1, 3])
    #expect(statistics.reasons.map(\.messages) == [1, 1, 3])
    #expect(statistics.pings.map(\.connection) == [1, 2, 0])
    #expect(statistics.exchanges.reduce(0) { $0 + $1.begun } == 10)
    #expect(statistics.exchanges.reduce(0) { $0 + $1.errors } == 5)
  }

  @Test("a second session has a row of its own") func sessions() {
    var statistics = empty()
    open(&statistics, 1, at: 0)
    report(&statistics, "HELLO") { $0.time = 1 }
    report(&statistics, "HELLO") {
      $0.session = 1
      $0.time = 5
    }
    close(&statistics, 1, at: 9)
    #expect(statistics.sessions.map(\.number) == [0, 1])
    #expect(statistics.sessions.map(\.end) == [.followed, .reset])
    #expect(statistics.sessions.map(\.duration) == [5, 4])
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (12_345, "12.3 kB"), (999_499, "999 kB"),
      (999_500, "1.00 MB"), (1 << 40, "1.10 TB"), (.max, "18,446,744 TB"),
    ] as [(UInt64, String)])
  func bytes(count: UInt64, expected: String) { #expect(Quantity.bytes(count) == expected) }

  @Test(
    arguments: [
      (5, nil, ""), (5, 0, ""), (5, second, "5.00"), (1, 3 * second, "0.33"),
      (100_000, second, "100,000"), (.max, 1, "1,000,000,000,000,000,000"),
    ] as [(UInt64, Int64?, String)])
  func rate(count: UInt64, nanoseconds: Int64?, expected: String) {
    #expect(Quantity.rate(count, over: nanoseconds) == expected)
  }

  @Test(
    arguments: [
      (0, "< 1 µs"), (1_890_000, "1.89 ms"), (599 * second, "599 s"), (600 * second, "10.0 min"),
      (7200 * second, "2.00 h"),
    ] as [(Int64, String)])
  func duration(nanoseconds: Int64, expected: String) {
    #expect(Quantity.duration(nanoseconds, 6) == expected)
  }

  @Test(arguments: [20, 40, 80, nil] as [Int?])
  func widths(width: Int?) {
    var table = StatsTable("URIs", [.text(""), .number("n"), .text("extra", isExtra: true)])
    table.append(["com.example.a.very.long.name.of.a.topic", "1", "x"])
    table.append(["com.b", "1,000", "y"])
    var text = TextBuffer(capacity: 0)
    table.append(to: &text, width: width, Style(isColored: false))
    let lines = Quantity.string(text).split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines { #expect(line.count <= width ?? .max) }
    #expect(lines[2].contains("1,000"))
    #expect(lines[1].contains("topic"))
    #expect(lines[1].contains("com.example") == (width ?? 80 >= 80))
    #expect(lines[0].contains("extra") == (width == nil))
  }

  @Test("text of the wire cannot drive the terminal") func hostile() {
    var renderer = StatsRenderer.tables(StatsRenderer.Options())
    var text = TextBuffer(capacity: 0)
    let about = Array("com.\u{1B}[31mred".utf8)
    let reason = Array("no\u{202E}on".utf8)
    var message = Message("wamp", "ERROR", Origin())
    (message.traits, message.reason) = (.isFailure, ByteRange(0, reason.count))
    var joined = Joined(index: 1)
    joined.subject = 1
    let view = MessageView(joined, reason.span.bytes, Span(), subject: about.span.bytes)
    _ = renderer.message(message, view, into: &text)
    renderer.summary(Summary(), into: &text)
    let shown = Quantity.string(text)
    #expect(shown.contains("red"))
    #expect(!shown.contains("\u{1B}") && !shown.contains("\u{202E}"))
  }
}
