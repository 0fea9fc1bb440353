// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The notations of dates.
extension LogTimeReader {
  /// `2026-11-20`, `2026/11/20`, `2026.11.20`; also `1121/000103.362751` of Chromium.
  mutating func yearFirst(_ year: Int) -> LogTime? {
    let separator = digits.peek
    if separator == .slash, let chromium = chromium(year) { return chromium }
    guard digits.take(separator), let (month, _) = digits.number(most: 2), digits.take(separator),
      let (day, _) = digits.number(most: 2)
    else { return nil }
    return whole(year, month, day)
  }

  /// `1121/000103.362751`: month and day, hour, minute and second of Chromium.
  private mutating func chromium(_ first: Int) -> LogTime? {
    let begin = digits.at
    let (month, day) = (first / 100, first % 100)
    guard LogCalendar.isDay(month, day), digits.take(.slash),
      let time = digits.number(exactly: 6), let seconds = Self.seconds(time), digits.peek == .period
    else {
      digits.at = begin
      return nil
    }
    let (fraction, precision) = digits.fraction()
    return LogTime(
      seconds: Int64(seconds), fraction: fraction, precision: precision,
      day: .yearless(month: month, day: day), offset: nil, end: digits.at)
  }

  /// Whether a line begins with a bracket and the first letter of a level: `[I 261120 23:34:50`.
  /// Elsewhere, six digits before a clock are any number.
  static func isOfTornado(_ line: RawSpan) -> Bool {
    line.starts(with: "[D ") || line.starts(with: "[I ") || line.starts(with: "[W ")
      || line.starts(with: "[E ")
  }

  /// Whether a line begins with a letter and a date, as those of glog and klog do.
  static func isOfGlog(_ line: RawSpan, _ start: Int) -> Bool {
    guard start == 0, line.byteCount > 14, line.byte(at: 1).isDigit else { return false }
    switch line.byte(at: 0) {
    case UInt8(ascii: "I"), UInt8(ascii: "W"), UInt8(ascii: "E"), UInt8(ascii: "F"): break
    default: return false
    }
    let end = line.behindDigits(1)
    return (end == 5 || end == 9) && line.byte(at: end) == .space
  }

  /// `I1121 00:00:00.223456` of klog, `I20261121 00:00:00.223456` of glog.
  mutating func glog() -> LogTime? {
    digits.at = 1
    guard let (date, count) = digits.number(most: 8) else { return nil }
    let (month, day) = (date / 100 % 100, date % 100)
    return count == 4 ? yearless(month, day) : whole(date / 10_000, month, day)
  }

  /// Whether a thread and a place in a program stand there, `  1234 conn.go:57] `: without them, a
  /// letter and digits are any code, `E1001 22:34:51 `.
  static func isPlaceOfGlog(_ line: RawSpan, _ start: Int) -> Bool {
    let thread = line.behindBlanks(start)
    // Some systems print it in hexadecimal, `0x7f8a1234`.
    let end = line.behind(thread) { $0.isDigit || $0.isAlpha }
    let file = line.behindBlanks(end)
    let colon = line.behind(file) { $0 != .space && $0 != .colon }
    guard thread > start, end > thread, line.byte(at: thread).isDigit, file > end,
      colon < line.byteCount, line.byte(at: colon) == .colon,
      line.extracting(file..<colon).firstIndex(of: .period) != nil
    else { return false }
    // A function may stand behind the line, `conn.go:57 (*Conn).Send]`.
    let number = line.behindDigits(colon + 1)
    return number > colon + 1 && number < line.byteCount
      && (line.byte(at: number) == .closeBracket || line.byte(at: number) == .space)
  }

  /// Whether a line begins as those of chromedriver, which puts the month first:
  /// `[11-05-2026 16:58:30.274439][INFO]: `.
  static func isOfChromeDriver(_ line: RawSpan) -> Bool {
    line.byteCount > 29 && line.byte(at: 6) == .hyphen && line.byte(at: 20) == .period
      && line.extracting(27..<29).equals("][")
  }

  /// `261120 23:34:50`, in whole seconds.
  mutating func tornado(_ number: Int) -> LogTime? {
    guard
      let days = LogCalendar.checked(2000 + number / 10_000, number / 100 % 100, number % 100),
      digits.take(.space), let found = clock(days, .whole), found.precision == 0
    else { return nil }
    return found
  }

  /// `20261120T233450`, `20261120-23:34:50`.
  mutating func compact(_ number: Int) -> LogTime? {
    guard
      let days = LogCalendar.checked(number / 10_000, number / 100 % 100, number % 100),
      divider()
    else { return nil }
    let begin = digits.at
    if let time = digits.number(exactly: 6), let seconds = Self.seconds(time) {
      let (fraction, precision) = digits.fraction()
      return end(Int64(days * 86_400 + seconds), fraction, precision, .whole)
    }
    digits.at = begin
    return clock(days, .whole)
  }

  /// `20/Nov/2026:23:34:57 +0000`, `11/20/2026, 11:34:57 PM`, `20/11/26 23:34:57`.
  mutating func slashed(_ first: Int) -> LogTime? {
    guard digits.take(.slash) else { return nil }
    if let month = digits.month() {
      guard digits.take(.slash), let year = year() else { return nil }
      return whole(year, month, first)
    }
    return numbers(first, 0x2F, .monthFirst)
  }

  /// `20-Nov-2026 23:34:50`, `20-11-2026 23:34:50`, and `11-20 23:34:50` of logcat.
  mutating func dashed(_ first: Int) -> LogTime? {
    guard digits.take(.hyphen) else { return nil }
    if let month = digits.month() {
      guard digits.take(.hyphen), let year = year() else { return nil }
      return whole(year, month, first)
    }
    let begin = digits.at
    if let (day, count) = digits.number(most: 2), count == 2, digits.take(.space) {
      return yearless(first, day)
    }
    digits.at = begin
    return numbers(first, 0x2D, .dayFirst)
  }

