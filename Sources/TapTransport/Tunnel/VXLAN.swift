// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// VXLAN (RFC 7348): Ethernet over UDP. Its Generic Protocol Extension (VXLAN-GPE,
/// draft-ietf-nvo3-vxlan-gpe) names what follows.
enum VXLAN {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |R|R|R|R|I|R|R|R|            Reserved                           |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                VXLAN Network Identifier (VNI) |   Reserved    |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  static func content(in bytes: RawSpan, at offset: Int) -> Tunnel.Content {
    guard offset &+ 8 <= bytes.byteCount else { return .malformed }
    // Without a valid VNI it is something else on this port.
    guard bytes.byte(at: offset) & 8 != 0 else { return .other }
    return Tunnel.network(Ethernet.network(in: bytes, at: offset &+ 8))
      .of(1, bytes.uint32(at: offset &+ 4) >> 8)
  }

  //  |R|R|Ver|I|P|B|O|       Reserved                | Next Protocol |
  static func extended(in bytes: RawSpan, at offset: Int) -> Tunnel.Content {
    guard offset &+ 8 <= bytes.byteCount else { return .malformed }
    let flags = bytes.byte(at: offset)
    guard flags & 8 != 0 else { return .other }
    // Without P, which says that the next protocol is named, it is Ethernet.
    let next = flags & 4 != 0 ? bytes.byte(at: offset &+ 3) : 3
    let at = offset &+ 8
    let content: Tunnel.Content =
      switch next {
      case 1: .network(Network(etherType: Network.ipv4, offset: at))
      case 2: .network(Network(etherType: Network.ipv6, offset: at))
      case 3: Tunnel.network(Ethernet.network(in: bytes, at: at))
      default: .unread(.vxlan)
      }
    return content.of(1, bytes.uint32(at: offset &+ 4) >> 8)
  }
}
