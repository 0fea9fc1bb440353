// SPDX-License-Identifier: Apache-2.0

/// What lines that are alike have said of their conversation, so that those which say nothing are
/// not asked again.
struct LogFactCache {
  /// Records whose members are looked at in vain.
  private static let most: UInt8 = 8

  /// Words before the message name its connection.
  var hasKey = true
  /// The beginning of the line names who wrote it.
  var hasSource = true
  /// Records whose members have said nothing, one after the other.
  var misses: UInt8 = 0

  /// The members of its record may say something.
  var hasMembers: Bool {
    get { misses < Self.most }
    set { misses = newValue ? 0 : Self.most }
  }

  /// Nothing is said.
  var isPlain: Bool { !hasKey && !hasSource && !hasMembers }
}
