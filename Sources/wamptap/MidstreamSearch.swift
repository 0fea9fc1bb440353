// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Looks at the beginning of a capture for connections that were there before it.
final class MidstreamSearch: SilentRenderer {
  /// There is such a connection.
  private(set) var isMidstream = false
  /// There is only one input: if its first chunk has no packet, none will follow.
  private let isAlone: Bool
  /// How many packets are looked at.
  private let most: Int
  private var packets = 0
  private var isOver = false

  init(isAlone: Bool, most: Int) { (self.isAlone, self.most) = (isAlone, most) }

  /// There are more packets than were looked at.
  var isCut: Bool { packets >= most }

  var isDecided: Bool { isOver || isAlone && packets == 0 }

  /// A packet was read.
  func addPacket() {
    packets += 1
    if isCut { isOver = true }
  }

  func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    // The connection was logged or exported, not captured: the search is over.
    if !opening.provenance.writer.isEmpty { isOver = true }
    if !opening.isFromStart && opening.provenance.writer.isEmpty {
      (isMidstream, isOver) = (true, true)
    }
  }
}
