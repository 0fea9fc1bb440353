// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Times in UTC, in ISO 8601 format.
enum DateText {
  /// `2026-11-25T17:26:14`.
  static func seconds(_ time: Instant) -> String {
    let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let seconds = rest < 0 ? whole - 1 : whole
    let (quotient, ofDay) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let day = CivilDate(days: ofDay < 0 ? quotient - 1 : quotient).text
    let clock = ofDay < 0 ? ofDay + 86_400 : ofDay
    return "\(day)T\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))"
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
