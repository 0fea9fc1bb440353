// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The slow path for packets: other link layers, IPv6, fragments, tunnels, and packets that cannot
/// be read.
extension Transport {
  /// What accompanies a packet on the way through its headers.
  struct Passage {
    var packet: Packet
    var stamp: PacketStamp
    /// Bytes of the packet that were captured.
    var captured: Int
    /// How many tunnel headers were removed.
    var tunnels = 0
    /// The number of the innermost network or place.
    var network: UInt32 = 0
  }

  @inline(never)
  mutating func receiveUnusual(_ bytes: RawSpan, _ packet: Packet, _ listener: any Listener) {
    guard let linkType = LinkType(rawValue: packet.linkType) else {
      return reportUnknown(packet, listener)
    }
    let stamp = PacketStamp(packet, clock: shared.clock)
    if let network = linkType.usualNetwork(in: bytes),
      let usual = Segment.predict(bytes, at: network)
    {
      return receive(bytes, usual.segment, usual.addresses, stamp, listener)
    }
    var passage = Passage(packet: packet, stamp: stamp, captured: bytes.byteCount)
    guard let network = linkType.network(in: bytes) else { return refuse(passage, listener) }
    if network.identifier != 0 {
      passage.network = networks.number(of: network.identifier, in: 0) ?? 0
    }
    let wireEnd = max(Int(packet.originalLength), bytes.byteCount)
    receive(network, in: bytes, wireEnd: wireEnd, passage, listener)
  }

  /// - Parameter wireEnd: where the packet, or the packet inside the tunnel, ended on the wire.
  private mutating func receive(
    _ network: Network, in bytes: RawSpan, wireEnd: Int, _ passage: Passage,
    _ listener: any Listener
  ) {
    let parsed: Datagram?
    switch network.etherType {
    case Network.ipv4: parsed = IPv4.parse(bytes, at: network.offset, wireEnd: wireEnd)
    case Network.ipv6: parsed = IPv6.parse(bytes, at: network.offset, wireEnd: wireEnd)
    case Network.mpls, Network.mplsMulticast:
      guard let inner = MPLS.network(in: bytes, at: network.offset) else {
        return refuse(passage, listener)
      }
      return enter(inner, in: bytes, wireEnd: wireEnd, passage, listener)
    case Network.macsec: return pass(.macsec, passage, listener)
    default: return listener.count(.packetNotTCP, 1)
    }
    guard let datagram = parsed else { return refuse(passage, listener) }
    if datagram.fragment != nil { return receiveFragment(bytes, datagram, passage, listener) }
    receive(datagram, in: bytes, nil, passage, listener)
  }

  /// - Parameter addresses: of the datagram, if they are known already.
  private mutating func receive(
    _ datagram: Datagram, in bytes: RawSpan, _ addresses: FlowTable.Addresses?,
    _ passage: Passage, _ listener: any Listener
  ) {
    var datagram = datagram
    // RFC 4302: another authentication header follows, unencrypted.
    if datagram.upper == 51, !IPv6.skipExtensions(&datagram, in: bytes) {
      return refuse(passage, listener)
    }
    guard datagram.upper == Datagram.tcp else {
      // Bytes after the datagram are padding of the link layer.
      let own = bytes.extracting(0..<min(datagram.end, bytes.byteCount))
      return receiveTunnel(datagram, in: own, passage, listener)
    }
    guard let segment = Segment.parse(bytes, at: datagram.start, end: datagram.end) else {
      return refuse(passage, listener)
    }
    let known = addresses ?? flows.addresses(of: datagram, in: bytes, passage.network)
    receive(bytes, segment, known, passage.stamp, listener)
  }

  private mutating func receiveTunnel(
    _ datagram: Datagram, in bytes: RawSpan, _ passage: Passage, _ listener: any Listener
  ) {
    switch Tunnel.content(of: datagram, in: bytes) {
    case .network(let network):
      enter(network, in: bytes, wireEnd: datagram.end, passage, listener)
    case .unread(let kind): pass(kind, passage, listener)
    case .other: listener.count(.packetNotTCP, 1)
    case .malformed: refuse(passage, listener)
    }
  }

  /// Continues with the content of a tunnel.
  private mutating func enter(
    _ network: Network, in bytes: RawSpan, wireEnd: Int, _ passage: Passage,
    _ listener: any Listener
  ) {
    var inner = passage
    inner.tunnels &+= 1
    if inner.tunnels > shared.limits.tunnels { return pass(.tooDeep, passage, listener) }
    if network.identifier != 0 {
      guard let number = networks.number(of: network.identifier, in: passage.network) else {
        return pass(.tooMany, passage, listener)
      }
      inner.network = number
    }
    receive(network, in: bytes, wireEnd: wireEnd, inner, listener)
  }

