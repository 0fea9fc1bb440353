// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Two ends of a TCP connection that track their sequence numbers: every method returns the packets
/// that it would send.
public struct Conversation: Sendable {
  public var builder: PacketBuilder
  public var client: Endpoint
  public var server: Endpoint
  /// The next sequence number of each side.
  public var clientNext: UInt32
  public var serverNext: UInt32

  public init(
    _ builder: PacketBuilder = PacketBuilder(), clientPort: UInt16 = 50_000,
    serverPort: UInt16 = 8080, clientStart: UInt32 = 1000, serverStart: UInt32 = 9000
  ) {
    self.builder = builder
    let prefix: [UInt8] =
      builder.isIPv6 ? [0xFD, 0x77] + [UInt8](repeating: 0, count: 12) : [10, 0]
    client = Endpoint(address: prefix + [0, 7], port: clientPort)
    server = Endpoint(address: prefix + [0, 1], port: serverPort)
    (clientNext, serverNext) = (clientStart, serverStart)
  }

  public mutating func handshake() -> [[UInt8]] {
    let syn = packet(.toServer, flags: PacketBuilder.TCP.syn)
    clientNext &+= 1
    let answer = packet(.toClient, flags: PacketBuilder.TCP.syn | PacketBuilder.TCP.ack)
    serverNext &+= 1
    return [syn, answer, acknowledge(.toServer)]
  }

  /// One segment.
  public mutating func send(_ direction: Direction, _ bytes: [UInt8]) -> [UInt8] {
    let made = packet(direction, bytes)
    advance(direction, bytes.count)
    return made
  }

  /// A pure ACK in this direction.
  public func acknowledge(_ direction: Direction) -> [UInt8] { packet(direction) }

  public mutating func fin(_ direction: Direction) -> [UInt8] {
    let made = packet(direction, flags: PacketBuilder.TCP.fin | PacketBuilder.TCP.ack)
    advance(direction, 1)
    return made
  }

  public func rst(_ direction: Direction) -> [UInt8] {
    packet(direction, flags: PacketBuilder.TCP.rst | PacketBuilder.TCP.ack)
  }

  /// A segment, optionally with a shifted sequence number, which does not advance the sender.
  public func packet(
    _ direction: Direction, _ bytes: [UInt8] = [], shift: Int = 0,
    flags: UInt8 = PacketBuilder.TCP.ack
  ) -> [UInt8] {
    let isUp = direction == .toServer
    let number = (isUp ? clientNext : serverNext) &+ UInt32(truncatingIfNeeded: shift)
    let hasACK = flags & PacketBuilder.TCP.ack != 0
    let other = hasACK ? (isUp ? serverNext : clientNext) : 0
    return builder.packet(
      from: isUp ? client : server, to: isUp ? server : client,
      PacketBuilder.TCP(number, other, flags), bytes)
  }

  public mutating func advance(_ direction: Direction, _ octets: Int) {
    if direction == .toServer {
      clientNext &+= UInt32(truncatingIfNeeded: octets)
    } else {
      serverNext &+= UInt32(truncatingIfNeeded: octets)
    }
  }
}
