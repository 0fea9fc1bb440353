// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Ethernet II frames, with VLAN tags (IEEE 802.1Q, 802.1ad) and PPPoE sessions (RFC 2516). Frames
/// with a length instead of a type (802.3) have IP behind SNAP (RFC 1042).
enum Ethernet {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                      Destination Address                      |
  //  |                               +-------------------------------+
  //  |                               |                               |
  //  +-------------------------------+                               |
  //  |                        Source Address                         |
  //  +-------------------------------+-------------------------------+
  //  |         Ether Type            |  payload, or a tag and a type |
  //  +-------------------------------+-------------------------------+
  static func network(in bytes: RawSpan, at offset: Int) -> Network? {
    guard offset &+ 14 <= bytes.byteCount else { return nil }
    return untagged(bytes.uint16(at: offset &+ 12), in: bytes, at: offset &+ 14)
  }

  /// Skips VLAN tags between an EtherType field and what the last type describes.
  static func untagged(_ type: UInt16, in bytes: RawSpan, at offset: Int) -> Network? {
    var type = type
    var at = offset
    var tags: UInt64 = 0
    while type == 0x8100 || type == 0x88A8 || type == 0x9100 {
      // Two bytes of tag control information, then the type of what follows.
      guard at &+ 4 <= bytes.byteCount else { return nil }
      tags = tags << 12 & 0xFFFF_FFFF | UInt64(bytes.uint16(at: at) & 0xFFF)
      type = bytes.uint16(at: at &+ 2)
      at &+= 4
    }
    var network: Network?
    if type == 0x8864 {
      network = pppoeSession(in: bytes, at: at)
    } else if type < 0x0600 {
      // IEEE 802.3 §3.2.6: below 0x0600 it is a length.
      network = subnetwork(in: bytes, at: at)
    } else {
      network = Network(etherType: type, offset: at)
    }
    // VLAN 0 only says a priority.
    if tags > 0 { network?.identifier = Network.places << 32 | tags }
    return network
  }

  //  +---------------+---------------+---------------+---------------+
  //  |   DSAP = AA   |   SSAP = AA   |  control = 3  |  OUI, 0 for   |
  //  +---------------+---------------+---------------+---------------+
  //  |         an EtherType          |          EtherType            |
  //  +-------------------------------+-------------------------------+
  private static func subnetwork(in bytes: RawSpan, at offset: Int) -> Network {
    guard offset &+ 8 <= bytes.byteCount, bytes.uint32(at: offset) == 0xAAAA_0300,
      bytes.uint16(at: offset &+ 4) == 0
    else { return Network(etherType: Network.other, offset: offset) }
    return Network(etherType: bytes.uint16(at: offset &+ 6), offset: offset &+ 8)
  }

  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |  VER  | TYPE  |      CODE     |          SESSION_ID           |
  //  +-------+-------+---------------+-------------------------------+
  //  |            LENGTH             |         PPP protocol          |
  //  +-------------------------------+-------------------------------+
  private static func pppoeSession(in bytes: RawSpan, at offset: Int) -> Network? {
    guard offset &+ 8 <= bytes.byteCount else { return nil }
    let type: UInt16 =
      switch bytes.uint16(at: offset &+ 6) {
      case 0x0021: Network.ipv4
      case 0x0057: Network.ipv6
      default: Network.other
      }
    return Network(etherType: type, offset: offset &+ 8)
  }
}
