// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

extension Finding.Code {
  /// A character stands where a digit should, or a number is too large for a byte. Likely cause: a
  /// dump that was retyped, or wrapped by a mail program.
  static let dumpBadDigit: Finding.Code = "dump.bad-digit"
  /// A byte has one digit, or a row of digits is odd. Likely cause: the ends were not copied.
  static let dumpOddDigits: Finding.Code = "dump.odd-digits"
  /// The offset at the beginning of a line is not where the last line ended. Likely cause: a line
  /// that was not copied, or was copied twice.
  static let dumpOffset: Finding.Code = "dump.offset"
  /// The text says how many bytes follow, and others do. Likely cause: it was not copied whole.
  static let dumpWrongLength: Finding.Code = "dump.wrong-length"
  /// Something between the bytes is none of the notation. Likely cause: a prompt or a remark that
  /// was copied, too.
  static let dumpNotUnderstood: Finding.Code = "dump.not-understood"
  /// The text has the time of the day without a date or a time zone: it is shown as it is written,
  /// as if it were UTC, and where there is no date, of 1970-01-01.
  static let dumpClock: Finding.Code = "dump.clock"
  /// The dump shows bytes that are no ASCII as dots. Likely cause: tcpdump -A.
  static let dumpDots: Finding.Code = "dump.dots"
  /// Bytes of a connection that are dots in the dump, and no part of a message that is shown.
  static let dumpUnread: Finding.Code = "dump.unread"
  /// Bytes of a message are dots in the dump.
  static let dumpOctetsUnknown: Finding.Code = "dump.octets-unknown"
}
