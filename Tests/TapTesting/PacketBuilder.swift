// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Builds packets with correct lengths: a link header, IPv4 or IPv6, TCP. Everything that a test
/// needs to be wrong can be set.
public struct PacketBuilder: Sendable {
  public enum Framing: Sendable, CaseIterable {
    case ethernet, snap, vlan, doubleVLAN, pppoe
    case cooked, cooked2, null, nullSwapped, loop, raw, bare

    /// The LINKTYPE_ value.
    public func linkType(isIPv6: Bool) -> UInt16 {
      switch self {
      case .ethernet, .snap, .vlan, .doubleVLAN, .pppoe: 1
      case .cooked: 113
      case .cooked2: 276
      case .null, .nullSwapped: 0
      case .loop: 108
      case .raw: 101
      case .bare: isIPv6 ? 229 : 228
      }
    }
  }

  public struct TCP: Sendable {
    public static let fin: UInt8 = 1
    public static let syn: UInt8 = 2
    public static let rst: UInt8 = 4
    public static let ack: UInt8 = 16

    public var sequence: UInt32
    public var acknowledgement: UInt32
    public var flags: UInt8
    public var options: [UInt8] = []

    public init(_ sequence: UInt32, _ acknowledgement: UInt32, _ flags: UInt8) {
      (self.sequence, self.acknowledgement, self.flags) = (sequence, acknowledgement, flags)
    }
  }

  public var framing = Framing.ethernet
  public var isIPv6 = false
  /// IPv4 options, a multiple of four bytes.
  public var ipOptions: [UInt8] = []
  /// IPv6 extension headers, the first of this kind; each begins with the kind of the next.
  public var extensions: (kind: UInt8, octets: [UInt8])?
  /// The kind of TCP checksum.
  public enum Checksums: Sendable {
    case none, right, wrong, pseudoHeader
  }

  public var checksums = Checksums.none
  /// Overrides the length field of the IP header.
  public var lengthField: UInt16?

  public init(_ framing: Framing = .ethernet, isIPv6: Bool = false) {
    (self.framing, self.isIPv6) = (framing, isIPv6)
  }

  public var linkType: UInt16 { framing.linkType(isIPv6: isIPv6) }

  public func packet(
    from source: Endpoint, to destination: Endpoint, _ tcp: TCP, _ payload: [UInt8] = []
  ) -> [UInt8] {
    var segment = Self.segment(from: source.port, to: destination.port, tcp, payload)
    let pseudo =
      source.address + destination.address + Self.big(UInt32(segment.count)) + [0, 0, 0, 6]
    let sum: UInt16 =
      switch checksums {
      case .none: 0
      case .right: Self.checksum(pseudo + segment)
      case .wrong: Self.checksum(pseudo + segment) ^ 0x55
      case .pseudoHeader: ~Self.checksum(pseudo)
      }
    segment.replaceSubrange(16..<18, with: Self.big(sum))
    return framed(datagram(from: source.address, to: destination.address, segment))
  }

  public static func segment(
    from source: UInt16, to destination: UInt16, _ tcp: TCP, _ payload: [UInt8]
  ) -> [UInt8] {
    big(source) + big(destination) + big(tcp.sequence) + big(tcp.acknowledgement)
      + [UInt8((20 + tcp.options.count) / 4) << 4, tcp.flags, 0xFF, 0xFF, 0, 0, 0, 0]
      + tcp.options + payload
  }

  /// An IP packet. For an IPv4 fragment, `place` is the field with flags and offset.
  public func datagram(
    from source: [UInt8], to destination: [UInt8], _ payload: [UInt8], upper: UInt8 = 6,
    identification: UInt16 = 1, place: UInt16 = 0
  ) -> [UInt8] {
    if isIPv6 {
      let body = (extensions?.octets ?? []) + payload
      return [0x60, 0, 0, 0] + Self.big(lengthField ?? UInt16(body.count))
        + [extensions?.kind ?? upper, 64] + source + destination + body
    }
    let header = 20 + ipOptions.count
    var octets: [UInt8] = [UInt8(0x40 | header / 4), 0]
    octets += Self.big(lengthField ?? UInt16(header + payload.count))
    octets += Self.big(identification) + Self.big(place) + [64, upper, 0, 0]
    octets += source + destination + ipOptions
    let sum = Self.checksum(octets)
    octets[10] = UInt8(sum >> 8)
    octets[11] = UInt8(sum & 0xFF)
    return octets + payload
  }

  /// Puts the link header before an IP packet.
  public func framed(_ datagram: [UInt8]) -> [UInt8] {
    let type: [UInt8] = isIPv6 ? [0x86, 0xDD] : [0x08, 0x00]
    let addresses = [UInt8](repeating: 2, count: 12)
    let family: UInt8 = isIPv6 ? 30 : 2
    let header: [UInt8] =
      switch framing {
      case .ethernet: addresses + type
      case .snap:
        addresses + Self.big(UInt16(datagram.count + 8)) + [0xAA, 0xAA, 3, 0, 0, 0] + type
      case .vlan: addresses + [0x81, 0, 0, 10] + type
      case .doubleVLAN: addresses + [0x88, 0xA8, 0, 10, 0x81, 0, 0, 20] + type
      case .pppoe:
        addresses + [0x88, 0x64, 0x11, 0, 0, 1] + Self.big(UInt16(datagram.count + 2))
          + (isIPv6 ? [0, 0x57] : [0, 0x21])
      case .cooked: [0, 0, 0, 1, 0, 6] + addresses.prefix(8) + type
      case .cooked2: type + [0, 0, 0, 0, 0, 2, 0, 1, 0, 6] + addresses.prefix(8)
      case .null: [0, 0, 0, family]
      case .nullSwapped: [family, 0, 0, 0]
      case .loop: [0, 0, 0, family]
      case .raw, .bare: []
      }
    return header + datagram
  }

  /// RFC 1071.
  public static func checksum(_ octets: [UInt8]) -> UInt16 {
    var sum: UInt32 = 0
    for index in stride(from: 0, to: octets.count - 1, by: 2) {
      sum += UInt32(octets[index]) << 8 | UInt32(octets[index + 1])
    }
    if octets.count % 2 == 1 { sum += UInt32(octets[octets.count - 1]) << 8 }
    while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
    return ~UInt16(sum)
  }

  public static func big(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
  public static func big(_ value: UInt32) -> [UInt8] {
    big(UInt16(value >> 16)) + big(UInt16(value & 0xFFFF))
  }
}
