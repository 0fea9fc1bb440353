// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// UDP (RFC 768), as far as it carries tunnels. They are recognised by the destination port, and by
/// the first bytes of their headers.
enum UDP {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |          Source Port          |       Destination Port        |
  //  +-------------------------------+-------------------------------+
  //  |            Length             |           Checksum            |
  //  +-------------------------------+-------------------------------+
  static func content(in bytes: RawSpan, at offset: Int) -> Tunnel.Content {
    guard offset &+ 8 <= bytes.byteCount else { return .malformed }
    let at = offset &+ 8
    switch bytes.uint16(at: offset &+ 2) {
    // Linux, flannel and Cilium use 8472.
    case 4789, 8472: return VXLAN.content(in: bytes, at: at)
    case 4790: return VXLAN.extended(in: bytes, at: at)
    case 6081: return Geneve.content(in: bytes, at: at)
    // RFC 8086, RFC 7510.
    case 4754: return GRE.content(in: bytes, at: at)
    case 6635: return .network(Network(etherType: Network.mpls, offset: at))
    default: break
    }
    // The following use the port on both sides.
    let ports = (bytes.uint16(at: offset), bytes.uint16(at: offset &+ 2))
    func isPort(_ port: UInt16) -> Bool { ports.0 == port || ports.1 == port }
    guard at &+ 4 <= bytes.byteCount else { return .other }
    let word = bytes.uint32(at: at)
    // RFC 3948 §2: what begins with zero is not ESP.
    if isPort(4500) && word != 0 { return .unread(.ipsec) }
    if isPort(51820) && (0x0100_0000...0x0400_0000).contains(word) && word & 0xFF_FFFF == 0 {
      return .unread(.wireGuard)
    }
    if isPort(1194) && (1...11).contains(word >> 27) { return .unread(.openVPN) }
    // The version: RFC 2661 §3.1, RFC 3931 §4.1.2.
    if isPort(1701) && (2...3).contains(word >> 16 & 15) { return .unread(.l2tp) }
    // Version 1, and a G-PDU, which carries a user's packet.
    if isPort(2152) && word >> 29 == 1 && word >> 16 & 0xFF == 0xFF { return .unread(.gtp) }
    return .other
  }

  /// Whether a datagram goes to the port of a tunnel that is read.
  static func isForTunnel(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= 8 else { return false }
    switch bytes.uint16(at: 2) {
    case 4789, 8472, 4790, 6081, 4754, 6635: return true
    default: return false
    }
  }
}
