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

  /// The members of its record may say something.
  var hasMembers: Bool {
    get { misses < Self.most }
    set { misses = newValue ? 0 : Self.most }
  }

  /// Such lines say nothing before the message, or around it.
  var isPlain: Bool { !hasKey && !hasSource && !hasMembers }
}
