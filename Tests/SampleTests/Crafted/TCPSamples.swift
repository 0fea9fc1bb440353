// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let tcp = [
    Crafted("tcp/lost-packet/input.pcap", lostPacket),
    Crafted("tcp/one-direction/input.pcap", oneDirection),
    Crafted("tcp/copies/input.pcap", copies),
    Crafted("tcp/overlap/input.pcap", overlap),
    Crafted("tcp/damaged/input.pcap", damaged),
    Crafted("tcp/late/input.pcap", late),
    Crafted("tcp/reorder/input.pcap", reorder),
    Crafted("tcp/cut/input.pcap", cut),
    Crafted("tcp/fragments/input.pcap", fragments),
    Crafted("tcp/fragments-differ/input.pcap", fragmentsDiffer),
    Crafted("tcp/taken-back/input.pcap", takenBack),
    Crafted("tcp/strays/input.pcap", strays),
    Crafted("tcp/nat/input.pcap", nat),
    Crafted("tcp/directions/input.pcap", directions),
  ]

  /// A packet that holds exactly one message.
  private static func lostPacket() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    talk.event(71)
    talk.event(72)
    talk.drop()
    talk.event(73)
    talk.wait(milliseconds: 6000)
    talk.leave()
    return talk.pcap()
  }

  /// The capture saw the client only.
  private static func oneDirection() -> [UInt8] {
    let whole = Dialogue.chat()
    var half = whole
    let client: [UInt8] = [10, 0, 0, 7]
    half.packets = whole.packets.filter { Array($0.bytes[26..<30]) == client }
    return half.pcap()
  }

  /// Bytes that are sent again with another content, or with the same.
  private static func overlap() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    let first = Dialogue.frame(opcode: 1, masked: false, Array(Dialogue.event(71, "yes").utf8))
    let other = Dialogue.frame(opcode: 1, masked: false, Array(Dialogue.event(71, "no!").utf8))
    let next = Dialogue.frame(opcode: 1, masked: false, Array(Dialogue.event(72, "next").utf8))
    // All wait behind bytes that come last.
    talk.capture(talk.conversation.packet(.toClient, Array(first[4...]), shift: 4))
    talk.capture(talk.conversation.packet(.toClient, Array(other[4...]), shift: 4))
    talk.send(.toClient, first)
    talk.capture(talk.conversation.packet(.toClient, first, shift: -first.count))
    talk.send(.toClient, next)
    talk.leave()
    return talk.pcap()
  }

  /// A segment that is damaged on its way, and one that is not, but is sent again otherwise.
  private static func damaged() -> [UInt8] {
    var builder = PacketBuilder()
    builder.checksums = .right
    var talk = Dialogue(Conversation(builder))
    talk.open()
    talk.join()
    let call = Array("[48,1,{},\"com.user.get\",[123]]".utf8)
    var other = call
    other[other.count - 3] ^= 9
    talk.conversation.builder.checksums = .wrong
    talk.capture(
      talk.conversation.packet(.toServer, Dialogue.frame(opcode: 1, masked: true, other)))
    talk.conversation.builder.checksums = .right
    talk.wait(milliseconds: 200)
    talk.frame(.toServer, opcode: 1, call)
    talk.text(.toClient, "[50,1,{},[],{\"karma\":10}]")
    let late = Array("[50,1,{},[],{\"karma\":99}]".utf8)
    let copy = Dialogue.frame(opcode: 1, masked: false, late)
    talk.wait(milliseconds: 200)
    talk.capture(talk.conversation.packet(.toClient, copy, shift: -copy.count))
    talk.leave()
    return talk.pcap()
  }

  /// The second fragment comes twice, at first with other bytes.
  private static func fragmentsDiffer() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    talk.event(71, "what the first one says")
    let segment = Array(talk.packets.removeLast().bytes[34...])
    let conversation = talk.conversation
    let builder = conversation.builder
    var other = segment
    other[segment.count - 10] ^= 1
    for (octets, start, end) in [
      (segment, 0, 48), (other, 56, segment.count), (segment, 48, segment.count),
    ] {
      let place = UInt16(start / 8) | (end == segment.count ? 0 : 0x2000)
      talk.capture(
        builder.framed(
          builder.datagram(
            from: conversation.server.address, to: conversation.client.address,
            Array(octets[start..<end]), identification: 71, place: place)))
    }
    talk.event(72)
    talk.leave()
    return talk.pcap()
  }

  /// Each packet before and behind the translation of the server's address: what the client sends
  /// is captured before it first, and what the server sends, behind it.
  private static func nat() -> [UInt8] {
    var (talk, inside) = (Dialogue.chat(), Dialogue())
    for at in talk.packets.indices.reversed() {
      var copy = talk.packets[at]
      copy.time += 20_000
      for field in [26, 30] where Array(copy.bytes[field..<field + 4]) == [10, 0, 0, 1] {
        copy.bytes.replaceSubrange(field..<field + 4, with: [172, 17, 0, 2])
      }
      inside.packets.insert(copy, at: 0)
    }
    talk.packets = zip(talk.packets, inside.packets).flatMap { outer, inner in
      let isClient = Array(outer.bytes[26..<30]) == [10, 0, 0, 7]
      return [
        (outer.time, isClient ? outer.bytes : inner.bytes),
        (inner.time, isClient ? inner.bytes : outer.bytes),
      ] as [CaptureBuilder.Timed]
    }
    return talk.pcap()
  }

  /// A TAP with two cards, of which one has a clock that is behind.
  private static func directions() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    for number in 1...8 {
      talk.text(.toServer, "[48,\(number + 1),{},\"com.user.get\",[\(number)]]")
      talk.text(.toClient, "[50,\(number + 1),{},[{\"karma\":\(number)}]]")
    }
    talk.leave()
    let server: [UInt8] = [10, 0, 0, 1]
    for at in talk.packets.indices where Array(talk.packets[at].bytes[26..<30]) == server {
      talk.packets[at].time -= 5_000_000
    }
    talk.packets.sort { $0.time < $1.time }
    return talk.pcap()
  }

  /// A SYN, bytes and a reset that are not of the connection's ends, which go on.
  private static func strays() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    let other = Conversation(clientStart: 777_777)
    talk.capture(other.packet(.toServer, flags: PacketBuilder.TCP.syn))
    talk.capture(talk.conversation.acknowledge(.toClient))
    let garbage = [UInt8](repeating: 0x61, count: 40)
    talk.capture(talk.conversation.packet(.toClient, garbage, shift: 20_000))
    for number in 71...73 {
      talk.event(number)
      talk.capture(talk.conversation.acknowledge(.toServer))
      talk.wait(milliseconds: 4000)
    }
    talk.capture(talk.conversation.packet(.toClient, flags: PacketBuilder.TCP.rst))
    talk.event(74)
    talk.event(75)
    talk.leave()
    return talk.pcap()
  }

  /// Somebody acknowledges twice what the server has not sent.
  private static func takenBack() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    talk.event(71)
    let honest = talk.conversation
    talk.conversation.advance(.toClient, 1000)
    for _ in 0..<2 {
      talk.capture(talk.conversation.acknowledge(.toServer))
      talk.wait(milliseconds: 30)
    }
    talk.conversation = honest
    talk.event(72)
    talk.event(73)
    talk.leave()
    return talk.pcap()
  }

  /// A packet that comes when it was given up.
  private static func late() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    talk.event(71)
    let missing = talk.packets.removeLast()
    talk.event(72)
    talk.wait(milliseconds: 6000)
    talk.event(73)
    talk.capture(missing.bytes)
    talk.leave()
    return talk.pcap()
  }

  /// A capture on two interfaces that see the same packets.
  private static func copies() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    for number in 71...76 { talk.event(number) }
    talk.leave()
    for at in talk.packets.indices.reversed() {
      var copy = talk.packets[at]
      copy.time += 12_000
      talk.packets.insert(copy, at: at + 1)
    }
    return talk.pcap()
  }

  /// Packets that were captured in another order than they were sent.
  private static func reorder() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    for number in 71...74 { talk.event(number, "message number \(number)") }
    let count = talk.packets.count
    let bytes = talk.packets.map(\.bytes)
    for (place, other) in [(4, 2), (3, 4), (2, 1), (1, 3)] {
      talk.packets[count - place].bytes = bytes[count - other]
    }
    talk.leave()
    return talk.pcap()
  }

  /// One packet is cut within a message, one within the headers.
  private static func cut() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    talk.event(71, String(repeating: "y", count: 100))
    talk.cut(54 + 60)
    talk.event(72)
    talk.event(73)
    talk.cut(40)
    talk.event(74)
    talk.wait(milliseconds: 6000)
    talk.leave()
    return talk.pcap()
  }

  /// A segment in two fragments of IP, and another of which one is missing.
  private static func fragments() -> [UInt8] {
    var talk = Dialogue()
    talk.open()
    talk.join()
    talk.subscribe()
    for (number, isWhole) in [(71, true), (72, false)] {
      talk.event(number, "message number \(number) in two fragments")
      let whole = talk.packets.removeLast().bytes
      let segment = Array(whole[34...])
      let builder = talk.conversation.builder
      for (offset, piece) in [(0, segment[..<48]), (48, segment[48...])] {
        let isLast = offset > 0
        if isLast && !isWhole { continue }
        let place = UInt16(offset / 8) | (isLast ? 0 : 0x2000)
        talk.capture(
          builder.framed(
            builder.datagram(
              from: talk.conversation.server.address, to: talk.conversation.client.address,
              Array(piece), identification: UInt16(number), place: place)))
      }
    }
    talk.event(73)
    talk.wait(milliseconds: 6000)
    talk.leave()
    return talk.pcap()
  }
}
