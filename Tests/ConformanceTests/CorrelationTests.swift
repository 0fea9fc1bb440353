// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// Subjects, answers and latencies are those that follow from what the endpoints wrote down.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct CorrelationTests {
  @Test(arguments: Covered.all)
  func subjectsAndAnswers(capture: Covered.Capture) throws {
    let decoded = try Decoded(capture: capture.file)
    for record in try Record.all(capture.base) {
      var oracle = Oracle()
      let pairs = Pairing(decoded, record).pairs
      #expect(pairs.count == capture.messages * capture.hops)
      for (told, row, _) in pairs {
        let server = try #require(decoded.connections[told.connection]).server
        let expected = oracle.expect(of: told, body: row.message, server: server)
        let got = Oracle.Expected(
          subject: told.subject, answers: told.answers, carries: told.carries)
        #expect(got == expected, "\(told.line)")
      }
    }
  }

  @Test(arguments: Covered.all)
  func latencies(capture: Covered.Capture) throws {
    let decoded = try Decoded(capture: capture.file)
    var times: [Int: Int64] = [:]
    for told in decoded.messages {
      let time = try #require(told.time, "\(told.line)")
      times[told.index] = time
      guard let answered = told.answers else {
        #expect(told.latency == nil && told.latencyAtMost == nil, "\(told.line)")
        continue
      }
      let difference = time - (try #require(times[answered], "\(told.line)"))
      if difference == 0 {
        #expect(told.latency == nil, "\(told.line)")
        #expect(
          told.latencyAtMost == (capture.base == "lo-nanosecond" ? 1 : 1000), "\(told.line)")
      } else {
        // A negative one is none: packets of several interfaces may be out of order.
        #expect(told.latency == (difference > 0 ? difference : nil), "\(told.line)")
        #expect(told.latencyAtMost == nil, "\(told.line)")
      }
    }
  }

  /// What was counted independently of every oracle here: calls, replies and what stays open.
  @Test(arguments: Covered.all)
  func callsWithoutAnswer(capture: Covered.Capture) throws {
    let path = try #require(Captures.truth(capture.base + ".expected.json"))
    let expected = try ValueReader.read(Captures.bytes(of: path))
    // The file of two hops has everything twice.
    guard capture.hops == 1 else { return }
    let decoded = try Decoded(capture: capture.file)
    let progressive = decoded.messages.filter {
      $0.name == "RESULT" && $0.body[2]?["progress"]?.isTrue == true
    }
    let ended = Set(
      decoded.messages.filter { told in
        told.name == "RESULT" && !progressive.contains { $0.index == told.index }
          || told.name == "ERROR" && told.body[1]?.natural == 48
      }.compactMap(\.answers))
    let calls = Set(decoded.messages.filter { $0.name == "CALL" }.map(\.index))
    #expect(ended.isSubset(of: calls))
    #expect(calls.count - ended.count == expected["unanswered_calls"]?.int)
    #expect(progressive.count == expected["progressive_results"]?.int)
  }
}
