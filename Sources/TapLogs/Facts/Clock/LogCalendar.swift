// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Dates of the Gregorian calendar as days, and the words for their parts.
enum LogCalendar {
  /// Years that are read: the time between any two moments of them can be counted in nanoseconds.
  static let years = 1970...2115

  private static let months: [StaticString] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// The month that begins with a word of three letters or more, in any case; nil for others.
  static func month(_ word: RawSpan) -> Int? {
    guard word.byteCount > 2 else { return nil }
    return months.firstIndex { name in
      word.byteCount <= name.utf8CodeUnitCount
        && (0..<word.byteCount).allSatisfy { word.byte(at: $0) | 0x20 == name.utf8Start[$0] }
    }.map { $0 + 1 }
  }

  /// Days since 1970-01-01.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    Int(CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).days)
  }

  /// Days since 1970-01-01; nil for what is no day of the calendar.
  static func checked(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard years.contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
    return CivilDate(days: date.days) == date ? Int(date.days) : nil
  }

  /// Whether some year has this day: 1972 has all of them.
  static func isDay(_ month: Int, _ day: Int) -> Bool { checked(1972, month, day) != nil }
}
