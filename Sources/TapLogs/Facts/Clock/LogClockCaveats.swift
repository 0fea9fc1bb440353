// SPDX-License-Identifier: Apache-2.0

/// What the times of a log do not say.
struct LogClockCaveats {
  /// The coarsest clock that was found, in decimal digits of a second; nil without any.
  private(set) var precision: UInt8?
  /// The most decimal digits of a second that a time had.
  private(set) var finest: UInt8 = 0
  /// Times, and those without a zone, a year or a date.
  private(set) var (times, zoneless, yearless, dateless): (UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0)
  /// The first line whose date was not understood, and how many there are.
  private(set) var unread: (line: UInt64, count: UInt64) = (0, 0)
  private var lastUnread: UInt64 = 0
  /// How many dates were read before one showed whether day or month is first, and the order
  /// guessed for them.
  private(set) var (guessed, guess): (UInt64, LogDayOrder?) = (0, nil)
  /// The order that the first unambiguous date shows, and the line of the first that contradicts
  /// it.
  private(set) var (order, contradiction): (LogDayOrder?, UInt64) = (nil, 0)
  /// A date may begin with the year instead of the day.
  private(set) var mayBeginWithYear = false
  /// The first time has its whole date.
  private(set) var hasWholeFirst = false

  /// What times may lack.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let zone = Kinds(rawValue: 1)
    static let year = Kinds(rawValue: 2)
    static let date = Kinds(rawValue: 4)
    static let unread = Kinds(rawValue: 8)
    static let order = Kinds(rawValue: 16)
  }

  /// Dates that were read in an order that turned out to be wrong.
  var isGuessWrong: Bool { guess != nil && order != nil && guess != order }

  mutating func note(_ found: LogTime, _ line: UInt64, _ known: LogDayOrder?) {
    if times == 0 && found.day == .whole { hasWholeFirst = true }
    times += 1
    precision = min(precision ?? 9, found.precision)
    finest = max(finest, found.precision)
    if found.offset == nil { zoneless += 1 }
    switch found.day {
    case .whole: break
    case .yearless: yearless += 1
    case .none: dateless += 1
    }
    if found.mayBeginWithYear { mayBeginWithYear = true }
    switch found.order {
    case .none: break
    case .ambiguous(let usual):
      if known != nil { return }
      guessed += 1
      guess = guess ?? usual
    case .certain(let certain):
      if order == nil { order = certain }
      if order != certain && contradiction == 0 { contradiction = line }
    }
  }

  /// The date of a line was not understood.
  mutating func unread(_ line: UInt64) {
    if unread.count == 0 { unread.line = line }
    // A line may be asked for each of its messages.
    if line != lastUnread { unread.count += 1 }
    lastUnread = line
  }

  /// What is missing.
  var all: Kinds {
    var all: Kinds = []
    if zoneless > 0 { all.insert(.zone) }
    if yearless > 0 { all.insert(.year) }
    if dateless > 0 { all.insert(.date) }
    if unread.count > 0 { all.insert(.unread) }
    if isGuessWrong || contradiction > 0 { all.insert(.order) }
    return all
  }
}
