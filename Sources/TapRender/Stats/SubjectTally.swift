// SPDX-License-Identifier: Apache-2.0

/// Messages of one type about one subject.
struct SubjectTally {
  /// Number of the subject's text; 0 when the messages have none or it is not known.
  var subject: Int32
  /// Index of the message type; nil for all that came when there was no room for more rows.
  var kind: Int?
  var messages: UInt64 = 0
  var bytes: UInt64 = 0
  /// Index of the exchanges that these messages begin; nil when they begin none.
  var exchange: Int?
}
