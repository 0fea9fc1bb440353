// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Times that are numbers.
extension LogTimeReader {
  /// Seconds since 1970, or thousandths, millionths or billionths of them. Whole seconds and
  /// millionths look like ids as well.
  mutating func epoch(_ number: Int, _ count: Int) -> LogTime? {
    var part: Int64 = 1
    for _ in 0..<(count - 10) { part *= 10 }
    let seconds = Int64(number) / part
    let (fraction, more) = digits.peek == .period ? digits.fraction() : (0, 0)
    if digits.isLetter || digits.peek.isDigit { return nil }
    var found = Self.epoch(
      seconds, Int64(number) % part * (1_000_000_000 / part) + fraction / part,
      UInt8(min(9, count - 10 + Int(more))), end: digits.at)
    found?.isUnsure = more == 0 && (count == 10 || count == 16)
    return found
  }

  /// `@400000006b0cf45b1a2c765c`, a label of TAI64N, as multilog and svlogd write it: to these, TAI
  /// is ten seconds ahead of UTC, and microseconds have 500 ns behind them.
  func label() -> LogTime? {
    let (text, end) = (digits.bytes, 25)
    guard text.starts(with: "@4"), let seconds = text.hexNumber(at: 2, digits: 15),
      let nanoseconds = text.hexNumber(at: 17, digits: 8), nanoseconds < 1_000_000_000,
      end == text.byteCount || !text.byte(at: end).isWord
    else { return nil }
    let isRounded = nanoseconds % 1000 == 500
    return Self.epoch(
      Int64(seconds) - 10, Int64(nanoseconds - (isRounded ? 500 : 0)), isRounded ? 6 : 9, end: end)
  }

  /// The value of something that is called a time.
  static func read(named line: RawSpan, _ at: Int, _ order: LogDayOrder?) -> LogTime? {
    if at >= line.byteCount { return nil }
    var found =
      line.byte(at: at) == .openBrace
      ? read(object: line, at) : read(line, at, isStart: true, order)
    found?.isUnsure = false
    return found
  }

  /// `{"epochSecond":1795217690,"nanoOfSecond":123000000}`, and `{"$date":…}`: what stands for a
  /// time in the place of a value, also over several lines.
  private static func read(object line: RawSpan, _ start: Int) -> LogTime? {
    let near = line.extracting(start..<min(line.byteCount, start + 96))
    if let at = value("$date", near, behind: 0) { return read(near, at, isStart: true) }
    guard let at = value("epochSecond", near, behind: 0),
      var found = read(near, at, isStart: true),
      let comma = near.firstIndex(of: .comma), let part = value("nanoOfSecond", near, behind: comma)
    else { return nil }
    var digits = DigitReader(near.dropping(part))
    guard let (nanoseconds, _) = digits.number(most: 9) else { return nil }
    // It counts nanoseconds, so it is taken as exact to nine digits.
    (found.fraction, found.precision) = (Int64(nanoseconds), 9)
    return found
  }

  /// Where the value of a member begins that stands behind a bracket or a comma.
  private static func value(_ name: StaticString, _ text: RawSpan, behind place: Int) -> Int? {
    let quote = text.behindSpace(place + 1)
    let close = quote + 1 + name.utf8CodeUnitCount
    guard close < text.byteCount, text.byte(at: quote) == .quote,
      text.byte(at: close) == .quote, text.dropping(quote + 1).starts(with: name)
    else { return nil }
    var at = text.behindSpace(close + 1)
    guard at < text.byteCount, text.byte(at: at) == .colon else { return nil }
    repeat { at += 1 } while at < text.byteCount && text.byte(at: at).isAroundValue
    return at
  }

  /// Seconds since 1970 as a time, if it is in the years 2001 to 2099.
  private static func epoch(
    _ seconds: Int64, _ fraction: Int64, _ precision: UInt8, end: Int
  ) -> LogTime? {
    guard (1_000_000_000..<4_102_444_800).contains(seconds) else { return nil }
    return LogTime(
      seconds: seconds, fraction: fraction, precision: precision, day: .whole, offset: 0, end: end)
  }
}
