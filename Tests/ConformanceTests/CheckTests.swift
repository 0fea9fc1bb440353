// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapCheck
import TapFilter
import TapTesting
import TapTraffic
import Testing

/// What a real capture keeps, a damaged copy of it does not break: a verdict becomes inconclusive.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct CheckTests {
  /// Copies of each capture and kind of damage; `$WAMPTAP_DAMAGES` makes more.
  static let copies: UInt64 =
    ProcessInfo.processInfo.environment["WAMPTAP_DAMAGES"].flatMap(UInt64.init) ?? 3

  static let captures = [
    "net-clean-clientside.pcap", "wamp-rpc-basic.pcap", "wamp-auth-ticket.pcap",
    "mqtt-ws-mqttjs.pcap", "stomp-heartbeat.pcap", "jsonrpc2-ws.pcap",
  ]

  private static let words: Vocabulary = {
    var words = Vocabulary()
    let names = [
      "HELLO", "WELCOME", "CALL", "RESULT", "EVENT", "PUBLISH", "PUBLISHED", "ABORT", "ERROR",
      "GOODBYE", "SUBSCRIBE", "SUBACK", "CONNECT", "CONNECTED", "request", "response",
    ]
    words.messages = names.map { Vocabulary.Message(name: $0, title: "") }
    return words
  }()

  private static func filter(_ text: String) throws -> Filter { try Filter(text, words) }

  /// Promises of all forms; each capture keeps some of them.
  private static func expectations() throws -> [TapCheck.Expectation] {
    let place = TapCheck.Expectation.SourceLine(file: "", line: 1)
    func make(
      _ form: TapCheck.Expectation.Form, _ filters: String...,
      per: TapCheck.Expectation.Grouping? = nil
    ) throws -> TapCheck.Expectation {
      TapCheck.Expectation(
        name: "\(form.key) \(filters.joined(separator: ", ")) \(per?.rawValue ?? "")", form,
        try filters.map { try filter($0) }, per: per, at: place)
    }
    let slow = LatencyBound(.max, .lessOrEqual, 5_000_000_000)
    return [
      try make(.each(within: nil), "CALL"), try make(.each(within: 2_000_000_000), "CALL"),
      try make(.each(within: nil), "SUBSCRIBE"), try make(.each(within: nil), "CONNECT"),
      try make(.each(within: 2_000_000_000), "PUBLISH"), try make(.each(within: nil), "not #77"),
      try make(.count(CountBounds(least: 1)), "EVENT"),
      try make(.count(CountBounds(least: 5)), "direction == toServer"),
      try make(.count(CountBounds(least: 1)), "HELLO", per: .session),
      try make(.count(CountBounds(least: 2)), "not CALL", per: .connection),
      try make(.count(CountBounds(most: 200)), "EVENT"),
      try make(.count(CountBounds(least: 82, most: 82)), "EVENT"),
      try make(.none, "ABORT"), try make(.none, "failed"),
      try make(.none, "subject == com.never.heard.of"),
      try make(.latency([slow], least: 1), "RESULT"),
      try make(.latency([slow], least: 2), "latency >= 0s"),
      try make(.inOrder(within: nil), "HELLO", "WELCOME", per: .session),
      try make(.inOrder(within: 9_000_000_000), "HELLO", "WELCOME", "GOODBYE", per: .session),
      try make(.inOrder(within: nil), "SUBSCRIBE", "SUBACK", per: .connection),
    ]
  }

  private static func results(
    _ pieces: [[UInt8]], _ expectations: [TapCheck.Expectation]
  ) -> [CheckResult] {
    var plan = CheckRun.Plan()
    plan.expectations = expectations
    plan.failOn = nil
    let run = CheckRun(plan, inputs: ["test.pcap"], limits: Limits(), zone: { _ in 0 })
    _ = Decoded.render(pieces, run.renderer { _, _ in })
    return Array(run.report.results.prefix(expectations.count))
  }

  @Test("a damaged copy does not break what the whole keeps", arguments: captures)
  func damage(_ name: String) throws {
    let file = try Captures.bytes(of: Captures.path(name))
    let capture = try PcapFile.read(file).file
    let all = try Self.expectations()
    let kept = zip(all, Self.results([file], all)).filter { $0.1.verdict == .pass }.map(\.0)
    #expect(kept.count >= 6, "\(name) keeps too few of them")
    for damage in PcapFile.Damage.allCases {
      for seed in 1...Self.copies {
        var random = Seeded(seed)
        let damaged = capture.damaged(damage, &random)
        for result in Self.results([damaged.bytes], kept) {
          // Where nothing is left of all that was said, nothing is checked.
          let isLeft = result.verdict != .nothing || damaged.packets.count > 10
          #expect(
            result.verdict == .pass || result.verdict == .inconclusive || !isLeft,
            "\(damage) \(seed): \(result.name): \(result.verdict): \(result.reason)")
        }
      }
    }
  }

  @Test("a lost packet does not mend what the whole breaks", arguments: captures)
  func loss(_ name: String) throws {
    let file = try Captures.bytes(of: Captures.path(name))
    let capture = try PcapFile.read(file).file
    let all = try Self.expectations()
    let broken = zip(all, Self.results([file], all)).filter { $0.1.verdict == .fail }
    for seed in 1...Self.copies * 3 {
      var random = Seeded(seed)
      var damaged = capture
      // Neither the first packets nor the last: what was not captured there, nobody can miss.
      let range = damaged.packets.count / 4..<damaged.packets.count * 3 / 4
      damaged.packets.remove(at: Int.random(in: range, using: &random))
      for result in Self.results([damaged.bytes], broken.map(\.0)) {
        #expect(
          result.verdict != .pass && result.verdict != .nothing,
          "\(seed): \(result.name): \(result.verdict): \(result.reason)")
      }
    }
  }
}
