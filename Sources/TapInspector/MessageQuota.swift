// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How many messages may still be shown. The last of them is the last thing that is told; what the
/// same packet brings after it is accounted for, but neither shown nor counted as a message.
struct MessageQuota {
  private var left: UInt64
  /// A message came after the last that may be shown.
  private var hasMore = false

  init(_ most: UInt64) { left = most }

  var isReached: Bool { left == 0 }

  /// Whether the next message is told.
  mutating func admitsMessage() -> Bool {
    if isReached { hasMore = true }
    return !isReached
  }

  /// What is wrong with the last message belongs to it.
  func admits(_ finding: Finding) -> Bool {
    !isReached || finding.isAboutLastMessage && !hasMore
  }

  /// - Parameter isShown: as the renderer says.
  mutating func count(_ isShown: Bool) { if isShown { left -= 1 } }
}
