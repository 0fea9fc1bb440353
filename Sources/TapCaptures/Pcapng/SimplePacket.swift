// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

extension PacketBlock {
  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                     block type = 0x00000003                   |
  ///     +---------------------------------------------------------------+
  ///     |                       block total length                      |
  ///     +---------------------------------------------------------------+
  ///     |                        original length                        |
  ///     +---------------------------------------------------------------+
  ///     /                   packet, padded to 32 bits                   /
  ///     +---------------------------------------------------------------+
  ///
  /// Simple Packet Block, draft-ietf-opsawg-pcapng §4.4: no time, and always the first interface.
  static func simple(_ block: RawSpan, _ order: ByteOrder) -> PacketBlock? {
    guard block.byteCount >= 12 else { return nil }
    return PacketBlock(
      interface: 0, ticks: nil, captured: nil, original: order.uint32(block, at: 8), start: 12)
  }
}
