// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Linux "cooked" captures: what `tcpdump -i any` writes
/// (https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html and LINKTYPE_LINUX_SLL2.html).
enum LinuxCooked {
  /// ARPHRD_NETLINK: the protocol field holds a netlink family, not an EtherType.
  private static let netlink: UInt16 = 824

  /// Whether IPv4 follows the header directly.
  ///
  /// - Parameters:
  ///   - type: offset of the protocol type.
  ///   - hardware: offset of the ARPHRD type.
  @inline(__always)
  static func isUsual(_ bytes: RawSpan, type: Int, hardware: Int) -> Bool {
    bytes.uint16(at: type) == Network.ipv4 && bytes.uint16(at: hardware) != netlink
  }

  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |          Packet type          |          ARPHRD type          |
  //  +-------------------------------+-------------------------------+
  //  |         Address length        |  Address (8 bytes) ...       |
  //  |                               +-------------------------------+
  //  |                               |         Protocol type         |
  //  +-------------------------------+-------------------------------+
  static func network(in bytes: RawSpan) -> Network? {
    guard bytes.byteCount >= 16 else { return nil }
    if bytes.uint16(at: 2) == netlink { return Network(etherType: Network.other, offset: 16) }
    return Ethernet.untagged(bytes.uint16(at: 14), in: bytes, at: 16)
  }

  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |         Protocol type         |       Reserved (MBZ)          |
  //  +-------------------------------+-------------------------------+
  //  |                        Interface index                        |
  //  +-------------------------------+---------------+---------------+
  //  |          ARPHRD type          |  Packet type  | Address length|
  //  +-------------------------------+---------------+---------------+
  //  |                      Address (8 bytes) ...                   |
  static func network2(in bytes: RawSpan) -> Network? {
    guard bytes.byteCount >= 20 else { return nil }
    if bytes.uint16(at: 8) == netlink { return Network(etherType: Network.other, offset: 20) }
    return Ethernet.untagged(bytes.uint16(at: 0), in: bytes, at: 20)
  }
}
