// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let throughTunnels = [
    Crafted("tcp/tunnels/input.pcap", tunnels),
    Crafted("tcp/tenants/input.pcap", tenants),
    Crafted("tcp/unread-tunnel/input.pcap", unreadTunnel),
  ]

  /// A session of which each packet has come through one of several tunnels.
  private static func tunnels() -> [UInt8] {
    var talk = Dialogue.chat()
    let builder = talk.conversation.builder
    func around(_ upper: UInt8, _ octets: [UInt8]) -> [UInt8] {
      builder.framed(
        builder.datagram(from: [192, 0, 2, 1], to: [192, 0, 2, 2], octets, upper: upper))
    }
    for at in talk.packets.indices {
      let frame = talk.packets[at].bytes
      let datagram = Array(frame.dropFirst(14))
      let udp = [0xC0, 0, 0x12, 0xB5, 0, 0, 0, 0] as [UInt8]
      let gpe = [0xC0, 0, 0x12, 0xB6, 0, 0, 0, 0] as [UInt8]
      talk.packets[at].bytes =
        switch at % 7 {
        case 0: around(4, datagram)
        case 1: around(47, [0, 0, 8, 0] + datagram)
        case 2: around(17, udp + [8, 0, 0, 0, 0, 0, 7, 0] + frame)
        case 3: Array(frame.prefix(12)) + [0x88, 0x47, 0, 1, 1, 64] + datagram
        case 4: around(17, gpe + [12, 0, 0, 1, 0, 0, 7, 0] + datagram)
        case 5:
          Array(frame.prefix(12)) + PacketBuilder.big(UInt16(datagram.count + 8))
            + [0xAA, 0xAA, 3, 0, 0, 0, 8, 0] + datagram
        default: around(47, [0x10, 0, 0x88, 0xBE, 0, 0, 0, 1, 16, 0, 0, 0, 0, 0, 0, 0] + frame)
        }
    }
    return talk.pcap()
  }

  /// A capture on the outside of a VPN.
  private static func unreadTunnel() -> [UInt8] {
    var talk = Dialogue()
    let builder = talk.conversation.builder
    for number in 1...4 as ClosedRange<UInt8> {
      let payload: [UInt8] = [0, 0, 1, 2, 0, 0, 0, number] + [UInt8](repeating: 0xA5, count: 48)
      talk.capture(
        builder.framed(
          builder.datagram(from: [192, 0, 2, 1], to: [192, 0, 2, 2], payload, upper: 50)))
    }
    return talk.pcap()
  }

  /// Two sessions with the same addresses and ports in two networks of VXLAN, at once; the packets
  /// of one of them are captured inside of the tunnel, too.
  private static func tenants() -> [UInt8] {
    var first = Dialogue.chat()
    var second = Dialogue(Conversation(clientStart: 2_000_000_000, serverStart: 3_000_000_000))
    second.open()
    second.join()
    second.text(.toServer, #"[48,1,{},"com.user.get",[123]]"#)
    second.text(.toClient, #"[50,1,{},[],{"userid":123}]"#)
    second.leave()
    let builder = first.conversation.builder
    let inside = second.packets
    for (network, isFirst) in [(7 as UInt8, true), (8, false)] {
      let packets = isFirst ? first.packets : second.packets
      let outside = packets.map { packet in
        let header: [UInt8] = [0xC0, 0, 0x12, 0xB5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, network, 0]
        var packet = packet
        packet.bytes = builder.framed(
          builder.datagram(
            from: [192, 0, 2, 1], to: [192, 0, 2, 2], header + packet.bytes, upper: 17))
        return packet
      }
      if isFirst { first.packets = outside } else { second.packets = outside }
    }
    first.packets = (first.packets + second.packets + inside).sorted { $0.time < $1.time }
    return first.pcap()
  }
}
