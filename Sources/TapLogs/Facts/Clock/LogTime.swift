// SPDX-License-Identifier: Apache-2.0

/// A time as it stands in a line.
struct LogTime {
  /// What it says of its day.
  enum Day: Equatable {
    case whole
    case yearless(month: Int, day: Int)
    case none
  }

  /// Seconds on the clock that printed it: since 1970, or since midnight if the day is not whole.
  var seconds: Int64
  /// Nanoseconds behind them.
  var fraction: Int64
  /// Decimal digits of a second.
  var precision: UInt8
  var day: Day
  /// Seconds ahead of UTC; nil where it does not say so.
  var offset: Int?
  /// What it says of the order of day and month, and in which they were read.
  var order = LogDayOrder.Evidence.none
  /// Its first number was taken for the day, and may be the year: `26/11/20`.
  var mayBeginWithYear = false
  /// A number that may be a time: only others like it show which.
  var isUnsure = false
  /// Behind its last character.
  var end: Int
}
