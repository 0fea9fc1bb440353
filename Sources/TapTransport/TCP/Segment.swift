// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The header of a TCP segment and the place of its payload (RFC 9293 §3.1).
struct Segment {
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let fin = Flags(rawValue: 1)
    static let syn = Flags(rawValue: 2)
    static let rst = Flags(rawValue: 4)
    static let psh = Flags(rawValue: 8)
    static let ack = Flags(rawValue: 16)
  }

  var sourcePort: UInt16
  var destinationPort: UInt16
  var sequence: SequenceNumber
  var acknowledgement: SequenceNumber
  var flags: Flags
  /// Offsets of the header and of the payload in the parsed bytes.
  var start: Int
  var payload: Int
  /// Bytes of payload that were sent, and those of them that were captured.
  var length: Int
  var captured: Int

  /// The number of the first byte of payload: SYN takes a number of its own (RFC 9293 §3.4).
  var first: SequenceNumber { flags.contains(.syn) ? sequence + 1 : sequence }

  /// The acknowledgment number, if it has a meaning.
  var acknowledged: SequenceNumber? { flags.contains(.ack) ? acknowledgement : nil }

  var headerLength: Int { payload &- start }

  /// Header and payload in the packet, as far as they were captured.
  @inline(__always) var range: Range<Int> { start..<payload &+ captured }

  //   0                   1                   2                   3
  //   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |          Source Port          |       Destination Port        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                        Sequence Number                        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |                    Acknowledgment Number                      |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |  Data |       |C|E|U|A|P|R|S|F|                               |
  //  | Offset| Rsrvd |W|C|R|C|S|S|Y|I|            Window             |
  //  |       |       |R|E|G|K|H|T|N|N|                               |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  //  |           Checksum            |         Urgent Pointer        |
  //  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
  /// - Parameter end: where the segment ended on the wire, by the IP header; may lie past `bytes`.
  /// - Returns: nil when the header is cut off or contradicts itself.
  static func parse(_ bytes: RawSpan, at start: Int, end: Int) -> Segment? {
    let captured = min(end, bytes.byteCount)
    guard start &+ 20 <= captured else { return nil }
    let header = Int(bytes.byte(at: start &+ 12) >> 4) &* 4
    guard header >= 20, start &+ header <= end else { return nil }
    let payload = start &+ header
    return Segment(
      sourcePort: bytes.uint16(at: start), destinationPort: bytes.uint16(at: start &+ 2),
      sequence: SequenceNumber(bytes.uint32(at: start &+ 4)),
      acknowledgement: SequenceNumber(bytes.uint32(at: start &+ 8)),
      flags: Flags(rawValue: bytes.byte(at: start &+ 13)),
      start: start, payload: min(payload, captured), length: end &- payload,
      captured: max(captured &- payload, 0))
  }

  /// The addresses and the segment of the packet that nearly all are: IPv4 without options or
  /// fragments, carrying TCP. It checks every byte it relies on, so that all other packets take the
  /// slow path, and the result is the same.
  ///
  /// - Parameter network: where IP begins, from `LinkType.usualNetwork`.
  @inline(__always)
  static func predict(
    _ bytes: RawSpan, at network: Int
  ) -> (addresses: FlowTable.Addresses, segment: Segment)? {
    guard bytes.byteCount >= network &+ 40 else { return nil }
    let start = network &+ 20
    let total = Int(bytes.uint16(at: network &+ 2))
    // Version and header length; fragment offset and "more fragments"; protocol.
    guard bytes.byte(at: network) == 0x45, bytes.uint16(at: network &+ 6) & 0x3FFF == 0,
      bytes.byte(at: network &+ 9) == Datagram.tcp
    else { return nil }
    let form = bytes.uint16(at: start &+ 12)
    let header = Int(form >> 12) &* 4
    let end = network &+ total
    let payload = start &+ header
    // Packets that were cut, or whose headers contradict each other, take the slow path.
    guard header >= 20, payload <= end, end <= bytes.byteCount else { return nil }
    let segment = Segment(
      sourcePort: bytes.uint16(at: start), destinationPort: bytes.uint16(at: start &+ 2),
      sequence: SequenceNumber(bytes.uint32(at: start &+ 4)),
      acknowledgement: SequenceNumber(bytes.uint32(at: start &+ 8)),
      flags: Flags(rawValue: UInt8(truncatingIfNeeded: form)), start: start, payload: payload,
      length: end &- payload, captured: end &- payload)
    let addresses = FlowTable.Addresses(
      source: bytes.uint32(at: network &+ 12), destination: bytes.uint32(at: network &+ 16))
    return (addresses, segment)
  }

  /// The same for Ethernet, the most frequent link type: all offsets are constants.
  @inline(__always)
  static func predict(
    in ethernet: RawSpan
  ) -> (addresses: FlowTable.Addresses, segment: Segment)? {
    guard let network = LinkType.ethernet.usualNetwork(in: ethernet) else { return nil }
    return predict(ethernet, at: network)
  }
}
