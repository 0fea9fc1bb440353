// SPDX-License-Identifier: Apache-2.0
import TapInspector

/// What an earlier reading of the capture has found out, for all readings that follow.
final class Foresight {
  var names: [ForeseenName] = []
  /// A connection was there before the capture began.
  var isMidway = false { didSet { end() } }
  /// Enough was seen to know that: where the first bytes have no packet, nothing has.
  var isSearched: Bool { isOver || packets == 0 }
  private var isOver = false
  /// Packets after which connections that were there before are seen.
  private static let searched = 20_000
  private var packets = 0

  func addPacket() {
    packets += 1
    if packets >= Self.searched { end() }
  }

  /// Nothing that follows is looked at: what is in no packets has no such connections.
  func end() { isOver = true }
}
