// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Heart-beats of SockJS") struct SockJSHeartbeatTests {
  /// In seconds; a heart-beat is negative.
  static let courses: [(sent: [Int64], late: [Int64])] = [
    // The server beats when it has sent nothing for 25 s.
    ([0, -25, -50, -75, 145], [145]),
    ([0, -25, 40, 60, -85, -110, 159, 170, 240], [240]),
    // It beats every 25 s.
    ([0, 24, -25, 49, -50, -75, -100], []),
    ([0, 24, -25, 49, -50, -75, -160, -185], [160]),
    // One of its beats was held up on its way.
    ([0, -25, -74, -75, -100, -125], []),
    // Nothing is known before the second.
    ([0, -25, 200], []), ([0, 100, -101, -300], []),
  ]

  @Test("a server is late by its own interval", arguments: courses)
  func late(_ sent: [Int64], _ late: [Int64]) {
    var heartbeat = SockJSHeartbeat()
    let found = sent.filter {
      let time = Instant(nanoseconds: abs($0) * 1_000_000_000)
      return heartbeat.look(at: time, isBeat: $0 < 0) != nil
    }
    #expect(found.map(abs) == late)
  }
}
