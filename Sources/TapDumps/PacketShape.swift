// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether some bytes are one packet, and which link layer it begins with: dumps do not say. IP
/// tells it, whose header has a length and a checksum of its own.
enum PacketShape {
  /// Values of LINKTYPE_ (https://www.tcpdump.org/linktypes.html).
  static let null: UInt16 = 0
  static let ethernet: UInt16 = 1
  static let raw: UInt16 = 101
  static let linuxCooked: UInt16 = 113
  static let linuxCooked2: UInt16 = 276

  /// The link type, and how long the packet itself says it is, link header included.
  static func recognise(_ bytes: RawSpan) -> (linkType: UInt16, length: Int)? {
    if let length = ip(bytes, at: 0) { return (raw, length) }
    if let length = behind(etherType: 12, bytes) { return (ethernet, length) }
    if let length = behind(etherType: 14, bytes) { return (linuxCooked, length) }
    if let length = network(etherType: 0, bytes, at: 20) { return (linuxCooked2, length) }
    if isFamily(bytes), let length = ip(bytes, at: 4) { return (null, length) }
    return nil
  }

  /// The same for a type field with the network right behind it, or VLAN tags before that
  /// (IEEE 802.1Q). ARP (RFC 826) counts, too: its fields are as good as a checksum.
  private static func behind(etherType offset: Int, _ bytes: RawSpan) -> Int? {
    var at = offset
    for _ in 0..<3 {
      guard at + 2 <= bytes.byteCount else { return nil }
      let type = bytes.uint16(at: at)
      if type != 0x8100 && type != 0x88A8 { break }
      at += 4
    }
    return network(etherType: at, bytes, at: at + 2)
  }

  private static func network(etherType: Int, _ bytes: RawSpan, at start: Int) -> Int? {
    guard start < bytes.byteCount else { return nil }
    switch bytes.uint16(at: etherType) {
    case 0x0800 where bytes.byte(at: start) >> 4 == 4: return ip(bytes, at: start)
    case 0x86DD where bytes.byte(at: start) >> 4 == 6: return ip(bytes, at: start)
    case 0x0806 where bytes.byteCount >= start + 28:
      return bytes.uint32(at: start + 2) == 0x0800_0604 ? start + 28 : nil
    default: return nil
    }
  }

  /// Where the IP packet (RFC 791 §3.1, RFC 8200 §3) that begins at `start` ends, by its own
  /// account; nil when this is none.
  private static func ip(_ bytes: RawSpan, at start: Int) -> Int? {
    let count = bytes.byteCount - start
    guard count >= 20 else { return nil }
    let first = bytes.byte(at: start)
    if first >> 4 == 6 {
      guard count >= 40 else { return nil }
      let length = 40 + Int(bytes.uint16(at: start + 4))
      // TCP, UDP, ICMP, and the extension headers that come first.
      let known: [UInt8] = [0, 6, 17, 43, 44, 51, 58, 60]
      return known.contains(bytes.byte(at: start + 6)) && length >= count - 64
        ? start + length : nil
    }
    let header = Int(first & 15) * 4
    guard first >> 4 == 4, header >= 20, count >= header else { return nil }
    let length = Int(bytes.uint16(at: start + 2))
    guard length >= header else { return nil }
    return length == count || hasChecksum(bytes, start..<start + header) ? start + length : nil
  }

  /// Whether the ones' complement sum of the header is right (RFC 1071).
  private static func hasChecksum(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    var sum: UInt32 = 0
    for at in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      sum += UInt32(bytes.uint16(at: at))
    }
    while sum >> 16 != 0 { sum = (sum & 0xFFFF) + (sum >> 16) }
    return sum == 0xFFFF
  }

  /// AF_INET, or AF_INET6 as the systems number it, in either byte order.
  private static func isFamily(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= 4 else { return false }
    let value = bytes.uint32(at: 0)
    return [2, 24, 28, 30].contains(value) || [2, 24, 28, 30].contains(value.byteSwapped)
  }
}
