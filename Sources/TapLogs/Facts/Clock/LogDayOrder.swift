// SPDX-License-Identifier: Apache-2.0

/// Which of day and month stands first in dates of numbers.
enum LogDayOrder {
  case dayFirst, monthFirst

  /// What one date says of it.
  enum Evidence: Equatable {
    case none
    /// Both may stand first; it was read in this order.
    case ambiguous(LogDayOrder)
    case certain(LogDayOrder)
  }

  /// Month and day of two numbers, and what they say of the order.
  ///
  /// - Parameter order: in which they are read when both may be the month.
  static func read(
    _ first: Int, _ second: Int, _ order: LogDayOrder
  ) -> (month: Int, day: Int, evidence: Evidence) {
    if first == second { return (first, second, .none) }
    if first > 12 { return (second, first, .certain(.dayFirst)) }
    if second > 12 { return (first, second, .certain(.monthFirst)) }
    return order == .dayFirst
      ? (second, first, .ambiguous(order)) : (first, second, .ambiguous(order))
  }
}
