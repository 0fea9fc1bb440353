// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The link types that can be read, by LINKTYPE_ value (https://www.tcpdump.org/linktypes.html).
enum LinkType: UInt16 {
  case null = 0
  case ethernet = 1
  /// DLT_RAW as some systems write it to files.
  case rawBSD = 12
  case rawOpenBSD = 14
  case raw = 101
  case loop = 108
  case linuxCooked = 113
  case ipv4 = 228
  case ipv6 = 229
  case linuxCooked2 = 276
  /// What Wireshark's "Export PDUs" writes. It cannot be read: where a dissector had to wait for
  /// more data, it is there twice, first in part and then whole.
  static let exportedPDU: UInt16 = 252

  /// What the link header of `bytes` carries; nil when the header is cut off or contradicts itself.
  func network(in bytes: RawSpan) -> Network? {
    switch self {
    case .ethernet: Ethernet.network(in: bytes, at: 0)
    case .linuxCooked: LinuxCooked.network(in: bytes)
    case .linuxCooked2: LinuxCooked.network2(in: bytes)
    case .null: Loopback.network(in: bytes, anyOrder: true)
    case .loop: Loopback.network(in: bytes, anyOrder: false)
    case .raw, .rawBSD, .rawOpenBSD: Loopback.rawNetwork(in: bytes)
    case .ipv4: Network(etherType: Network.ipv4, offset: 0)
    case .ipv6: Network(etherType: Network.ipv6, offset: 0)
    }
  }

  /// Where IPv4 begins in a packet with a common link type and header: Ethernet without tags, and
  /// what `tcpdump -i any` and tunnel interfaces write. Nil for everything else.
  @inline(__always)
  func usualNetwork(in bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= 20 else { return nil }
    return switch self {
    case .ethernet: bytes.uint16(at: 12) == Network.ipv4 ? 14 : nil
    case .raw: 0
    case .linuxCooked: LinuxCooked.isUsual(bytes, type: 14, hardware: 2) ? 16 : nil
    case .linuxCooked2: LinuxCooked.isUsual(bytes, type: 0, hardware: 8) ? 20 : nil
    default: nil
    }
  }
}

/// What follows a link header.
struct Network {
  static let ipv4: UInt16 = 0x0800
  static let ipv6: UInt16 = 0x86DD
  /// RFC 3032 §5; the second number is for multicast.
  static let mpls: UInt16 = 0x8847
  static let mplsMulticast: UInt16 = 0x8848
  static let macsec: UInt16 = 0x88E5
  /// It has no EtherType, or one that is not read.
  static let other: UInt16 = 0

  var etherType: UInt16
  /// Where it begins in the packet.
  var offset: Int
  /// Which network a tunnel says this belongs to (VNI, key), or where it was seen (VLAN tags, MPLS
  /// label), with the kind of that in the upper 32 bits; 0 where nothing says so.
  var identifier: UInt64 = 0

  /// Identifiers of this kind and of greater ones do not name networks, but places.
  static let places: UInt64 = 1 << 16

  /// Whether TCP may be in it.
  var isReadable: Bool {
    switch etherType {
    case Self.ipv4, Self.ipv6, Self.mpls, Self.mplsMulticast: true
    default: false
    }
  }
}
