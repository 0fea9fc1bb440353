// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapTransport

/// What is predicted of a packet is what the headers say when they are read one by one.
@Suite struct PredictionTests {
  /// The long way, as far as a prediction may go: nil for whatever is not one plain TCP segment.
  private func read(
    _ bytes: [UInt8], _ link: LinkType
  ) -> (source: UInt32, destination: UInt32, segment: Segment)? {
    let span = bytes.span.bytes
    guard let network = link.network(in: span), network.etherType == Network.ipv4,
      let datagram = IPv4.parse(span, at: network.offset, wireEnd: bytes.count),
      datagram.fragment == nil, datagram.upper == Datagram.tcp,
      let segment = Segment.parse(span, at: datagram.start, end: datagram.end)
    else { return nil }
    return (span.uint32(at: datagram.source), span.uint32(at: datagram.destination), segment)
  }

  private func compare(_ bytes: [UInt8], _ link: LinkType) -> Bool {
    let span = bytes.span.bytes
    guard let network = link.usualNetwork(in: span),
      let predicted = Segment.predict(span, at: network)
    else { return false }
    guard let read = read(bytes, link) else {
      Issue.record("predicted what cannot be read: \(bytes)")
      return true
    }
    let (own, other) = (predicted.segment, read.segment)
    #expect(predicted.addresses.source == read.source)
    #expect(predicted.addresses.destination == read.destination)
    #expect(own.sourcePort == other.sourcePort && own.destinationPort == other.destinationPort)
    #expect(own.sequence == other.sequence && own.acknowledgement == other.acknowledgement)
    #expect(own.flags == other.flags && own.payload == other.payload)
    #expect(own.length == other.length && own.captured == other.captured)
    return true
  }

  private static let links: [LinkType] = [.ethernet, .raw, .linuxCooked, .linuxCooked2]

  private func header(_ link: LinkType) -> [UInt8] {
    switch link {
    case .linuxCooked: [0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0, 0x08, 0x00]
    case .linuxCooked2: [0x08, 0x00, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0]
    case .ethernet: [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00]
    default: []
    }
  }

  private func packet(_ payload: Int, options: Int = 0, _ link: LinkType) -> [UInt8] {
    var tcp = PacketBuilder.TCP(0x1122_3344, 0x5566_7788, PacketBuilder.TCP.ack)
    tcp.options = [UInt8](repeating: 1, count: options)
    let ethernet = PacketBuilder().packet(
      from: Endpoint(address: [10, 0, 0, 7], port: 51_234),
      to: Endpoint(address: [10, 1, 0, 1], port: 8080), tcp,
      [UInt8](repeating: 0x61, count: payload))
    return header(link) + ethernet.dropFirst(14)
  }

  @Test(arguments: [0, 1, 5, 100, 1400], [0, 12, 40])
  func usualPackets(payload: Int, options: Int) {
    for link in Self.links {
      #expect(compare(packet(payload, options: options, link), link))
      // Ethernet pads what is too short.
      #expect(compare(packet(payload, options: options, link) + [0, 0, 0, 0, 0, 0], link))
    }
  }

  @Test(arguments: links)
  func cutPackets(link: LinkType) {
    let whole = packet(20, link)
    for count in 0..<whole.count { #expect(!compare(Array(whole[..<count]), link)) }
  }

  @Test(arguments: links)
  func damagedPackets(link: LinkType) {
    var random = Seeded(12)
    for _ in 0..<20_000 {
      var bytes = packet(.random(in: 0...40, using: &random), options: 12, link)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<header(link).count + 40, using: &random)
        bytes[place] = .random(in: .min ... .max, using: &random)
      }
      _ = compare(bytes, link)
    }
  }
}
