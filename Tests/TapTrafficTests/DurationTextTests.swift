// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TapCheck

@Suite("Durations in reports") struct DurationTextTests {
  @Test(
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1500, "1.5 µs"), (200_400_000, "200.4 ms"),
      (500_000_000, "500 ms"), (61_000_000_000, "61 s"), (1_250_000_000, "1.25 s"),
    ]) func shown(nanoseconds: Int64, text: String)
  {
    #expect(DurationText.text(nanoseconds) == text)
  }

  @Test(arguments: [(0, "0.000"), (1_002_000_000, "1.002"), (-1, "0.000")])
  func seconds(nanoseconds: Int64, text: String) {
    #expect(DurationText.seconds(nanoseconds) == text)
  }
}
