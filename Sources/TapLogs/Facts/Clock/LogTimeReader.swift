// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Reads one time at one place of a line, in any of the notations of logs.
struct LogTimeReader: ~Escapable {
  var digits: DigitReader
  /// Which of day and month stands first where a date does not show it; nil where that is not
  /// known.
  let known: LogDayOrder?

  /// The letter of a level stands right before the time.
  private var isOfGlog = false
  /// The prefix of Tornado stands before the time.
  private var isOfTornado = false
  /// What stands around the time is that of chromedriver.
  var isOfChromeDriver = false

  @_lifetime(copy bytes)
  private init(_ bytes: RawSpan, _ order: LogDayOrder?) {
    (digits, known) = (DigitReader(bytes), order)
  }

  /// - Parameter isStart: whether a bare number may be seconds since 1970 there.
  static func read(
    _ line: RawSpan, _ start: Int, isStart: Bool, _ order: LogDayOrder? = nil
  ) -> LogTime? {
    var reader = LogTimeReader(line.extracting(start..<min(line.byteCount, start + 64)), order)
    reader.isOfGlog = isOfGlog(line, start)
    reader.isOfTornado = start == 3 && isOfTornado(line)
    reader.isOfChromeDriver = start == 1 && isOfChromeDriver(line)
    guard var found = reader.read(isStart: isStart) else { return nil }
    found.end += start
    return reader.isOfGlog && !isPlaceOfGlog(line, found.end) ? nil : found
  }

  /// What follows the whole seconds of a time that are known already; see `LogSeconds`.
  static func read(_ line: RawSpan, _ start: Int, behind seconds: Int64) -> LogTime? {
    let first = start + LogSeconds.length
    var reader = LogTimeReader(line.extracting(first..<min(line.byteCount, first + 32)), nil)
    let (fraction, precision) = reader.digits.fraction()
    guard reader.digits.half() == nil,
      var found = reader.end(seconds, fraction, precision, .whole)
    else { return nil }
    found.end += first
    return found
  }

  /// `2026-11-20 23:34:50` as seconds since 1970; nil when something else stands there.
  static func wholeSeconds(_ line: RawSpan, _ start: Int) -> Int64? {
    var digits = DigitReader(line.extracting(start..<start + LogSeconds.length))
    guard let year = digits.number(exactly: 4), digits.take(.hyphen),
      let month = digits.number(exactly: 2), digits.take(.hyphen),
      let day = digits.number(exactly: 2), let days = LogCalendar.checked(year, month, day),
      digits.take(UInt8(ascii: "T")) || digits.take(.space),
      let hour = digits.number(exactly: 2), hour < 24, digits.take(.colon),
      let minute = digits.number(exactly: 2), minute < 60, digits.take(.colon),
      let second = digits.number(exactly: 2), second < 61
    else { return nil }
    return Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  private mutating func read(isStart: Bool) -> LogTime? {
    if isOfGlog { return glog() }
    if digits.isLetter { return named() }
    if digits.peek == UInt8(ascii: "@") { return label() }
    guard let (first, count) = digits.number(most: 19) else { return nil }
    switch (count, digits.peek) {
    case (4, .hyphen), (4, .slash), (4, .period): return yearFirst(first)
    case (4, .space): return yearAhead(first)
    case (1...2, .hyphen): return dashed(first)
    case (1...2, .period), (1...2, .space): return dotted(first)
    case (1...2, .slash): return slashed(first)
    case (1...2, .colon):
      digits.at = 0
      return dated(clock(0, .none))
    case (6, .space): return isOfTornado ? tornado(first) : nil
    case (8, _): return compact(first)
    case (10, _), (13, _), (16, _), (19, _): return isStart ? epoch(first, count) : nil
    default: return nil
    }
  }

  /// `23:34:50.123456789+0000`, of a day; 24:00:00 is its end. Behind a whole date also
  /// `23.34.50:589` of Unreal Engine, `23.34.50.123456` of Db2, `23-34-50.123` of Snapcast.
  mutating func clock(_ days: Int, _ day: LogTime.Day) -> LogTime? {
    guard var (hour, _) = digits.number(most: 2), hour <= 24 else { return nil }
    let isOther = day == .whole && (digits.peek == .period || digits.peek == .hyphen)
    let separator: UInt8 = isOther ? digits.peek : .colon
    guard digits.take(separator),
      let minute = digits.number(exactly: 2), minute < 60, digits.take(separator),
      let second = digits.number(exactly: 2), second < 61,
      hour < 24 || minute + second == 0 && day != .none
    else { return nil }
    let isPoint = separator == .period && digits.peek == .period
    let (fraction, precision) = digits.fraction()
    // Four numbers with points between them are an address.
    if isPoint && precision != 6 { return nil }
    if let half = digits.half(), (1...12).contains(hour) { hour = hour % 12 + half }
    return end(Int64(((days * 24 + hour) * 60 + minute) * 60 + second), fraction, precision, day)
  }

  /// Reads the zone; nil if what follows shows that all of it is no time.
  mutating func end(
    _ seconds: Int64, _ fraction: Int64, _ precision: UInt8, _ day: LogTime.Day
  ) -> LogTime? {
    let offset = digits.zone()
    // More digits belong to something else: an address, a count.
    if digits.peek.isDigit { return nil }
    let end = digits.at
    if digits.take(.colon), digits.peek.isDigit || digits.peek == .colon { return nil }
    digits.at = end
    return LogTime(
      seconds: seconds, fraction: fraction, precision: precision, day: day, offset: offset,
      end: end)
  }
}
