// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// A classic pcap of microseconds, little-endian, taken apart and damaged.
struct PcapFile {
  struct Unreadable: Error {}

  enum Damage: CaseIterable, Sendable {
    case drop, cutPackets, behead, duplicateAndSwap, everything
  }

  var packets: [CaptureBuilder.Timed] = []
  var snaplen: UInt32 = 262_144
  private let linkType: UInt32

  init(_ file: [UInt8]) throws {
    func word(_ at: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(file[at + $1]) << UInt32(8 * $1) }
    }
    guard file.count >= 24, word(0) == 0xA1B2_C3D4 else { throw Unreadable() }
    linkType = word(20)
    var at = 24
    while at + 16 <= file.count {
      let length = Int(word(at + 8))
      guard length == Int(word(at + 12)), at + 16 + length <= file.count else { throw Unreadable() }
      let time = UInt64(word(at)) * 1_000_000_000 + UInt64(word(at + 4)) * 1000
      packets.append((time, Array(file[at + 16..<at + 16 + length])))
      at += 16 + length
    }
  }

  var bytes: [UInt8] {
    CaptureBuilder.pcap(packets: packets, linkType: linkType, snaplen: snaplen)
  }

  func damaged(_ damage: Damage, _ random: inout Seeded) -> PcapFile {
    var copy = self
    let all = damage == .everything
    if all || damage == .behead {
      copy.packets.removeFirst(Int.random(in: 0..<packets.count * 3 / 4, using: &random))
    }
    if all || damage == .drop {
      let percent = Int.random(in: 1...30, using: &random)
      copy.packets.removeAll { _ in Int.random(in: 0..<100, using: &random) < percent }
    }
    if all || damage == .duplicateAndSwap { copy.duplicateAndSwap(&random) }
    if all || damage == .cutPackets {
      copy.snaplen = UInt32.random(in: 60...(all ? 2000 : 700), using: &random)
    }
    return copy
  }

  private mutating func duplicateAndSwap(_ random: inout Seeded) {
    var at = 0
    while at < packets.count {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        packets.insert(packets[at], at: at)
        at += 2
      case 1 where at + 1 < packets.count:
        packets.swapAt(at, at + 1)
        at += 2
      default: at += 1
      }
    }
  }
}
