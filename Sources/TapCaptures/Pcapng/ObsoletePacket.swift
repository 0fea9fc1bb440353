// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

extension PacketBlock {
  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                     block type = 0x00000002                   |
  ///     +---------------------------------------------------------------+
  ///     |                       block total length                      |
  ///     +-------------------------------+-------------------------------+
  ///     |           interface           |          drops count          |
  ///     +-------------------------------+-------------------------------+
  ///     /  times, lengths, packet, options: as in the enhanced packet   /
  ///     +---------------------------------------------------------------+
  ///
  /// Packet Block, draft-ietf-opsawg-pcapng Appendix A.
  static func obsolete(_ block: RawSpan, _ order: ByteOrder) -> PacketBlock? {
    guard var packet = enhanced(block, order) else { return nil }
    packet.interface = UInt32(order.uint16(block, at: 8))
    return packet
  }
}