  /// `20.11.2026 23:34:50`, `20. Nov 2026 23:34:50`, `20 Nov 2026 23:34:50`.
  mutating func dotted(_ first: Int) -> LogTime? {
    let begin = digits.at
    defer { digits.at = begin }
    if digits.take(.period), digits.peek.isDigit { return numbers(first, .period, .dayFirst) }
    guard digits.blank() else { return nil }
    guard let month = digits.month(), digits.blank() else { return nil }
    let behind = digits.at
    if let year = year() { return whole(year, month, first) }
    digits.at = behind
    return yearAtEnd(yearless(month, first), month, first)
  }

  /// `Nov 20 23:34:50`, `Nov 20, 2026 11:34:50 PM`, `Nov 20 23:34:50 CET 2026`.
  mutating func named() -> LogTime? {
    guard let month = digits.month(), digits.blank() else { return nil }
    while digits.take(.space) {}
    guard let (day, _) = digits.number(most: 2) else { return nil }
    _ = digits.take(.comma)
    guard digits.blank() else { return nil }
    let begin = digits.at
    if let year = year() { return whole(year, month, day) }
    digits.at = begin
    return yearAtEnd(yearless(month, day), month, day)
  }

  /// `2026 Nov 20 23:34:50`, as syslog-ng writes whole dates.
  mutating func yearAhead(_ year: Int) -> LogTime? {
    guard (1970...2099).contains(year), digits.take(.space), let month = digits.month(),
      digits.take(.space)
    else { return nil }
    _ = digits.take(.space)
    guard let (day, _) = digits.number(most: 2) else { return nil }
    return whole(year, month, day)
  }

  /// `23:34:50 20 Nov 2026`: the date may stand behind the time.
  mutating func dated(_ clock: LogTime?) -> LogTime? {
    guard var found = clock, digits.take(.space), let (day, _) = digits.number(most: 2),
      digits.take(.space), let month = digits.month(), digits.take(.space),
      let year = digits.number(exactly: 4), !digits.peek.isDigit, digits.peek != .colon,
      let days = LogCalendar.checked(year, month, day)
    else { return clock }
    found.seconds += Int64(days * 86_400)
    (found.day, found.end) = (.whole, digits.at)
    return found
  }

  /// The year may stand behind the time.
  private mutating func yearAtEnd(_ found: LogTime?, _ month: Int, _ day: Int) -> LogTime? {
    guard var found else { return nil }
    guard digits.take(.space), let year = digits.number(exactly: 4), (1970...2099).contains(year),
      !digits.peek.isDigit, !(0x2D...0x2F).contains(digits.peek), digits.peek != .colon
    else { return found }
    guard let days = LogCalendar.checked(year, month, day) else { return nil }
    found.seconds += Int64(days * 86_400)
    (found.day, found.end) = (.whole, digits.at)
    return found
  }

  /// Two numbers of a date and perhaps its year.
  private mutating func numbers(
    _ first: Int, _ separator: UInt8, _ usual: LogDayOrder
  ) -> LogTime? {
    guard let (second, _) = digits.number(most: 2) else { return nil }
    // Where points stand between them, the day is first nearly everywhere.
    let isPoint = separator == .period
    let order = isOfChromeDriver ? .monthFirst : known ?? usual
    let (month, day, evidence) = LogDayOrder.read(first, second, order)
    var found: LogTime?
    if digits.take(separator) {
      let begin = digits.at
      if let year = year() {
        let isShort = digits.at - begin == 2
        found = whole(year, month, day)
        // Spark and Hadoop print the year first, others the day.
        found?.mayBeginWithYear =
          isShort && separator == .slash && first > 12
          && LogCalendar.checked(2000 + first, second, year % 100) != nil
      }
    }
    if isPoint && evidence == .certain(.monthFirst) { return nil }
    found?.order = isPoint || isOfChromeDriver ? .none : evidence
    return found
  }

  /// A year, perhaps only its last two digits.
  private mutating func year() -> Int? {
    guard let (year, count) = digits.number(most: 4), digits.peek != .colon || count == 4 else {
      return nil
    }
    return count == 4 ? year : count == 2 ? 2000 + year : nil
  }

  private mutating func whole(_ year: Int, _ month: Int, _ day: Int) -> LogTime? {
    guard let days = LogCalendar.checked(year, month, day), divider() else { return nil }
    return clock(days, .whole)
  }

  private mutating func yearless(_ month: Int, _ day: Int) -> LogTime? {
    guard LogCalendar.isDay(month, day) else { return nil }
    while digits.blank() {}
    return clock(0, .yearless(month: month, day: day))
  }

  /// What stands between a date and a time.
  private mutating func divider() -> Bool {
    let begin = digits.at
    if digits.take(UInt8(ascii: "T")) || digits.take(UInt8(ascii: "t")) { return true }
    while digits.at - begin < 6 {
      if digits.blank() { continue }
      switch digits.peek {
      case .comma, .hyphen, .colon, UInt8(ascii: "@"), .openBracket, .closeBracket,
        UInt8(ascii: "_"), UInt8(ascii: "|"):
        digits.at += 1
      default:
        return digits.at > begin
      }
    }
    return true
  }

  /// `233450` as seconds of its day.
  private static func seconds(_ time: Int) -> Int? {
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    return hour < 24 && minute < 60 && second < 61 ? (hour * 60 + minute) * 60 + second : nil
  }
}
