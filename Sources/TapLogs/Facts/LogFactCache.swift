// SPDX-License-Identifier: Apache-2.0

/// What similar lines have said of their conversation, so that those which say nothing are not
/// asked again.
struct LogFactCache {
  /// How many records in a row may say nothing until their members are no longer looked at.
  private static let most: UInt8 = 8

  /// Words before the message may name its connection.
  var hasKey = true
  /// The beginning of the line may name who wrote it.
  var hasSource = true
  /// Records in a row whose members have said nothing.
  var misses: UInt8 = 0
  /// Lines in a row that had nothing to say behind their message.
  private var missedTails: UInt8 = 0

  /// The members of its record may say something.
  var hasMembers: Bool {
    get { misses < Self.most }
    set { misses = newValue ? 0 : Self.most }
  }

  /// What stands behind the message may name its connection.
  var hasTail: Bool { missedTails < Self.most }

  mutating func noteTail(isKey: Bool) { missedTails = isKey ? 0 : missedTails + 1 }

  /// Such lines say nothing.
  var isPlain: Bool { !hasKey && !hasSource && !hasMembers && !hasTail }
}
