// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The payload of IP other than TCP: packets of another network in a tunnel, or something else.
enum Tunnel {
  /// What follows the header of a tunnel.
  enum Content {
    case network(Network)
    /// A tunnel that is not read.
    case unread(UnreadTunnel)
    /// Not a tunnel.
    case other
    /// A header is cut off or contradicts itself.
    case malformed

    /// The same, with the identifier of its network within this kind of tunnel.
    func of(_ kind: UInt64, _ number: UInt32) -> Content {
      guard case .network(var network) = self else { return self }
      network.identifier = kind << 32 | UInt64(number)
      return .network(network)
    }
  }

  /// Content of IP in IP (RFC 2003, RFC 2473, RFC 4213), GRE, EtherIP (RFC 3378), and tunnels over
  /// UDP.
  ///
  /// - Parameter bytes: without anything after the datagram.
  static func content(of datagram: Datagram, in bytes: RawSpan) -> Content {
    let at = datagram.start
    return switch datagram.upper {
    case 4: .network(Network(etherType: Network.ipv4, offset: at))
    case 41: .network(Network(etherType: Network.ipv6, offset: at))
    case Datagram.udp: UDP.content(in: bytes, at: at)
    case 47: GRE.content(in: bytes, at: at)
    case 50: .unread(.ipsec)
    case 97: network(Ethernet.network(in: bytes, at: at &+ 2))
    case 115: .unread(.l2tp)
    case 137: .network(Network(etherType: Network.mpls, offset: at))
    default: .other
    }
  }

  /// Whether a datagram with this protocol may be a tunnel, so that its fragments are worth
  /// keeping. Of UDP, only those whose first fragment goes to a tunnel's port.
  static func mayCarry(_ upper: UInt8) -> Bool {
    switch upper {
    case 4, Datagram.udp, 41, 47, 51, 97, 137: true
    default: false
    }
  }

  static func network(_ network: Network?) -> Content { network.map { .network($0) } ?? .malformed }

  /// The content of a tunnel whose header has an EtherType.
  ///
  /// - Parameter kind: the tunnel, reported if its content cannot be read.
  static func network(
    _ type: UInt16, in bytes: RawSpan, at offset: Int, of kind: UnreadTunnel
  ) -> Content {
    if type == transparentBridging { return network(Ethernet.network(in: bytes, at: offset)) }
    guard let network = Ethernet.untagged(type, in: bytes, at: offset) else { return .malformed }
    return network.isReadable ? .network(network) : .unread(kind)
  }

  /// The EtherType of a whole Ethernet frame (RFC 1701 §5).
  private static let transparentBridging: UInt16 = 0x6558
}
