// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// IPv4 headers (RFC 791 §3.1). Checksums are not verified: when a packet is captured on the
/// sending host, its network card often has yet to fill them in.
enum IPv4 {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |Version|  IHL  |Type of Service|          Total Length         |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |         Identification        |Flags|      Fragment Offset    |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |  Time to Live |    Protocol   |         Header Checksum       |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                       Source Address                          |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                    Destination Address                        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                    Options                    |    Padding    |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  /// - Parameter wireEnd: where the packet ended on the wire.
  /// - Returns: nil when the header is cut off or contradicts itself.
  static func parse(_ bytes: RawSpan, at offset: Int, wireEnd: Int) -> Datagram? {
    guard offset &+ 20 <= bytes.byteCount else { return nil }
    let first = bytes.byte(at: offset)
    let header = Int(first & 15) &* 4
    guard first >> 4 == 4, header >= 20 else { return nil }
    let total = Int(bytes.uint16(at: offset &+ 2))
    // Segmentation offload: a packet that is too long for the field is captured before it is split,
    // with 0 in the field.
    let end = total == 0 ? wireEnd : offset &+ total
    guard end >= offset &+ header else { return nil }
    let place = bytes.uint16(at: offset &+ 6)
    let position = Int(place & 0x1FFF) &* 8
    let hasMore = place & 0x2000 != 0
    var fragment: Fragment?
    if position > 0 || hasMore {
      fragment = Fragment(
        identification: UInt32(bytes.uint16(at: offset &+ 4)), offset: position,
        isLast: !hasMore)
    }
    return Datagram(
      isIPv6: false, source: offset &+ 12, destination: offset &+ 16,
      upper: bytes.byte(at: offset &+ 9), start: offset &+ header, end: end, fragment: fragment)
  }
}
