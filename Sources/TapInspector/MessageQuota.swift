// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How many messages may still be shown. Nothing is reported after the last one: what its packet
/// holds beyond it is accounted for, but neither shown nor counted as a message.
struct MessageQuota {
  private var left: UInt64
  /// Another message came after the last one that may be shown.
  private var hasMore = false

  init(_ most: UInt64) { left = most }

  var isReached: Bool { left == 0 }

  /// Whether the next message may be reported.
  mutating func admitsMessage() -> Bool {
    if isReached { hasMore = true }
    return !isReached
  }

  /// Findings about the last message are still reported.
  func admits(_ finding: Finding) -> Bool {
    !isReached || finding.isAboutLastMessage && !hasMore
  }

  /// - Parameter isShown: what the renderer returned.
  mutating func count(_ isShown: Bool) { if isShown { left -= 1 } }
}
