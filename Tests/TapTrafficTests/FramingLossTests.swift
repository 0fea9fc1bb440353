// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

/// How many messages a gap is said to have swallowed.
@Suite("Losses of frames") struct FramingLossTests {
  @Test(arguments: [
    // A hundred messages of 50 bytes were seen.
    (200, 0, 100, 4, false), (180, 20, 100, 4, false), (20, 380, 100, 8, false),
    // The gap ends within a message that is larger than it, and much larger than those seen.
    (1400, 44_688, 100, 1, true), (20, 450, 100, 1, true),
    // The gap is larger than what follows of the message that ends behind it.
    (1400, 1000, 100, 48, false),
    // Too little was seen for a gap of this size.
    (1400, 0, 3, 1, true), (1400, 0, 0, 1, true), (7, 0, 0, 1, false),
  ])
  func estimates(missing: Int, skipped: Int, messages: Int, lost: UInt64, mayBeMore: Bool) {
    var seen = FramingLoss.Seen()
    (seen.messages, seen.bytes) = (messages, 50 * messages)
    var finding = Finding("websocket.resynchronised", .warning, Origin(), "")
    let word = FramingLoss(missing).estimate(skipped: skipped, seen, in: &finding)
    #expect(finding.lostMessages == lost)
    #expect(finding.mayHaveLostMore == mayBeMore)
    #expect("\(word)" == (mayBeMore ? "at least" : "about"))
  }
}
