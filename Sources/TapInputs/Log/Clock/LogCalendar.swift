// SPDX-License-Identifier: Apache-2.0

/// Dates of the Gregorian calendar as days.
enum LogCalendar {
  static let months = words([
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ])

  static let weekdays = words(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])

  private static func words(_ names: [StaticString]) -> ContiguousArray<UInt32> {
    ContiguousArray(names.map { word($0.utf8Start[0], $0.utf8Start[1], $0.utf8Start[2]) })
  }

  /// Three letters as one number, in lower case.
  static func word(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
  }

  /// Days since 1970-01-01; years begin in March, so that the leap day is the last.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
  }
}