  private mutating func receiveFragment(
    _ bytes: RawSpan, _ datagram: Datagram, _ passage: Passage, _ listener: any Listener
  ) {
    guard let fragment = datagram.fragment else { return }
    isFragment = true
    let mayBeTCP =
      datagram.isIPv6 ? IPv6.mayCarryTCP(datagram.upper) : datagram.upper == Datagram.tcp
    guard mayBeTCP || Tunnel.mayCarry(datagram.upper) else {
      return listener.count(.packetNotTCP, 1)
    }
    let captured = min(datagram.end, bytes.byteCount)
    let payload = bytes.extracting(min(datagram.start, captured)..<captured)
    let addresses = flows.addresses(of: datagram, in: bytes, passage.network)
    if flows.wasRenumbered {
      flows.wasRenumbered = false
      fragments.finish("too many addresses are in use", listener)
    }
    let key = addresses.key(of: fragment, upper: datagram.upper)
    if datagram.upper == Datagram.udp, !fragments.hasBegun(key) {
      if fragment.offset > 0 {
        return fragments.keepEarly(
          payload, fragment, of: datagram, key, passage.stamp, shared, listener)
      }
      if !fragments.beginUDP(key, isTunnel: UDP.isForTunnel(payload), shared.clock, listener) {
        return
      }
    }
    let outcome = fragments.receive(
      payload, fragment, of: datagram, key, passage.stamp, shared, listener)
    switch outcome {
    case .waiting: return
    case .contradictory: listener.count(.packetMalformed, 1)
    case .whole(let whole):
      var inner = datagram
      (inner.upper, inner.start, inner.end) = (whole.upper ?? 0, 0, whole.octets.count)
      inner.fragment = nil
      let octets = whole.octets.span.bytes
      if inner.isIPv6 {
        guard IPv6.skipExtensions(&inner, in: octets), inner.fragment == nil else {
          return listener.count(.packetMalformed, 1)
        }
      }
      receive(inner, in: octets, addresses, passage, listener)
    }
  }

  /// Counts a packet with a header that is cut off or contradicts itself.
  private mutating func refuse(_ passage: Passage, _ listener: any Listener) {
    listener.count(.packetMalformed, 1)
    let length = Int(passage.packet.originalLength)
    if length > passage.captured && !hasReportedCut && !passage.packet.isInterrupted {
      reportCut(
        "\(passage.captured) of its \(length) bytes, without all its headers", passage.stamp,
        listener)
    }
  }

  /// Counts a packet of a tunnel that is not read.
  private mutating func pass(
    _ kind: UnreadTunnel, _ passage: Passage, _ listener: any Listener
  ) {
    listener.count(.packetNotTCP, 1)
    if let index = unreadTunnels.firstIndex(where: { $0.kind == kind }) {
      unreadTunnels[index].packets &+= 1
    } else {
      unreadTunnels.append((kind, 1, passage.stamp))
    }
  }

  /// Unread tunnels may hold the traffic the user looks for, above all if nothing else was
  /// captured.
  mutating func reportTunnels(_ listener: any Listener) {
    for (kind, packets, first) in unreadTunnels {
      let what = packets == 1 ? "1 packet is" : "\(packets) packets are"
      listener.finding(
        .unreadTunnel, flows.hasHadAny ? .note : .warning,
        first.origin(flow: 0, .unknown, offset: 0),
        "\(what) of a tunnel, \(kind.name): its content is not read")
    }
    unreadTunnels = []
  }

  private mutating func reportUnknown(_ packet: Packet, _ listener: any Listener) {
    listener.count(.packetNotTCP, 1)
    if unknownLinkTypes.count >= 64 || unknownLinkTypes.contains(packet.linkType) { return }
    unknownLinkTypes.append(packet.linkType)
    let stamp = PacketStamp(packet, clock: shared.clock)
    let hint =
      packet.linkType == LinkType.exportedPDU
      ? ": Wireshark has exported them from a capture, which can be read, with --keylog if need be"
      : ""
    listener.finding(
      .unknownLinkType, .warning, stamp.origin(flow: 0, .unknown, offset: 0),
      "packets of link type \(packet.linkType) cannot be read and are left out\(hint)")
  }
}
