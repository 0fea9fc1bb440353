// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// MPLS (RFC 3032): a stack of labels, followed by a payload whose type no label names.
enum MPLS {
  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                Label                  | TC  |S|       TTL     |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  static func network(in bytes: RawSpan, at offset: Int) -> Network? {
    var at = offset
    var label: UInt32 = 0
    var isBottom = false
    while !isBottom {
      guard at &+ 4 <= bytes.byteCount else { return nil }
      label = bytes.uint32(at: at) >> 12
      isBottom = bytes.byte(at: at &+ 2) & 1 != 0
      at &+= 4
    }
    guard at < bytes.byteCount else { return nil }
    var network = payload(in: bytes, at: at)
    network?.identifier = (Network.places &+ 1) << 32 | UInt64(label)
    return network
  }

  private static func payload(in bytes: RawSpan, at: Int) -> Network? {
    // RFC 4928 §3: a payload other than IP must not look like IP, and begins with a control word.
    switch bytes.byte(at: at) >> 4 {
    case 4: return Network(etherType: Network.ipv4, offset: at)
    case 6: return Network(etherType: Network.ipv6, offset: at)
    // RFC 4385 §5: no data.
    case 1: return Network(etherType: Network.other, offset: at)
    // RFC 4385 §3: a control word may precede Ethernet, but an Ethernet address may begin like one.
    case 0:
      let controlled = Ethernet.network(in: bytes, at: at &+ 4)
      if controlled?.isReadable == true { return controlled }
      return Ethernet.network(in: bytes, at: at) ?? controlled
    default: return Ethernet.network(in: bytes, at: at)
    }
  }
}
