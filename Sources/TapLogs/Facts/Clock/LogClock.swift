// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The times of a log's messages: finds them where loggers put them, in any notation, and puts them
/// on one timeline. A value that is not sure to be a time is not taken for one.
struct LogClock {
  private(set) var caveats = LogClockCaveats()
  private var timeline = LogTimeline()
  var seconds = LogSeconds()
  /// Which of day and month stands first, once a date has said so.
  private var order: LogDayOrder?
  /// Whether bare numbers at the beginning of lines are times: they may be ids.
  var takesNumbers = false
  private var lastNumber: Int64 = 0
  /// How many seconds the clock of syslog is ahead of UTC, once the time of a program beside one
  /// has shown it: lines that have only the time of syslog would else be hours off.
  private var zoneOfSyslog: Int?

  /// How many bytes of the text before a message are searched for a time.
  private static let furthest = 256
  /// How far two lines with bare numbers may be apart, in seconds.
  private static let near: Int64 = 86_400

  /// The time of a message, and whether others on its line have it as well.
  ///
  /// - Parameters:
  ///   - begin: where what belongs to the message begins.
  ///   - number: of the line.
  ///   - record: the records around the messages of the line.
  mutating func time(
    of message: Range<Int>, from begin: Int, on line: RawSpan, number: UInt64,
    _ record: inout LogRecord
  ) -> (moment: LogMoment, isOfLine: Bool)? {
    let start = message.lowerBound
    if let found = leading(line, begin..<start) {
      if case .yearless = found.day, begin == 0,
        let better = whole(found, before: message, on: line, number: number, &record)
      {
        return place(better, number: number, isOfLine: false)
      }
      return place(found, number: number, isOfLine: begin == 0)
    }
    record.advance(line, to: start, from: begin, &seconds)
    if let (found, isOfLine) = record.time(line, behind: message.upperBound, order, &seconds) {
      return place(found, number: number, isOfLine: isOfLine)
    }
    // The record may have been read further than the beginning of the message.
    let text = min(record.textStart, start)
    // A message inside of a string, as loguru's `text`: the string is the line that was printed,
    // and begins with its time.
    if record.quotation != nil, let found = leading(line, text..<start), !found.isUnsure,
      found.day != .none
    {
      return place(found, number: number, isOfLine: false)
    }
    if let found = scan(line, text..<start, number: number) {
      return place(found, number: number, isOfLine: begin == 0 && text == 0)
    }
    let column = (record.quotation == nil ? start : text)..<message.upperBound
    if let found = LogColumns.time(line, beside: column, order) {
      return place(found, number: number, isOfLine: false)
    }
    // A string that is in no record, and is no cell of a table, is a value that a line of words
    // ends with.
    guard text > begin + 1, !record.isAround,
      ![.comma, UInt8(ascii: ";")].contains(line.byte(at: text - 2))
    else { return nil }
    return scan(line, begin..<text, number: number).flatMap {
      place($0, number: number, isOfLine: begin == 0)
    }
  }

  /// The program's own time behind the one that syslog put before it, if both are nearly the same:
  /// it has a year, and often fractions of a second.
  private mutating func whole(
    _ other: LogTime, before message: Range<Int>, on line: RawSpan, number: UInt64,
    _ record: inout LogRecord
  ) -> LogTime? {
    let start = message.lowerBound
    var found = scan(line, other.end..<max(other.end, start), number: number)
    if found == nil {
      record.advance(line, to: start, from: 0, &seconds)
      found = record.time(line, behind: message.upperBound, order, &seconds)?.time
    }
    return found.flatMap { isOwn($0, behind: other) ? $0 : nil }
  }

  /// The same on the line above, where the program prints it and syslog has its own on both.
  mutating func whole(above: RawSpan, of line: RawSpan, number: UInt64) -> LogMoment? {
    guard let other = leading(line, 0..<line.byteCount), case .yearless = other.day,
      let start = leading(above, 0..<above.byteCount)?.end,
      let found = scan(above, start..<above.byteCount, number: number), isOwn(found, behind: other)
    else { return nil }
    return place(found, number: number, isOfLine: true)?.moment
  }

  /// Whether a time with a year is within a day of the one of syslog. If both are of the same
  /// moment, that shows its zone.
  private mutating func isOwn(_ found: LogTime, behind other: LogTime) -> Bool {
    guard found.day == .whole, !found.isUnsure, case .yearless(let month, let day) = other.day
    else { return false }
    let date = CivilDate(days: found.seconds / 86_400)
    guard date.month == Int64(month), abs(Int(date.day) - day) <= 1 else { return false }
    let local = LogCalendar.days(Int(date.year), month, day) * 86_400 + Int(other.seconds)
    let ahead = Double(local - Int(found.seconds) + (found.offset ?? 0))
    // Zones are whole quarters of an hour. A time that is not of now shows none.
    let zone = Int((ahead / 900).rounded()) * 900
    if abs(ahead - Double(zone)) < 30 && (-43_200...50_400).contains(zone) { zoneOfSyslog = zone }
    return true
  }

  /// How many bytes at the beginning of a line are its time and the punctuation around it; 0 for
  /// none.
  func stamp(_ line: RawSpan) -> Int {
    var clock = self
    guard let found = clock.leading(line, 0..<line.byteCount), !found.isUnsure else { return 0 }
    return line.behind(found.end) { Self.isOpening($0) }
  }

