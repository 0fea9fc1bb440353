// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A time as exports write it: seconds since 1970 as a decimal number, or RFC 3339. Read digit by
/// digit, since a floating point number would lose the last of them.
struct ExportTime: Equatable {
  var instant: Instant
  /// Decimal digits of the second that were written.
  var digits: UInt8

  init(instant: Instant, digits: UInt8) { (self.instant, self.digits) = (instant, digits) }

  /// - Parameters:
  ///   - number: as JSON and tnetstrings write numbers.
  ///   - exponent: that of the unit: 0 for seconds, -3 for milliseconds.
  init?(number: RawSpan, exponent: Int = 0) {
    guard let value = Decimal(number) else { return nil }
    // 1e11 seconds are the year 5138: so large a number has another unit.
    let size = value.size
    let unit = exponent == 0 && size > 14 ? -6 : exponent == 0 && size > 11 ? -3 : exponent
    guard let nanoseconds = value.scaled(by: unit + 9) else { return nil }
    instant = Instant(nanoseconds: nanoseconds)
    digits = UInt8(clamping: min(9, max(0, -(Int(value.exponent) + unit))))
  }

  /// `2026-11-21T00:02:08.479042+00:00` (RFC 3339 §5.6).
  init?(rfc3339 text: RawSpan) {
    guard text.byteCount < 64 else { return nil }
    var reader = DigitReader(text)
    guard let year = reader.number(exactly: 4), reader.take(.hyphen),
      let month = reader.number(exactly: 2), reader.take(.hyphen),
      let day = reader.number(exactly: 2), (1...12).contains(month), (1...31).contains(day),
      "Tt ".utf8.contains(reader.peek)
    else { return nil }
    reader.at += 1
    guard let hour = reader.number(exactly: 2), reader.take(.colon),
      let minute = reader.number(exactly: 2), reader.take(.colon),
      let second = reader.number(exactly: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    let fraction = reader.fraction()
    let isUTC = reader.take(UInt8(ascii: "Z")) || reader.take(UInt8(ascii: "z"))
    guard let offset = isUTC ? 0 : reader.offset(isShort: true) else { return nil }
    let days = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).days
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    let (scaled, isLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isLarge else { return nil }
    instant = Instant(nanoseconds: scaled &+ fraction.nanoseconds)
    digits = fraction.digits
  }

  /// So many nanoseconds later, with no more digits: a time that is exact would not fit among those
  /// that are cut.
  func adding(_ nanoseconds: Int64) -> ExportTime {
    var later = self
    let (sum, isLarge) = instant.nanoseconds.addingReportingOverflow(max(0, nanoseconds))
    if isLarge { return self }
    let unit = (digits..<9).reduce(Int64(1)) { unit, _ in unit * 10 }
    later.instant = Instant(nanoseconds: sum - sum % unit)
    return later
  }
}
