// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@Suite("Calendar") struct CivilDateTests {
  @Test(
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (11_017, "2000-03-01"),
      (20_782, "2026-11-25"), (47_540, "2100-02-28"), (47_541, "2100-03-01"),
    ]) func days(days: Int64, text: String)
  {
    #expect(CivilDate(days: days).text == text)
  }

  @Test("days and dates are the same") func thereAndBack() {
    for days in stride(from: Int64(-800_000), to: 800_000, by: 97) {
      #expect(CivilDate(days: days).days == days)
    }
  }
}
