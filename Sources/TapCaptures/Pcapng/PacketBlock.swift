// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What the three kinds of packet blocks have in common. Their headers are parsed in the files
/// `EnhancedPacket`, `SimplePacket` and `ObsoletePacket`.
struct PacketBlock {
  var interface: UInt32
  /// In units of the interface's clock; nil when the block carries no time.
  var ticks: UInt64?
  /// Bytes that were captured; nil when the block does not say, and the snaplen decides.
  var captured: UInt32?
  /// Bytes on the wire.
  var original: UInt32
  /// Where the captured bytes begin in the block.
  var start: Int

  /// - Parameter block: as far as it is there. Answers nil when the fixed fields are not.
  static func parse(_ type: UInt32, _ block: RawSpan, _ order: ByteOrder) -> PacketBlock? {
    switch type {
    case BlockType.enhancedPacket: enhanced(block, order)
    case BlockType.simplePacket: simple(block, order)
    default: obsolete(block, order)
    }
  }

  /// How many bytes should follow the fixed fields.
  func length(_ described: InterfaceDescription) -> Int {
    if let captured { return Int(captured) }
    return Int(described.snaplen == 0 ? original : min(original, described.snaplen))
  }
}
