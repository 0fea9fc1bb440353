// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Geneve (RFC 8926): a payload of any EtherType over UDP.
enum Geneve {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |Ver|  Opt Len  |O|C|    Rsvd.  |          Protocol Type        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |        Virtual Network Identifier (VNI)       |    Reserved   |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                    Variable-Length Options                    |
  static func content(in bytes: RawSpan, at offset: Int) -> Tunnel.Content {
    guard offset &+ 8 <= bytes.byteCount else { return .malformed }
    let first = bytes.byte(at: offset)
    guard first >> 6 == 0 else { return .other }
    return Tunnel.network(
      bytes.uint16(at: offset &+ 2), in: bytes, at: offset &+ 8 &+ Int(first & 0x3F) &* 4,
      of: .geneve
    ).of(2, bytes.uint32(at: offset &+ 4) >> 8)
  }
}
