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
    guard let value = DecimalNumber(number) else { return nil }
    // 1e11 seconds are the year 5138: so large a number has another unit.
    let size = value.size
    let unit = exponent == 0 && size > 14 ? -6 : exponent == 0 && size > 11 ? -3 : exponent
    guard let nanoseconds = value.scaled(by: unit + 9) else { return nil }
    instant = Instant(nanoseconds: nanoseconds)
    digits = UInt8(clamping: min(9, max(0, -(value.exponent + unit))))
  }

  /// `2026-11-21T00:02:08.479042+00:00` (RFC 3339 §5.6).
  init?(rfc3339 text: RawSpan) {
    guard text.byteCount >= 20, text.byteCount < 64 else { return nil }
    func number(_ at: Int, _ count: Int) -> Int64? {
      var value: Int64 = 0
      for index in at..<at + count {
        guard index < text.byteCount, text.byte(at: index).isDigit else { return nil }
        value = value * 10 + Int64(text.byte(at: index) - 0x30)
      }
      return value
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var nanoseconds: Int64 = 0
    var count = 0
    var at = 19
    if text.byte(at: at) == .period || text.byte(at: at) == .comma {
      at += 1
      while at < text.byteCount, text.byte(at: at).isDigit {
        if count < 9 {
          nanoseconds = nanoseconds * 10 + Int64(text.byte(at: at) - 0x30)
          count += 1
        }
        at += 1
      }
      for _ in count..<9 { nanoseconds *= 10 }
    }
    guard at < text.byteCount else { return nil }
    var offset: Int64 = 0
    switch text.byte(at: at) {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
    case UInt8(ascii: "+"), .hyphen:
      let wide = text.byteCount - at >= 6
      guard let hours = number(at + 1, 2), let minutes = number(at + (wide ? 4 : 3), 2) else {
        return nil
      }
      offset = (hours * 60 + minutes) * (text.byte(at: at) == .hyphen ? -60 : 60)
    default: return nil
    }
    let days = CivilDate(year: year, month: month, day: day).days
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    let (scaled, isLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isLarge else { return nil }
    instant = Instant(nanoseconds: scaled &+ nanoseconds)
    digits = UInt8(count)
  }
}
