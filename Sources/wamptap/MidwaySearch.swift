// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Looks at the beginning of a capture for connections that were there before it.
final class MidwaySearch: SilentRenderer {
  /// There is such a connection.
  private(set) var isMidway = false
  /// There is one input: where its first bytes have no packet, nothing of it has.
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
    // Who has written a log down was there from some time on.
    if !opening.provenance.writer.isEmpty { isOver = true }
    if !opening.isFromStart && opening.provenance.writer.isEmpty {
      (isMidway, isOver) = (true, true)
    }
  }
}
