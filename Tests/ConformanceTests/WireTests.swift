// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// Packets and times are those found byte by byte in the capture, apart from any decoder.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct WireTests {
  /// The covered captures that have a table of their packets.
  static let tabled = Covered.all.filter { Captures.truth($0.base + ".wire.jsonl") != nil }

  @Test func coverage() { #expect(Self.tabled.count >= 41) }

  @Test(arguments: tabled)
  func packetsAndTimes(capture: Covered.Capture) throws {
    let decoded = try Decoded(capture: capture.file)
    var rows: [String: [Value]] = [:]
    for line in try Captures.lines(of: try #require(Captures.truth(capture.base + ".wire.jsonl"))) {
      let row = try ValueReader.read(line)
      guard ["text", "binary"].contains(row["kind"]?.text) else { continue }
      let direction = row["dir"]?.text == "c2r" ? "toServer" : "toClient"
      rows[(row["conn"]?.text ?? "") + " " + direction, default: []].append(row)
    }
    #expect(rows.values.reduce(0) { $0 + $1.count } == capture.wired)
    var places: [String: Int] = [:]
    for reported in decoded.data {
      let connection = try #require(decoded.connections[reported.connection])
      let leg = connection.client + " " + reported.direction
      // The tables are of WebSocket.
      if rows[leg] == nil && capture.wired < capture.messages { continue }
      let place = places[leg, default: 0]
      places[leg] = place + 1
      let row = try #require(rows[leg].flatMap { place < $0.count ? $0[place] : nil }, "\(leg)")
      guard case .array(let packets)? = row["packets"] else { continue }
      #expect(reported.packet == packets.last?.int, "\(reported.line)")
      #expect(reported.body[0]?.natural == row["type"]?.natural, "\(reported.line)")
      // The record has doubles, which resolve 0.24 µs in our day.
      guard case .number(let last)? = row["t_last"] else { continue }
      let time = try #require(last.scaled(by: 9))
      #expect(abs(try #require(reported.time) - time) <= 240, "\(reported.line)")
    }
    #expect(places.values.reduce(0, +) == capture.wired)
  }

  @Test(arguments: tabled)
  func roundTrips(capture: Covered.Capture) throws {
    let path = try #require(Captures.truth(capture.base + ".expected.json"))
    let expected = try ValueReader.read(Captures.bytes(of: path))
    let wanted = try #require(expected["wire_call_rtt"])
    let decoded = try Decoded(capture: capture.file)
    var trips: [Int64] = []
    for reported in decoded.messages {
      let isFinal = reported.name == "RESULT" && reported.body[2]?["progress"]?.isTrue != true
      let isError = reported.name == "ERROR" && reported.body[1]?.natural == 48
      if isFinal || isError {
        trips.append(reported.latency ?? (reported.latencyAtMost == nil ? -1 : 0))
      }
    }
    trips.sort()
    #expect(trips.count == wanted["n"]?.int)
    guard !trips.isEmpty else { return }
    let middle = (trips[(trips.count - 1) / 2] + trips[trips.count / 2]) / 2
    for (name, got) in [("min_ms", trips[0]), ("median_ms", middle), ("max_ms", trips.last!)] {
      guard case .number(let digits)? = wanted[name] else {
        Issue.record("no \(name)")
        continue
      }
      // Rounded to the microsecond, from doubles.
      let wanted = try #require(digits.scaled(by: 6))
      #expect(abs(got - wanted) <= 1000, "\(name): \(got) ns where \(wanted) were measured")
    }
  }
}
