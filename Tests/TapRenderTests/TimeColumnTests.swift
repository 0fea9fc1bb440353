// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapRender

@Suite struct TimeColumnTests {
  private func lines(
    _ mode: TimeColumn.Mode, _ times: [Int64], precision: UInt8 = 6,
    zone: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
  ) -> [String] {
    var options = LineRenderer.Options()
    (options.time, options.zone) = (mode, zone)
    var page = Page(LineRenderer(options))
    return times.map { time in
      // Without the arrow and the name.
      String(
        page.message("[]", "A") {
          $0.time = time
          $0.precision = precision
          $0.connection = 0
        }.dropLast(7))
    }
  }

  private let times: [Int64] = [1_500_000_000, 2_000_000_000, 1_999_999_999, 86_400_000_000_000]

  @Test func relative() {
    #expect(lines(.relative, times) == ["  0.000000", "  0.500000", "  0.499999", "86398.500000"])
  }

  @Test func delta() {
    #expect(lines(.delta, times) == ["  0.000000", "  0.500000", " -0.000000", "86398.000000"])
    #expect(lines(.delta, times, precision: 9)[2] == " -0.000000001")
  }

  @Test func epoch() {
    #expect(lines(.epoch, times) == ["1.500000", "2.000000", "1.999999", "86400.000000"])
    #expect(lines(.epoch, [1_500_000_000], precision: 3) == ["1.500"])
    #expect(lines(.epoch, [1_500_000_000], precision: 0) == ["1"])
  }

  @Test func utc() {
    #expect(lines(.utc, [1_500_000_000], precision: 9) == ["1970-01-01T00:00:01.500000000Z"])
  }

  /// The clock is asked again as it changes: here it goes an hour back at 01:00 UTC.
  @Test func absolute() {
    let zone: @Sendable (Int64) -> Int64 = { $0 < 3600 ? 7200 : 3600 }
    #expect(
      lines(.absolute, [3_599_000_000_000, 3_600_000_000_000, -1], zone: zone)
        == [
          "1970-01-01 02:59:59.000000", "1970-01-01 02:00:00.000000", "1970-01-01 01:59:59.999999",
        ])
    #expect(
      lines(.absolute, [0], zone: { _ in -12_600 }) == ["1969-12-31 20:30:00.000000"])
  }

  /// A log that says no zone is on the local clock already.
  @Test func local() {
    var column = TimeColumn(.absolute, zone: { _ in 7200 })
    var text = TextBuffer(capacity: 64)
    column.append(Instant(nanoseconds: 0), 3, isLocal: true, to: &text)
    column.append(Instant(nanoseconds: 0), 3, isLocal: false, to: &text)
    #expect(
      String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
        == "1970-01-01 00:00:00.0001970-01-01 02:00:00.000")
  }
}
