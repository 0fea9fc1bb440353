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
      for (reported, row, _) in pairs {
        let server = try #require(decoded.connections[reported.connection]).server
        let expected = oracle.expect(of: reported, body: row.message, server: server)
        let got = Oracle.Expected(
          subject: reported.subject, answers: reported.answers, carries: reported.carries)
        #expect(got == expected, "\(reported.line)")
      }
    }
  }

  @Test(arguments: Covered.all)
  func latencies(capture: Covered.Capture) throws {
    let decoded = try Decoded(capture: capture.file)
    var times: [Int: Int64] = [:]
    for reported in decoded.messages {
      let time = try #require(reported.time, "\(reported.line)")
      times[reported.index] = time
      guard let answered = reported.answers else {
        #expect(reported.latency == nil && reported.latencyAtMost == nil, "\(reported.line)")
        continue
      }
      let difference = time - (try #require(times[answered], "\(reported.line)"))
      if difference == 0 {
        #expect(reported.latency == nil, "\(reported.line)")
        #expect(
          reported.latencyAtMost == (capture.base == "lo-nanosecond" ? 1 : 1000), "\(reported.line)"
        )
      } else {
        // A negative one is none: packets of several interfaces may be out of order.
        #expect(reported.latency == (difference > 0 ? difference : nil), "\(reported.line)")
        #expect(reported.latencyAtMost == nil, "\(reported.line)")
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
      decoded.messages.filter { reported in
        reported.name == "RESULT" && !progressive.contains { $0.index == reported.index }
          || reported.name == "ERROR" && reported.body[1]?.natural == 48
      }.compactMap(\.answers))
    let calls = Set(decoded.messages.filter { $0.name == "CALL" }.map(\.index))
    #expect(ended.isSubset(of: calls))
    #expect(calls.count - ended.count == expected["unanswered_calls"]?.int)
    #expect(progressive.count == expected["progressive_results"]?.int)
  }
}
