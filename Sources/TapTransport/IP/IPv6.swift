// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// IPv6 headers and the extension headers that may stand before TCP (RFC 8200 §3, §4).
enum IPv6 {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |Version| Traffic Class |           Flow Label                  |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |         Payload Length        |  Next Header  |   Hop Limit   |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                  Source Address (16 bytes)                   |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                Destination Address (16 bytes)                |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  /// - Parameter wireEnd: where the packet ended on the wire.
  /// - Returns: nil when a header is cut off or contradicts itself.
  static func parse(_ bytes: RawSpan, at offset: Int, wireEnd: Int) -> Datagram? {
    guard offset &+ 40 <= bytes.byteCount, bytes.byte(at: offset) >> 4 == 6 else { return nil }
    let length = Int(bytes.uint16(at: offset &+ 4))
    // 0 means a jumbogram (RFC 2675; Linux passes such to its network card) or segmentation
    // offload. Either way, the datagram ends where the packet does.
    let end = length == 0 ? wireEnd : offset &+ 40 &+ length
    var datagram = Datagram(
      isIPv6: true, source: offset &+ 8, destination: offset &+ 24,
      upper: bytes.byte(at: offset &+ 6), start: offset &+ 40, end: end)
    return skipExtensions(&datagram, in: bytes) ? datagram : nil
  }

  /// Moves `start` and `upper` past the extension headers, but not beyond a fragment header, whose
  /// payload is incomplete. False when a header is cut off.
  static func skipExtensions(_ datagram: inout Datagram, in bytes: RawSpan) -> Bool {
    let captured = min(datagram.end, bytes.byteCount)
    while true {
      let at = datagram.start
      let length: Int
      switch datagram.upper {
      // Hop-by-hop options, routing, destination options, mobility, HIP, Shim6.
      case 0, 43, 60, 135, 139, 140:
        guard at &+ 2 <= captured else { return false }
        length = (Int(bytes.byte(at: at &+ 1)) &+ 1) &* 8
      // RFC 4302 §2.2: the authentication header counts in units of four bytes, minus two.
      case 51:
        guard at &+ 2 <= captured else { return false }
        length = (Int(bytes.byte(at: at &+ 1)) &+ 2) &* 4
      case 44:
        guard at &+ 8 <= captured else { return false }
        length = 8
        datagram.fragment = fragment(in: bytes, at: at)
      default:
        return at <= datagram.end
      }
      guard at &+ length <= captured else { return false }
      datagram.upper = bytes.byte(at: at)
      datagram.start = at &+ length
      if datagram.fragment != nil { return true }
    }
  }

  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |  Next Header  |   Reserved    |      Fragment Offset    |Res|M|
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                         Identification                        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  private static func fragment(in bytes: RawSpan, at offset: Int) -> Fragment? {
    let place = bytes.uint16(at: offset &+ 2)
    // RFC 6946: an "atomic" fragment is a complete datagram.
    if place & 0xFFF9 == 0 { return nil }
    return Fragment(
      identification: bytes.uint32(at: offset &+ 4), offset: Int(place & 0xFFF8),
      isLast: place & 1 == 0)
  }

  /// Whether TCP may follow a header of this kind.
  static func mayCarryTCP(_ upper: UInt8) -> Bool {
    switch upper {
    case Datagram.tcp, 0, 43, 44, 51, 60, 135, 139, 140: true
    default: false
    }
  }
}
