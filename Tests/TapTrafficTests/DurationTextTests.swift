// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@Suite("Durations") struct DurationTextTests {
  @Test(
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1500, "1.5 µs"), (200_400_000, "200.4 ms"),
      (500_000_000, "500 ms"), (61_000_000_000, "61 s"), (1_250_000_000, "1.25 s"),
    ]) func shown(nanoseconds: Int64, text: String)
  {
    #expect(DurationText.text(nanoseconds) == text)
  }

  @Test(
    arguments: [
      (0, 3, "0.000", "0"), (1_002_999_999, 3, "1.002", "1.002"),
      (999, 9, "0.000000999", "0.000000999"),
      (3_600_000_000_000, 9, "3600.000000000", "3600"), (12_000, 9, "0.000012000", "0.000012"),
      (2_150_000_000, 1, "2.1", "2.1"), (1_999_999_999, 0, "1", "1"),
    ]) func seconds(nanoseconds: UInt64, places: Int, text: String, short: String)
  {
    #expect(DurationText.seconds(nanoseconds, places: places) == text)
    #expect(DurationText.seconds(nanoseconds, places: places, dropsZeros: true) == short)
  }
}
