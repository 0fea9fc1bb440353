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

  /// The month of a word, short or whole; nil for any other word.
  static func month(_ word: RawSpan) -> Int? {
    index(word, months).map { $0 + 1 }
  }

  /// The name that begins with a word of three letters or more.
  private static func index(_ word: RawSpan, _ names: [StaticString]) -> Int? {
    if word.byteCount < 3 { return nil }
    return names.firstIndex { isSame(word, $0, word.byteCount) }
  }

  /// Whether a word is the beginning of a name, whatever the case of its letters.
  private static func isSame(_ word: RawSpan, _ name: StaticString, _ count: Int) -> Bool {
    guard word.byteCount == count, count <= name.utf8CodeUnitCount else { return false }
    for at in 0..<count {
      let (one, other) = (word.byte(at: at), name.utf8Start[at])
      if one != other && (other >= 0x80 || one | 0x20 != other) { return false }
    }
    return true
  }

  /// Days since 1970-01-01.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    Int(CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).days)
  }

  /// Days since 1970-01-01; nil for what is no day of the calendar.
  static func checked(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard years.contains(year), isDay(month, day), month != 2 || day < 29 || isLeap(year) else {
      return nil
    }
    return days(year, month, day)
  }

  /// Whether some year has this day.
  static func isDay(_ month: Int, _ day: Int) -> Bool {
    switch month {
    case 2: (1...29).contains(day)
    case 4, 6, 9, 11: (1...30).contains(day)
    case 1...12: (1...31).contains(day)
    default: false
    }
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}
