// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Heart-beats of STOMP") struct STOMPHeartBeatsTests {
  @Test("frames that are told late say nothing of silence") func heldFrames() {
    let recorder = Recorder()
    var beats = STOMPHeartBeats()
    beats.connect((1000, 1000))
    beats.agree((1000, 1000))
    func delivery(_ milliseconds: Int64) -> Delivery {
      let time = Instant(nanoseconds: milliseconds * 1_000_000)
      return Delivery(Origin(time: time, record: 1, flow: 1, direction: .toClient))
    }
    for time in [5, 3, 6] as [Int64] { beats.isAlive(delivery(time).origin, recorder) }
    beats.finish(.closed, by: .toClient, delivery(6), recorder)
    #expect(recorder.findings.last?.text.contains("0 sent, longest silence 0.001 s") == true)
  }
}
