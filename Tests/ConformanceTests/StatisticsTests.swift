// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDumps
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// What statistics count is what was counted independently of this program.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct StatisticsTests {
  /// The rows that statistics print of a capture.
  private func rows(_ name: String) throws -> [Value] {
    let text = try Decoded.render(
      [Captures.bytes(of: Captures.path(name))], StatsRenderer.ndjson(),
      keyLog: Captures.keyLog(of: name))
    return try text.split(separator: 0x0A).map { try ValueReader.read(Array($0)) }
  }

  /// Summed over the rows of a type.
  private func sum(_ key: String, of name: String, _ rows: [Value]) -> Int {
    rows.filter { $0["of"]?.text == "uri" && $0["name"]?.text == name }
      .reduce(0) { $0 + ($1[key]?.int ?? 0) }
  }

  private static let captures = Covered.all.filter {
    // The records of RawSocket have no times of the wire, and its bytes are not reported as frames.
    $0.hops == 1 && $0.base != "wamp-two-legs" && !$0.base.contains("rawsocket")
  }

  @Test(arguments: captures)
  func counts(capture: Covered.Capture) throws {
    let path = try #require(Captures.truth(capture.base + ".expected.json"))
    let expected = try ValueReader.read(Captures.bytes(of: path))
    let rows = try rows(capture.file)
    #expect(sum("unanswered", of: "CALL", rows) == expected["unanswered_calls"]?.int)
    #expect(sum("unanswered", of: "INVOCATION", rows) == expected["unanswered_invocations"]?.int)
    #expect(sum("unanswered", of: "PUBLISH", rows) == expected["unacknowledged_publishes"]?.int)
    let acknowledged = sum("answers", of: "PUBLISH", rows) - sum("errors", of: "PUBLISH", rows)
    #expect(acknowledged == expected["publish_ack_rtt"]?["n"]?.int)
    guard case .object(let types)? = expected["by_type"] else { return }
    for type in types {
      let parts = String(decoding: type.key, as: UTF16.self).split(separator: ".")
      // A code that no message has is reported as UNKNOWN.
      if parts[1].hasPrefix("type") { continue }
      let row = rows.first {
        $0["of"]?.text == "type" && $0["name"]?.text == String(parts[1])
      }
      #expect(row?[parts[0] == "c2r" ? "toServer" : "toClient"]?.int == type.value.int)
    }
  }

  @Test(arguments: captures)
  func latencies(capture: Covered.Capture) throws {
    let path = try #require(Captures.truth(capture.base + ".expected.json"))
    let expected = try ValueReader.read(Captures.bytes(of: path))
    guard let wire = expected["wire_call_rtt"], let count = wire["n"]?.int else { return }
    let rows = try rows(capture.file)
    #expect(sum("answers", of: "CALL", rows) == count)
    if count == 0 { return }
    let calls = rows.filter { $0["name"]?.text == "CALL" && $0["latency"] != nil }
    let least = calls.compactMap { $0["latency"]?["min"]?.nanoseconds }.min()
    let greatest = calls.compactMap { $0["latency"]?["max"]?.nanoseconds }.max()
    // Milliseconds with three digits, cut or rounded.
    for (value, key) in [(least, "min_ms"), (greatest, "max_ms")] {
      let micros = try #require(wire[key]?.nanoseconds) / 1_000_000
      #expect(abs(try #require(value) / 1000 - micros) <= 1)
    }
  }

  @Test(arguments: captures)
  func bytes(capture: Covered.Capture) throws {
    let rows = try rows(capture.file)
    let total = try #require(rows.first { $0["of"]?.text == "total" }?["bytes"]?.int)
    let reported = rows.last?["bytes"]?["told"]?.int
    #expect(total == reported)
    for kind in ["type", "session"] {
      let parts = rows.filter { $0["of"]?.text == kind }
      #expect(parts.reduce(0) { $0 + ($1["bytes"]?.int ?? 0) } == total, "\(kind)")
    }
  }
}
