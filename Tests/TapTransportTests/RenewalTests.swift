// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Connections with the ends of an earlier one, of which no SYN was captured.
@Suite struct RenewalTests {
  /// How the earlier one ended, where the later goes on from there, how long after, and whether it
  /// is another one.
  @Test(arguments: [
    ("closed", 500_000, 1, true), ("closed", -800, 1, true), ("closed", 0, 1, false),
    ("reset", 500_000, 1, true), ("open", 100_000_000, 3000, true),
    ("open", 3_000_000_000, 3000, true), ("open", 100_000_000, 1, false),
    ("open", 500_000, 3000, false),
  ])
  func head(_ end: String, _ jump: Int, _ wait: Int, _ isAnother: Bool) {
    for request in ["GET / HTTP/1.1", "something else"] {
      var talk = Conversation()
      var bench = TransportHarness()
      bench.show(talk.handshake())
      bench.show(talk.send(.toServer, octets("hello")))
      bench.show(talk.send(.toClient, octets("hello")))
      switch end {
      case "closed": bench.show([talk.fin(.toServer), talk.fin(.toClient)])
      case "reset": bench.show(talk.rst(.toClient))
      default: break
      }
      talk.advance(.toServer, jump)
      talk.advance(.toClient, jump)
      bench.show(talk.send(.toServer, octets(request)), after: Int64(wait))
      bench.show(talk.send(.toClient, octets("answer")))
      bench.finish()
      #expect(bench.isBalanced)
      let isNew = isAnother && request.hasPrefix("GET")
      #expect(bench.chooser.all.count == (isNew ? 2 : 1))
      guard isNew else { continue }
      #expect(
        bench.chooser.all[1].lines == [
          "toServer@0 \(request)", "toClient@0 answer", "endOfEvidence unknown",
        ])
      #expect(bench.recorder.codes.isEmpty)
    }
  }
}
