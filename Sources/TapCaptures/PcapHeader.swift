// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The file header of 24 bytes of a classic pcap file, and the format of records that follows from
/// it (draft-ietf-opsawg-pcap §4).
struct PcapHeader {
  static let length = 24

  var order: ByteOrder
  /// Whether sub-seconds are nanoseconds; otherwise microseconds.
  var isNanoseconds: Bool
  /// The size of a record header in bytes.
  var recordHeader: Int
  var major: UInt16
  var minor: UInt16
  var snaplen: UInt32
  var linkType: UInt16
  /// The length of the frame check sequence at the end of each packet, in bytes.
  var checkOctets: UInt32

  /// The meaning of the magic number; nil when this is not a pcap file.
  static func magic(
    _ bytes: RawSpan
  ) -> (order: ByteOrder, isNanoseconds: Bool, recordHeader: Int)? {
    guard bytes.byteCount >= 4 else { return nil }
    return switch bytes.uint32(at: 0) {
    case 0xA1B2_C3D4: (.big, false, 16)
    case 0xD4C3_B2A1: (.little, false, 16)
    case 0xA1B2_3C4D: (.big, true, 16)
    case 0x4D3C_B2A1: (.little, true, 16)
    // Kuznetzov's: eight bytes more (interface, protocol, packet type) in each record header.
    case 0xA1B2_CD34: (.big, false, 24)
    case 0x34CD_B2A1: (.little, false, 24)
    default: nil
    }
  }

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                          magic number                         |
  ///     +-------------------------------+-------------------------------+
  ///     |         major version         |         minor version         |
  ///     +-------------------------------+-------------------------------+
  ///     |                 reserved (once: time zone)                    |
  ///     +---------------------------------------------------------------+
  ///     |             reserved (once: accuracy of times)                |
  ///     +---------------------------------------------------------------+
  ///     |                            snaplen                            |
  ///     +-------+-+-+-------------------+-------------------------------+
  ///     |FCS len|R|P|      reserved     |           link type           |
  ///     +-------+-+-+-------------------+-------------------------------+
  ///
  /// Nil when there are too few bytes or the magic number is not known.
  static func parse(_ bytes: RawSpan) -> PcapHeader? {
    guard bytes.byteCount >= length, let magic = magic(bytes) else { return nil }
    let order = magic.order
    let link = order.uint32(bytes, at: 20)
    // FCS len counts units of 16 bits, and is valid only if P is set.
    let check = link & 0x0400_0000 != 0 ? (link >> 28) * 2 : 0
    return PcapHeader(
      order: order, isNanoseconds: magic.isNanoseconds, recordHeader: magic.recordHeader,
      major: order.uint16(bytes, at: 4), minor: order.uint16(bytes, at: 6),
      snaplen: order.uint32(bytes, at: 16), linkType: UInt16(truncatingIfNeeded: link),
      checkOctets: check)
  }
}
