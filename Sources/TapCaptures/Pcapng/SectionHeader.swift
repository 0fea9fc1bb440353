// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Begins a section with its own byte order and numbering of interfaces.
struct SectionHeader {
  /// The length up to and including the section length, in bytes.
  static let length = 24

  var order: ByteOrder
  var major: UInt16
  var minor: UInt16

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                   block type = 0x0A0D0D0A                     |
  ///     +---------------------------------------------------------------+
  ///     |                       block total length                      |
  ///     +---------------------------------------------------------------+
  ///     |                 byte-order magic = 0x1A2B3C4D                 |
  ///     +-------------------------------+-------------------------------+
  ///     |         major version         |         minor version         |
  ///     +-------------------------------+-------------------------------+
  ///     |               section length, -1 = not known                  |
  ///     |                                                               |
  ///     +---------------------------------------------------------------+
  ///
  /// draft-ietf-opsawg-pcapng §4.1. The section length is not needed, as sections are never
  /// skipped. Nil when there are too few bytes or the magic number is wrong.
  static func parse(_ block: RawSpan) -> SectionHeader? {
    guard block.byteCount >= length, let order = order(block) else { return nil }
    return SectionHeader(
      order: order, major: order.uint16(block, at: 12), minor: order.uint16(block, at: 14))
  }

  /// The byte order from the first 12 bytes of a section; nil when they do not show one.
  static func order(_ block: RawSpan) -> ByteOrder? {
    guard block.byteCount >= 12 else { return nil }
    return switch block.uint32(at: 8) {
    case 0x1A2B_3C4D: .big
    case 0x4D3C_2B1A: .little
    default: nil
    }
  }
}
