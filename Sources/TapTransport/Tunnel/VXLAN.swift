// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// VXLAN (RFC 7348): Ethernet over UDP.
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
}
