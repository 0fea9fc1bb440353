// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// A time that was found in a line.
struct LogTime {
  /// What it does not say.
  enum Gap: UInt8, Comparable {
    case nothing, zone, year, date

    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  var time: Instant
  /// Decimal digits of a second.
  var precision: UInt8
  var gap: Gap
  /// Behind its last character.
  var end: Int
}
