// SPDX-License-Identifier: Apache-2.0
import TapInputs
import TapTesting
import TapTraffic
import Testing

@Suite struct LogClockTests {
  @Test(
    "every notation of a time",
    arguments: [
      ("2026-11-20T23:34:50+0000", 1_795_217_690_000_000_000, 0),
      ("2026-11-20T23:34:50.5Z", 1_795_217_690_500_000_000, 1),
      ("2026-11-20T23:34:50.123456789+01:00", 1_795_214_090_123_456_789, 9),
      ("2026-11-20 23:34:50,123", 1_795_217_690_123_000_000, 3),
      ("[2026-11-20 23:34:50.1234567]", 1_795_217_690_123_456_700, 7),
      ("2026/11/20 23:34:50", 1_795_217_690_000_000_000, 0),
      ("INFO 2026-11-20 23:34:50 -0500", 1_795_235_690_000_000_000, 0),
      ("1795217690.25", 1_795_217_690_250_000_000, 2),
      ("1795217690250", 1_795_217_690_250_000_000, 3),
      ("{\"ts\":1795217690.25,\"m\":", 1_795_217_690_250_000_000, 2),
      ("a - - [20/Nov/2026:23:34:50 +0000]", 1_795_217_690_000_000_000, 0),
      ("Nov 20, 2026 11:34:50 PM", 1_795_217_690_000_000_000, 0),
      ("Fri Nov 20 23:34:50 2026", 1_795_217_690_000_000_000, 0),
      ("11-20 23:34:50.123  1234  5678 D OkHttp  :", 27_992_090_123_000_000, 3),
      ("[99:99:1120/233450.692443:INFO:CONSOLE:44]", 27_992_090_692_443_000, 6),
      ("Nov 20 23:34:50 host app[77]:", 27_992_090_000_000_000, 0),
      ("23:34:50.5", 84_890_500_000_000, 1),
      ("session 1795217690", nil, nil),
      ("id 1234-56-78 at 99:99:99", nil, nil),
      ("version 2026.11.20", nil, nil),
      ("3026-01-01T12:00:00.000Z", nil, nil),
      ("01/01/0000 12:00:00", 43_200_000_000_000, 0),
    ] as [(String, Int64?, UInt8?)])
  func notation(prefix: String, nanoseconds: Int64?, precision: UInt8?) {
    let floor = LikeFloor()
    let text = "\(prefix) recv [35,4]\n"
    var input = LogLine.input(text)
    input.receive(Array(text.utf8).span.bytes, floor)
    input.finish(floor)
    let origin = floor.recorder.messages.first?.delivery.origin
    #expect(origin != nil)
    #expect(origin?.time == nanoseconds.map { Instant(nanoseconds: $0) } ?? .unknown)
    if let precision { #expect(origin?.precision == precision) }
  }

  @Test("midnight comes in logs without dates")
  func midnight() {
    let text = "23:59:59 recv [35,4]\n00:00:01 recv [35,5]\n"
    let floor = LikeFloor()
    var input = LogLine.input(text)
    input.receive(Array(text.utf8).span.bytes, floor)
    input.finish(floor)
    let times = floor.recorder.messages.map(\.delivery.origin.time.nanoseconds)
    #expect(times == [86_399_000_000_000, 86_401_000_000_000])
    #expect(floor.codes == ["log.clock"])
  }
}
