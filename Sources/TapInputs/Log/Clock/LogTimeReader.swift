// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Reads one time at one place of a line, in any of the notations of logs.
struct LogTimeReader: ~Escapable {
  private var digits: LogDigits

  @_lifetime(copy bytes)
  private init(_ bytes: RawSpan) { digits = LogDigits(bytes) }

  /// - Parameter isStart: whether a bare number may be seconds since 1970 there.
  static func read(_ line: RawSpan, _ start: Int, isStart: Bool) -> LogTime? {
    var reader = LogTimeReader(line.extracting(start..<min(line.byteCount, start + 48)))
    guard var found = reader.read(isStart: isStart) else { return nil }
    found.end += start
    return found
  }

  /// What follows the whole seconds of a time that are known already; see `LogSeconds`.
  static func read(_ line: RawSpan, _ start: Int, behind seconds: Int64) -> LogTime? {
    let first = start + LogSeconds.length
    var reader = LogTimeReader(line.extracting(first..<min(line.byteCount, start + 48)))
    let (fraction, precision) = reader.digits.fraction()
    guard reader.digits.half() == nil,
      var found = reader.end(Int(seconds), fraction, precision, .zone)
    else { return nil }
    found.end += first
    return found
  }

  /// `2026-11-20 23:34:50` as seconds since 1970; nil when something else stands there.
  static func wholeSeconds(_ line: RawSpan, _ start: Int) -> Int64? {
    var digits = LogDigits(line.extracting(start..<start + LogSeconds.length))
    guard let year = digits.number(exactly: 4), year >= 1970, digits.take(0x2D),
      let month = digits.number(exactly: 2), (1...12).contains(month), digits.take(0x2D),
      let day = digits.number(exactly: 2), (1...31).contains(day),
      digits.take(0x54) || digits.take(0x20),
      let hour = digits.number(exactly: 2), hour < 24, digits.take(0x3A),
      let minute = digits.number(exactly: 2), minute < 60, digits.take(0x3A),
      let second = digits.number(exactly: 2), second < 61
    else { return nil }
    let days = LogCalendar.days(year, month, day)
    return Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  private mutating func read(isStart: Bool) -> LogTime? {
    if digits.isLetter { return named() }
    guard let (first, count) = digits.number(most: 19) else { return nil }
    switch (count, digits.peek) {
    case (4, 0x2D), (4, 0x2F):
      let separator = digits.peek
      if separator == 0x2F, let chromium = chromium(first) { return chromium }
      guard (1970...9999).contains(first), let date = date(first, separator), divider() else {
        return nil
      }
      return clock(days: date, .zone)
    // logcat has no year: shown as of 1970.
    case (2, 0x2D):
      guard (1...12).contains(first), digits.take(0x2D), let day = digits.number(exactly: 2),
        (1...31).contains(day), digits.take(0x20)
      else { return nil }
      return clock(days: LogCalendar.days(1970, first, day), .year)
    case (2, 0x2F): return slashed(first)
    case (1...2, 0x3A):
      digits.rewind()
      return clock(days: 0, .date)
    case (10, _), (13, _), (16, _), (19, _): return isStart ? epoch(first, count) : nil
    default: return nil
    }
  }

  /// `-11-20` behind the year.
  private mutating func date(_ year: Int, _ separator: UInt8) -> Int? {
    guard digits.take(separator), let (month, _) = digits.number(most: 2),
      (1...12).contains(month), digits.take(separator), let (day, _) = digits.number(most: 2),
      (1...31).contains(day)
    else { return nil }
    return LogCalendar.days(year, month, day)
  }

  /// What stands between a date and a time.
  private mutating func divider() -> Bool {
    if digits.take(0x54) || digits.take(0x74) || digits.take(0x5F) || digits.take(0x3A) {
      return true
    }
    guard digits.take(0x20) else { return false }
    while digits.take(0x20) {}
    return true
  }

  /// `23:34:50.123456789+0000`
  private mutating func clock(days: Int, _ gap: LogTime.Gap) -> LogTime? {
    guard let (hour, _) = digits.number(most: 2), hour < 24, digits.take(0x3A),
      let minute = digits.number(exactly: 2), minute < 60, digits.take(0x3A),
      let second = digits.number(exactly: 2), second < 61
    else { return nil }
    let (fraction, precision) = digits.fraction()
    var hours = hour
    if let half = digits.half() { hours = hour % 12 + half }
    return end(((days * 24 + hours) * 60 + minute) * 60 + second, fraction, precision, gap)
  }

  /// The zone, and that nothing goes on behind it.
  private mutating func end(
    _ local: Int, _ fraction: Int64, _ precision: UInt8, _ gap: LogTime.Gap
  ) -> LogTime? {
    var (seconds, gap) = (Int64(local), gap)
    if gap == .zone, let offset = digits.zone() {
      seconds -= Int64(offset)
      gap = .nothing
    }
    // More digits belong to something else.
    if digits.peek &- 0x30 < 10 { return nil }
    // The years from 1824 to 2115: of these, any two are nanoseconds apart that can be counted.
    guard abs(seconds) < Int64.max / 2_000_000_000 else { return nil }
    return LogTime(
      time: Instant(nanoseconds: seconds * 1_000_000_000 + fraction), precision: precision,
      gap: gap, end: digits.at)
  }

  /// `20/Nov/2026:23:34:57 +0000`, and `11/20/2026 23:34:57`, where the month is what can be none
  /// of the days.
  private mutating func slashed(_ first: Int) -> LogTime? {
    guard digits.take(0x2F) else { return nil }
    if let month = digits.month() {
      guard digits.take(0x2F), let year = digits.number(exactly: 4), digits.take(0x3A) else {
        return nil
      }
      return clock(days: LogCalendar.days(year, month, first), .zone)
    }
    guard let (second, _) = digits.number(most: 2), digits.take(0x2F),
      let year = digits.number(exactly: 4), divider()
    else { return nil }
    let (month, day) = first > 12 ? (second, first) : (first, second)
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    return clock(days: LogCalendar.days(year, month, day), .zone)
  }

  /// `1121/000056.692443`: month and day, hour, minute and second of Chromium.
  private mutating func chromium(_ first: Int) -> LogTime? {
    let begin = digits.at
    guard (1...12).contains(first / 100), (1...31).contains(first % 100), digits.take(0x2F),
      let time = digits.number(exactly: 6), digits.peek == 0x2E
    else {
      digits.at = begin
      return nil
    }
    let (fraction, precision) = digits.fraction()
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    guard hour < 24, minute < 60, second < 61 else { return nil }
    let days = LogCalendar.days(1970, first / 100, first % 100)
    let seconds = Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
    return LogTime(
      time: Instant(nanoseconds: seconds * 1_000_000_000 + fraction), precision: precision,
      gap: .year, end: digits.at)
  }

  /// `Nov 20 23:34:50`, `Nov 20, 2026 11:34:50 PM`, `Fri Nov 20 23:34:50 2026`.
  private mutating func named() -> LogTime? {
    if digits.weekday() { while digits.take(0x20) || digits.take(0x2C) {} }
    guard let month = digits.month(), digits.take(0x20) else { return nil }
    while digits.take(0x20) {}
    guard let (day, _) = digits.number(most: 2), (1...31).contains(day) else { return nil }
    if digits.take(0x2C) {
      guard digits.take(0x20), let year = digits.number(exactly: 4), divider() else { return nil }
      return clock(days: LogCalendar.days(year, month, day), .zone)
    }
    guard digits.take(0x20) else { return nil }
    let begin = digits.at
    // The year may stand behind the time.
    guard var found = clock(days: LogCalendar.days(1970, month, day), .year) else { return nil }
    let end = digits.at
    guard digits.take(0x20), let year = digits.number(exactly: 4), year > 1969 else {
      return found
    }
    let behind = digits.at
    digits.at = begin
    guard let whole = clock(days: LogCalendar.days(year, month, day), .zone), digits.at == end
    else { return found }
    found = whole
    found.end = behind
    return found
  }

  /// Seconds since 1970, or thousandths, millionths or billionths of them.
  private mutating func epoch(_ number: Int, _ count: Int) -> LogTime? {
    var unit: Int64 = 1_000_000_000
    for _ in 0..<(count - 10) { unit /= 10 }
    // From 2001 to 2100.
    let seconds = Int64(number) / (1_000_000_000 / unit)
    guard (1_000_000_000..<4_102_444_800).contains(seconds) else { return nil }
    let (fraction, precision) = count == 10 ? digits.fraction() : (0, UInt8(count - 10))
    return LogTime(
      time: Instant(nanoseconds: Int64(number) * unit + fraction), precision: precision,
      gap: .nothing, end: digits.at)
  }
}
