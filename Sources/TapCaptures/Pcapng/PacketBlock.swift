// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The common fields of the three kinds of packet blocks. Their headers are parsed in the files
/// `EnhancedPacket`, `SimplePacket` and `ObsoletePacket`.
struct PacketBlock {
  var interface: UInt32
  /// In units of the interface's clock; nil when the block has no time.
  var ticks: UInt64?
  /// The number of captured bytes; nil when the block does not give it, and the snaplen decides.
  var captured: UInt32?
  /// The length on the wire in bytes.
  var original: UInt32
  /// The offset of the captured bytes in the block.
  var start: Int

  /// - Parameter block: the block or its beginning. Nil when the fixed fields are incomplete.
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
