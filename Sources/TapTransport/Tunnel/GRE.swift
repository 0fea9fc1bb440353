// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// GRE (RFC 2784, RFC 2890) with IP, MPLS or Ethernet in it (NVGRE, RFC 7637), and the mirrored
/// frames of ERSPAN (draft-foschiano-erspan-03).
enum GRE {
  /// ERSPAN type I and II; the other is type III.
  private static let erspan: UInt16 = 0x88BE
  private static let erspan3: UInt16 = 0x22EB

  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |C|R|K|S|   Reserved0   | Ver |         Protocol Type           |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |      Checksum (optional)      |       Reserved1 (optional)    |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                         Key (optional)                        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                    Sequence Number (optional)                 |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  static func content(in bytes: RawSpan, at offset: Int) -> Tunnel.Content {
    guard offset &+ 4 <= bytes.byteCount else { return .malformed }
    let flags = bytes.byte(at: offset)
    let version = bytes.byte(at: offset &+ 1) & 7
    if version == 1 { return .unread(.pptp) }
    // RFC 2784 §2.3: a receiver without support for the routing field of RFC 1701 discards the
    // packet.
    guard version == 0, flags & 0x40 == 0 else { return .unread(.gre) }
    let hasSequence = flags & 0x10 != 0
    var at = offset &+ 4
    if flags & 0x80 != 0 { at &+= 4 }
    let keyAt = flags & 0x20 != 0 ? at : nil
    if keyAt != nil { at &+= 4 }
    if hasSequence { at &+= 4 }
    switch bytes.uint16(at: offset &+ 2) {
    // A keep-alive has no type, and nothing in it that we read.
    case 0: return .other
    // Type I has neither a sequence number nor a header.
    case erspan: return Tunnel.network(Ethernet.network(in: bytes, at: hasSequence ? at &+ 8 : at))
    case erspan3: return timed(in: bytes, at: at)
    case let type:
      let content = Tunnel.network(type, in: bytes, at: at, of: .gre)
      guard let keyAt, keyAt &+ 4 <= bytes.byteCount else { return content }
      return content.of(3, bytes.uint32(at: keyAt))
    }
  }

  /// ERSPAN type III: a flag in its header says whether a platform-specific subheader follows.
  private static func timed(in bytes: RawSpan, at offset: Int) -> Tunnel.Content {
    guard offset &+ 12 <= bytes.byteCount else { return .malformed }
    let hasMore = bytes.byte(at: offset &+ 11) & 1 != 0
    return Tunnel.network(Ethernet.network(in: bytes, at: offset &+ (hasMore ? 20 : 12)))
  }
}
