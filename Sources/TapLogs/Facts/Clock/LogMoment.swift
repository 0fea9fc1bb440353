// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// The time of a message of a log.
struct LogMoment {
  var time: Instant
  /// Decimal digits of a second.
  var precision: UInt8
  /// Its zone is known; else it is taken as UTC.
  var hasZone: Bool
  /// No line has said in which year it is, or on which day.
  var lacksYear = false
  var lacksDate = false
}

extension Origin {
  /// The origin with the time of its line, where it has one.
  mutating func set(_ moment: LogMoment?) {
    guard let moment else { return }
    (time, precision, isLocal) = (moment.time, moment.precision, !moment.hasZone)
    (lacksYear, lacksDate) = (moment.lacksYear, moment.lacksDate)
  }
}
