// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Puts the times of a log on one timeline: fills in missing dates and years from the times before,
/// and counts midnights and turns of the year. A log that begins without a year stays in 1970 even
/// if whole dates follow, as no latency could be measured across such a jump.
struct LogTimeline {
  /// The latest time that counting midnights may lead to, in seconds since 1970. Then days begin
  /// again.
  private static let furthest = 4_607_400_000

  /// What the first time said of its day.
  private var first: LogTime.Day?
  /// The last time, in seconds since 1970, UTC where that is known.
  private var last = 0
  /// The last offset from UTC that a time had, in seconds.
  private var offset = 0
  /// The year and month of the last date without a year; 0 where that has to be found out.
  private var (year, month) = (0, 0)
  /// January has come after December.
  private var hasTurned = false
  /// Seconds that dates are moved by in a log that began without them.
  private var shift: Int?

  /// Whether the log began with a whole date, and whether with any.
  var hasYear: Bool { first == .whole }
  var hasDate: Bool { first != LogTime.Day.none }

  /// The time of a line.
  mutating func place(_ found: LogTime) -> Instant {
    if first == nil { first = found.day }
    if let known = found.offset { offset = known }
    let clock = Int(found.seconds)
    switch found.day {
    case .whole:
      if first == .whole {
        year = 0
        last = clock - (found.offset ?? 0)
      } else {
        last = clock - (found.offset ?? 0) - shift(ofDate: clock)
      }
    case .yearless(let month, let day):
      let seconds = days(month, day) * 86_400 + clock - offset
      if first == LogTime.Day.none && shift == nil { shift = days(seconds - last) * 86_400 }
      last = seconds - (first == LogTime.Day.none ? shift! : 0)
    case .none: last = dateless(clock)
    }
    if abs(last) > Self.furthest { (last, year, shift) = (clock % 86_400, 0, nil) }
    return Instant(nanoseconds: Int64(last) * 1_000_000_000 + found.fraction)
  }

  /// How far dates are ahead of those that were assumed, in seconds, in a log that began without.
  /// As the clock goes on, it is a whole number of days: the nearest.
  private mutating func shift(ofDate clock: Int) -> Int {
    if let shift { return shift }
    var seconds = days(clock - offset - last) * 86_400
    if case .yearless? = first {
      let date = CivilDate(days: Int64(clock / 86_400))
      seconds = (clock / 86_400 - days(Int(date.month), Int(date.day))) * 86_400
    }
    shift = seconds
    return seconds
  }

  /// Whole days of some seconds, the nearest number.
  private func days(_ seconds: Int) -> Int { Int((Double(seconds) / 86_400).rounded()) }

  /// Days since 1970 of a date without a year.
  private mutating func days(_ month: Int, _ day: Int) -> Int {
    if year == 0 {
      // 1972 has a 29 February.
      (year, self.month) = (month == 2 && day == 29 ? 1972 : 1970, month)
      if first == .whole {
        let date = CivilDate(days: Int64((last + offset) / 86_400))
        (year, self.month) = (Int(date.year), Int(date.month))
        hasTurned = true
      }
    }
    let months = month - self.month
    if months <= -6 {
      (year, hasTurned) = (year + 1, true)
    } else if months == 11 && hasTurned {
      // A line of December that came late.
      (year, hasTurned) = (year - 1, false)
    }
    self.month = month
    return LogCalendar.days(year, month, day)
  }

  /// A clock that is half a day or more behind the last is after midnight; one that is nearly a day
  /// ahead of it came late.
  private func dateless(_ clock: Int) -> Int {
    let day = 86_400
    let local = last + offset
    // The first day of such a log is 1970-01-01.
    let found = local - (local % day + day) % day + clock - offset
    if found < last - day / 2 { return found + day }
    if found > last + day - 3600 && last >= day { return found - day }
    return found
  }
}
