// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// BSD loopback, and packets without any link header
/// (https://www.tcpdump.org/linktypes/LINKTYPE_NULL.html, LINKTYPE_LOOP.html, LINKTYPE_RAW.html).
enum Loopback {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |     Protocol family, in the byte order of the capturing host  |
  //  +---------------------------------------------------------------+
  /// - Parameter anyOrder: LINKTYPE_NULL; otherwise network byte order (LINKTYPE_LOOP).
  static func network(in bytes: RawSpan, anyOrder: Bool) -> Network? {
    guard bytes.byteCount >= 4 else { return nil }
    var family = bytes.uint32(at: 0)
    // Families are small numbers: the two upper bytes are zero in the right order.
    if anyOrder && family > 0xFFFF { family = family.byteSwapped }
    let type: UInt16 =
      switch family {
      case 2: Network.ipv4
      // AF_INET6 is 10 on Linux, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on macOS.
      case 10, 24, 28, 30: Network.ipv6
      default: Network.other
      }
    return Network(etherType: type, offset: 4)
  }

  /// The first four bits are the IP version.
  static func rawNetwork(in bytes: RawSpan) -> Network? {
    guard bytes.byteCount >= 1 else { return nil }
    switch bytes.byte(at: 0) >> 4 {
    case 4: return Network(etherType: Network.ipv4, offset: 0)
    case 6: return Network(etherType: Network.ipv6, offset: 0)
    default: return nil
    }
  }
}
