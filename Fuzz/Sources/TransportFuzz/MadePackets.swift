// SPDX-License-Identifier: Apache-2.0

/// Packets made from the input, eight bytes for each: mostly valid, with critical faults.
struct MadePackets {
  typealias Made = (linkType: UInt16, packet: [UInt8], wait: Int64, captured: Int)

  private static let linkTypes: [UInt16] = [1, 0, 12, 14, 101, 108, 113, 228, 229, 276, 147]

  private let script: UnsafeRawBufferPointer
  private let isHonest: Bool
  private var at = 0
  private var waiting: [Made] = []
  /// The next sequence number of each side of each connection.
  private var numbers = [UInt32](repeating: 0xFFFF_FF00, count: 16)

  /// - Parameter isHonest: overlapping packets contain the same bytes.
  init(_ script: UnsafeRawBufferPointer, isHonest: Bool) {
    (self.script, self.isHonest) = (script, isHonest)
  }

  mutating func next() -> Made? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard at + 8 <= script.count else { return nil }
    let order = UnsafeRawBufferPointer(rebasing: script[at..<at + 8])
    at += 8
    // Side, connection, IPv6, fragmentation, and the shift of the sequence number.
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
    var segment: [UInt8] = []
    segment.reserveCapacity(20 + length)
    let client = UInt16(200 << 8 | side / 2)
    for port in side & 1 == 0 ? [client, 8080] : [8080, client] { segment.append(big: port) }
    segment.append(big: number)
    segment.append(big: acknowledged)
    segment += [0x50, flags & 0x3F, 0xFF, 0xFF, 0, 0, 0, 0]
    // A SYN counts for one.
    let first = number &+ (flags & 2 != 0 ? 1 : 0)
    for place in 0..<UInt32(length) { segment.append(UInt8(truncatingIfNeeded: first &+ place)) }
    // Truncation, or wrong fields.
    let lie = isHonest ? order[7] & 0x7E : order[7]
    if lie & 0xF0 == 0xF0 { segment[12] = lie << 4 }
    // Equal identifications mix the fragments of two datagrams.
    let name = isHonest ? UInt16(truncatingIfNeeded: at / 8) : UInt16(side)
    let isFragmented = what & 128 != 0 && segment.count > 24
    func add(_ range: Range<Int>, at offset: Int, isLast: Bool) {
      var packet: [UInt8] = []
      packet.reserveCapacity(80 + range.count)
      Self.appendLink(linkType, isIPv6: isIPv6, to: &packet)
      let fragment = (offset: offset, isLast: isLast, isOne: isFragmented)
      if isIPv6 {
        Self.appendIPv6(fragment, range.count, side, name, to: &packet)
      } else {
        Self.appendIPv4(fragment, range.count, side, name, lie: lie, to: &packet)
      }
      packet += segment[range]
      let captured = lie & 0xC0 == 0x40 ? packet.count * Int(lie & 63) / 64 : packet.count
      waiting.append((linkType, packet, wait, captured))
    }
    if isFragmented {
      let cut = (segment.count / 2) & ~7
      add(0..<cut, at: 0, isLast: false)
      add(cut..<segment.count, at: lie & 1 == 0 ? cut : cut - 8, isLast: true)
      if lie & 2 != 0 { waiting.swapAt(0, 1) }
      if lie & 4 != 0 { waiting.append(waiting[0]) }
    } else {
      add(0..<segment.count, at: 0, isLast: true)
    }
    return waiting.removeFirst()
  }

  /// A fragment of a datagram, or all of it.
  private typealias Fragment = (offset: Int, isLast: Bool, isOne: Bool)

  private static let both: [UInt8] = [10, 0, 0, 7, 10, 0, 0, 1, 10, 0, 0, 7]

  private static func appendIPv4(
    _ fragment: Fragment, _ count: Int, _ side: Int, _ name: UInt16, lie: UInt8,
    to packet: inout [UInt8]
  ) {
    packet.append(big: 0x4500 as UInt16)
    packet.append(big: lie == 0x3F ? 0 : UInt16(20 + count))
    packet.append(big: name)
    packet.append(big: UInt16(fragment.offset / 8) | (fragment.isLast ? 0 : 0x2000))
    packet.append(big: 0x4006_0000 as UInt32)
    packet += both[(side & 1) * 4..<(side & 1) * 4 + 8]
  }

  private static func appendIPv6(
    _ fragment: Fragment, _ count: Int, _ side: Int, _ name: UInt16, to packet: inout [UInt8]
  ) {
    packet.append(big: 0x6000_0000 as UInt32)
    packet.append(big: UInt16(count + (fragment.isOne ? 8 : 0)))
    packet += [fragment.isOne ? 44 : 6, 64]
    for end in side & 1 == 0 ? [7, 1] as [UInt8] : [1, 7] {
      packet.append(0xFD)
      for _ in 0..<14 { packet.append(0) }
      packet.append(end)
    }
    if !fragment.isOne { return }
    packet.append(big: 0x0600 as UInt16)
    packet.append(big: UInt16(fragment.offset & ~7) | (fragment.isLast ? 0 : 1))
    packet.append(big: UInt32(name))
  }

  private static func appendLink(_ type: UInt16, isIPv6: Bool, to packet: inout [UInt8]) {
    let ether: UInt16 = isIPv6 ? 0x86DD : 0x0800
    func appendAddress(_ count: Int) { for _ in 0..<count { packet.append(2) } }
    switch type {
    case 1:
      appendAddress(12)
      packet.append(big: ether)
    case 0, 108: packet.append(big: isIPv6 ? 30 : 2 as UInt32)
    case 113:
      packet.append(big: 1 as UInt32)
      packet.append(big: 6 as UInt16)
      appendAddress(8)
      packet.append(big: ether)
    case 276:
      packet.append(big: ether)
      packet += [0, 0, 0, 0, 0, 2, 0, 1, 0, 6]
      appendAddress(8)
    default: break
    }
  }
}

extension [UInt8] {
  /// In big-endian order.
  fileprivate mutating func append(big value: UInt16) {
    append(UInt8(value >> 8))
    append(UInt8(value & 0xFF))
  }

  fileprivate mutating func append(big value: UInt32) {
    append(big: UInt16(value >> 16))
    append(big: UInt16(value & 0xFFFF))
  }
}
