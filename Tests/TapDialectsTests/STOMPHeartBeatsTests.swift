// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Heart-beats of STOMP") struct STOMPHeartBeatsTests {
  /// The client speaks each half second, the server at these milliseconds.
  private func findings(server: [Int64], gap: Int64? = nil, end: Int64) -> [String] {
    let recorder = Recorder()
    var beats = STOMPHeartBeats()
    beats.connect((500, 500))
    beats.agree((500, 500))
    for time in Swift.stride(from: 0, through: end, by: 100) as StrideThrough<Int64> {
      var origin = Origin(
        time: Instant(nanoseconds: 1 + time * 1_000_000), record: 1, flow: 1, direction: .toServer)
      if time % 500 == 0 { beats.noteActivity(origin, recorder) }
      if gap == time { beats.miss() }
      origin.direction = .toClient
      if server.contains(time) { beats.noteActivity(origin, recorder) }
      if time == end { beats.finish(.endOfEvidence, by: .unknown, Delivery(origin), recorder) }
    }
    return recorder.findings.filter { $0.severity > .note }.map {
      String($0.text.prefix { $0 != ";" })
    }
  }

  @Test("a silence is reported when it has ended, unless something of it was not captured")
  func silence() {
    let text = "the server was silent for 1.600 s"
    #expect(findings(server: [0, 1600, 2000], end: 2500) == [text])
    #expect(findings(server: [0, 1600, 2000], gap: 1600, end: 2500) == [])
    #expect(findings(server: [0], end: 1600) == [text])
    #expect(findings(server: [0, 900, 1800], end: 2500) == [])
  }

  @Test("frames that are reported late say nothing of silence") func heldFrames() {
    let recorder = Recorder()
    var beats = STOMPHeartBeats()
    beats.connect((1000, 1000))
    beats.agree((1000, 1000))
    func delivery(_ milliseconds: Int64) -> Delivery {
      let time = Instant(nanoseconds: milliseconds * 1_000_000)
      return Delivery(Origin(time: time, record: 1, flow: 1, direction: .toClient))
    }
    for time in [5, 3, 6] as [Int64] { beats.noteActivity(delivery(time).origin, recorder) }
    beats.finish(.closed, by: .toClient, delivery(6), recorder)
    #expect(recorder.findings.last?.text.contains("0 sent, longest silence 0.001 s") == true)
  }
}
