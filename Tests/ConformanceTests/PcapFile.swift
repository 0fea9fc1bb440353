// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapInputs
import TapTesting
import TapTraffic

/// A classic pcap, taken apart and damaged.
struct PcapFile {
  struct Unreadable: Error {}

  enum Damage: CaseIterable, Sendable {
    case drop, burst, cutPackets, behead, truncate, duplicateAndSwap, everything
  }

  /// Time in nanoseconds since 1970, what was captured, and how many bytes more there were.
  typealias Captured = (time: UInt64, bytes: [UInt8], missing: Int)

  var packets: [Captured] = []
  var snaplen: UInt32 = 262_144
  private let linkType: UInt32
  /// Bytes at the end that the file lacks.
  private var truncated = 0

  /// A little-endian one of microseconds, whose packets are whole.
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
      packets.append((time, Array(file[at + 16..<at + 16 + length]), 0))
      at += 16 + length
    }
  }

  /// A capture of any kind with one type of link, as it was read: its packets, and the secrets that
  /// it brings. A packet in which the file ends is left out.
  static func read(_ file: [UInt8]) throws -> (file: PcapFile, keyLog: [UInt8]) {
    guard
      case .input(var input) = Inputs.recognise(
        file.span.bytes, isAll: true, input: 0, limits: Limits())
    else { throw Unreadable() }
    let recorder = SinkRecorder()
    input.receive(file.span.bytes, recorder)
    input.finish(recorder)
    let types = Set(recorder.packets.map(\.packet.linkType))
    guard types.count <= 1 else { throw Unreadable() }
    var read = PcapFile(linkType: UInt32(types.first ?? 1))
    for (packet, bytes) in recorder.packets where !packet.isInterrupted {
      let missing = Int(packet.originalLength) - bytes.count
      read.packets.append((UInt64(packet.time.nanoseconds), bytes, max(missing, 0)))
    }
    return (read, Array(recorder.keyLogs.joined()))
  }

  private init(linkType: UInt32) { self.linkType = linkType }

  var bytes: [UInt8] {
    let isFine = packets.contains { $0.time % 1000 != 0 }
    var cuts: [Int: Int] = [:]
    for (index, packet) in packets.enumerated() where packet.missing > 0 {
      cuts[index] = min(packet.bytes.count, Int(snaplen))
    }
    let whole = packets.map {
      ($0.time, $0.bytes + [UInt8](repeating: 0, count: $0.missing))
    }
    return CaptureBuilder.pcap(
      packets: whole, linkType: linkType, snaplen: snaplen, nanoseconds: isFine, cuts: cuts
    ).dropLast(truncated)
  }

  func damaged(_ damage: Damage, _ random: inout Seeded) -> PcapFile {
    var copy = self
    let all = damage == .everything
    if all || damage == .behead {
      copy.packets.removeFirst(Int.random(in: 0..<packets.count * 3 / 4, using: &random))
    }
    if all || damage == .burst {
      let first = Int.random(in: 0..<max(copy.packets.count, 1), using: &random)
      let count = Int.random(in: 1...20, using: &random)
      copy.packets.removeSubrange(first..<min(first + count, copy.packets.count))
    }
    if all || damage == .drop {
      let percent = Int.random(in: 1...30, using: &random)
      copy.packets.removeAll { _ in Int.random(in: 0..<100, using: &random) < percent }
    }
    if all || damage == .duplicateAndSwap { copy.duplicateAndSwap(&random) }
    if all || damage == .cutPackets {
      copy.snaplen = UInt32.random(in: 60...(all ? 2000 : 700), using: &random)
    }
    if all || damage == .truncate {
      copy.truncated = Int.random(in: 0..<max(copy.bytes.count - 24, 1), using: &random)
      // At any time, but not always at the beginning.
      if all { copy.truncated /= 10 }
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