  /// The time of the line above one.
  mutating func above(_ line: RawSpan, number: UInt64) -> LogMoment? {
    let all = 0..<line.byteCount
    let found =
      leading(line, all) ?? scan(line, all, number: number) ?? named(line, order)
    return found.flatMap { place($0, number: number, isOfLine: true)?.moment }
  }

  /// The time that an attribute of a line has, or a member: `timestamp="1795899140064"`.
  private mutating func named(_ line: RawSpan, _ order: LogDayOrder?) -> LogTime? {
    var record = LogRecord()
    record.advance(line, to: line.byteCount, from: 0, &seconds)
    return record.time(line, behind: line.byteCount, order, &seconds)?.time
  }

  /// Puts a time on the timeline; nil for a number that is not taken for a time.
  private mutating func place(
    _ found: LogTime, number: UInt64, isOfLine: Bool
  ) -> (moment: LogMoment, isOfLine: Bool)? {
    if found.isUnsure && !isNear(found) { return nil }
    var found = found
    if case .yearless = found.day, found.offset == nil { found.offset = zoneOfSyslog }
    // Epoch numbers and the times of Go are printed without the zeros at their end.
    if found.precision % 3 != 0 { found.precision = max(caveats.finest, found.precision) }
    caveats.note(found, number, order)
    if case .certain(let order) = found.order { self.order = order }
    var moment = LogMoment(
      time: timeline.place(found), precision: found.precision, hasZone: found.offset != nil)
    (moment.lacksYear, moment.lacksDate) = (!timeline.hasYear, !timeline.hasDate)
    return (moment, isOfLine)
  }

  /// Whether a line begins with a time, and so is no continuation of the one before.
  static func begins(_ line: RawSpan) -> Bool {
    guard line.byteCount >= 8 else { return false }
    let first = line.byte(at: 0)
    guard first.isDigit || first == .openBracket || first &- 0x40 < 27 else { return false }
    guard let found = LogTimeReader.read(line, first == .openBracket ? 1 : 0, isStart: true) else {
      return false
    }
    // A number may be an element of a list.
    let isElement = found.end < line.byteCount && line.byte(at: found.end) == .comma
    return !found.isUnsure && !isElement
  }

  /// A time at the beginning of what belongs to a message.
  private mutating func leading(_ line: RawSpan, _ words: Range<Int>) -> LogTime? {
    var at = words.lowerBound
    let end = words.upperBound
    while at < end, Self.isOpening(line.byte(at: at)) { at += 1 }
    guard at < end else { return nil }
    let byte = line.byte(at: at)
    if byte.isDigit, let known = seconds.read(line, at),
      let found = LogTimeReader.read(line, at, behind: known)
    {
      return found
    }
    guard byte.isDigit || byte.isAlpha || byte == UInt8(ascii: "@") else { return nil }
    let found =
      LogTimeReader.read(line, at, isStart: true, order) ?? behindThread(line, at..<end)
    return found.flatMap { $0.end <= end ? $0 : nil }
  }

  /// A date behind the numbers of a process and a thread, as Chromium prints it:
  /// `9922:9922:1121/000103.362751`.
  private func behindThread(_ line: RawSpan, _ words: Range<Int>) -> LogTime? {
    var at = words.lowerBound
    let end = words.upperBound
    for _ in 0..<2 {
      let first = at
      while at < end, line.byte(at: at).isDigit { at += 1 }
      guard at > first, at < end, line.byte(at: at) == .colon else { return nil }
      at += 1
    }
    let found = LogTimeReader.read(line, at, isStart: false, order)
    return found.flatMap { $0.day == .none ? nil : $0 }
  }

  /// What may stand before the first word of a line.
  private static func isOpening(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x27, 0x28, 0x29, 0x2A, 0x2C, 0x3B, 0x5B, 0x5D, 0x7D: true
    default: false
    }
  }

  /// A time between the beginning of a text and its message; the best of them.
  private mutating func scan(
    _ line: RawSpan, _ words: Range<Int>, number: UInt64
  ) -> LogTime? {
    let prefix = line.extracting(0..<words.upperBound)
    let begin = words.lowerBound
    var clock: (found: LogTime, at: Int)?
    var mayBegin = true
    var at = begin
    let count = min(prefix.byteCount, begin + Self.furthest)
    while at < count {
      let byte = prefix.byte(at: at)
      if mayBegin, byte.isDigit || byte.isUppercase && LogPlace.mayBeName(prefix, at),
        let found = LogTimeReader.read(prefix, at, isStart: false, order)
      {
        if found.day == .none {
          if clock == nil && LogPlace.isOfClock(prefix, at) { clock = (found, at) }
        } else if LogPlace.isOfDate(prefix, at) {
          return found
        }
        at = found.end
        continue
      }
      mayBegin = !byte.isOfIdentifier
      // The rest of what looked like a date, and is none.
      if byte == .hyphen || byte == .slash, at > begin, prefix.byte(at: at - 1).isDigit {
        mayBegin = false
      }
      at += 1
    }
    guard let (found, place) = clock else { return nil }
    if LogPlace.isBehindDate(prefix, begin, place) {
      caveats.unread(number)
      return nil
    }
    return found
  }

  /// Whether a number that may be an id is near the one of the line before.
  private mutating func isNear(_ found: LogTime) -> Bool {
    guard takesNumbers else { return false }
    defer { lastNumber = found.seconds }
    return lastNumber == 0 || abs(found.seconds - lastNumber) < Self.near
  }
}
