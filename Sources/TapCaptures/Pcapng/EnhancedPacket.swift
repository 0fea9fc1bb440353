// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

extension PacketBlock {
  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                     block type = 0x00000006                   |
  ///     +---------------------------------------------------------------+
  ///     |                       block total length                      |
  ///     +---------------------------------------------------------------+
  ///     |                          interface                            |
  ///     +---------------------------------------------------------------+
  ///     |                      time, upper 32 bits                      |
  ///     +---------------------------------------------------------------+
  ///     |                      time, lower 32 bits                      |
  ///     +---------------------------------------------------------------+
  ///     |                        captured length                        |
  ///     +---------------------------------------------------------------+
  ///     |                        original length                        |
  ///     +---------------------------------------------------------------+
  ///     /               packet, padded to 32 bits; options              /
  ///     +---------------------------------------------------------------+
  ///
  /// Enhanced Packet Block, draft-ietf-opsawg-pcapng §4.3.
  static func enhanced(_ block: RawSpan, _ order: ByteOrder) -> PacketBlock? {
    guard block.byteCount >= 28 else { return nil }
    let upper = UInt64(order.uint32(block, at: 12))
    let lower = UInt64(order.uint32(block, at: 16))
    return PacketBlock(
      interface: order.uint32(block, at: 8), ticks: upper << 32 | lower,
      captured: order.uint32(block, at: 20), original: order.uint32(block, at: 24), start: 28)
  }
}
