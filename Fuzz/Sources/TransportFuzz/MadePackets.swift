// SPDX-License-Identifier: Apache-2.0

/// Packets made of the input, eight bytes of it for each: mostly right, wrong where it hurts.
struct MadePackets {
  typealias Made = (linkType: UInt16, packet: [UInt8], wait: Int64, captured: Int)

  private static let linkTypes: [UInt16] = [1, 0, 12, 14, 101, 108, 113, 228, 229, 276, 147]

  private let script: UnsafeRawBufferPointer
  private let isHonest: Bool
  private var at = 0
  private var waiting: [Made] = []
  /// The next number of each side of each connection.
  private var numbers = [UInt32](repeating: 0xFFFF_FF00, count: 16)

  /// - Parameter isHonest: what stands in the packets is the same wherever they overlap.
  init(_ script: UnsafeRawBufferPointer, isHonest: Bool) {
    (self.script, self.isHonest) = (script, isHonest)
  }

  mutating func next() -> Made? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard at + 8 <= script.count else { return nil }
    let order = UnsafeRawBufferPointer(rebasing: script[at..<at + 8])
    at += 8
    // What: side, connection, IPv6, fragmented, how the number is moved.
    let what = order[0]
    let side = Int(what & 15)
    let isIPv6 = what & 16 != 0
    let linkType = Self.linkTypes[Int(order[1]) % Self.linkTypes.count]
    let flags = order[2]
    let length = Int(order[3]) * (what & 32 != 0 ? 8 : 1)
    let shift = Int32(Int8(bitPattern: order[4])) &* (what & 64 != 0 ? 512 : 1)
    let wait = Int64(order[5]) * 40_000_000
    let acknowledged = numbers[side ^ 1] &+ UInt32(bitPattern: Int32(Int8(bitPattern: order[6])))
    let number = numbers[side] &+ UInt32(bitPattern: shift)
    if shift >= 0 {
      numbers[side] = number &+ UInt32(length) &+ UInt32(flags & 1) &+ UInt32(flags >> 1 & 1)
    }
    let client: [UInt8] = [200, UInt8(side / 2)]
    let ports: [UInt8] = side & 1 == 0 ? client + [31, 144] : [31, 144] + client
    var segment = ports
    segment.reserveCapacity(20 + length)
    segment += Self.big(number)
    segment += Self.big(acknowledged)
    segment += [0x50, flags & 0x3F, 0xFF, 0xFF, 0, 0, 0, 0]
    // A SYN counts for one.
    let first = number &+ (flags & 2 != 0 ? 1 : 0)
    for place in 0..<UInt32(length) { segment.append(UInt8(truncatingIfNeeded: first &+ place)) }
    // A cut, or fields that lie.
    let lie = isHonest ? order[7] & 0x7E : order[7]
    if lie & 0xF0 == 0xF0 { segment[12] = lie << 4 }
    var pieces = [(offset: 0, bytes: segment, isLast: true)]
    if what & 128 != 0 && segment.count > 24 {
      let cut = (segment.count / 2) & ~7
      pieces = [
        (0, Array(segment[..<cut]), false),
        (lie & 1 == 0 ? cut : cut - 8, Array(segment[cut...]), true),
      ]
      if lie & 2 != 0 { pieces.reverse() }
      if lie & 4 != 0 { pieces.append(pieces[0]) }
    }
    // What is the same for two datagrams mixes them.
    let name = isHonest ? UInt16(truncatingIfNeeded: at / 8) : UInt16(side)
    for piece in pieces {
      let datagram =
        isIPv6
        ? Self.ipv6(piece, side, name, isFragment: pieces.count > 1)
        : Self.ipv4(piece, side, name, lie: lie)
      let packet = Self.link(linkType, isIPv6: isIPv6) + datagram
      let captured = lie & 0xC0 == 0x40 ? packet.count * Int(lie & 63) / 64 : packet.count
      waiting.append((linkType, packet, wait, captured))
    }
    return waiting.removeFirst()
  }

  private static func ipv4(
    _ piece: (offset: Int, bytes: [UInt8], isLast: Bool), _ side: Int, _ name: UInt16, lie: UInt8
  ) -> [UInt8] {
    let place = UInt16(piece.offset / 8) | (piece.isLast ? 0 : 0x2000)
    let length = lie == 0x3F ? 0 : UInt16(20 + piece.bytes.count)
    let ends: [UInt8] =
      side & 1 == 0 ? [10, 0, 0, 7, 10, 0, 0, 1] : [10, 0, 0, 1, 10, 0, 0, 7]
    return [0x45, 0] + big(length) + big(name) + big(place) + [64, 6, 0, 0] + ends
      + piece.bytes
  }

  private static func ipv6(
    _ piece: (offset: Int, bytes: [UInt8], isLast: Bool), _ side: Int, _ name: UInt16,
    isFragment: Bool
  ) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: 14)
    let (client, server): ([UInt8], [UInt8]) = ([0xFD] + zeros + [7], [0xFD] + zeros + [1])
    var body = piece.bytes
    if isFragment {
      let place = UInt16(piece.offset & ~7) | (piece.isLast ? 0 : 1)
      body = [6, 0] + big(place) + [0, 0] + big(name) + body
    }
    return [0x60, 0, 0, 0] + big(UInt16(body.count)) + [isFragment ? 44 : 6, 64]
      + (side & 1 == 0 ? client + server : server + client) + body
  }

  private static func link(_ type: UInt16, isIPv6: Bool) -> [UInt8] {
    let ether: [UInt8] = isIPv6 ? [0x86, 0xDD] : [8, 0]
    let addresses = [UInt8](repeating: 2, count: 12)
    switch type {
    case 1: return addresses + ether
    case 0, 108: return [0, 0, 0, isIPv6 ? 30 : 2]
    case 113: return [0, 0, 0, 1, 0, 6] + addresses.prefix(8) + ether
    case 276: return ether + [0, 0, 0, 0, 0, 2, 0, 1, 0, 6] + addresses.prefix(8)
    default: return []
    }
  }

  private static func big(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
  private static func big(_ value: UInt32) -> [UInt8] {
    big(UInt16(value >> 16)) + big(UInt16(value & 0xFFFF))
  }
}
