// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Blocks that lie: what stands behind them is read, or the place where decoding ended is reported.
@Suite("Hostile pcapng") struct HostilePcapngTests {
  private static let packet: [UInt8] = [1, 2, 3, 4]

  /// Little-endian.
  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// An interface, one block, and a packet.
  private static func file(_ type: UInt32, _ body: [UInt8]) -> PcapngBuilder {
    var file = PcapngBuilder()
    file.interface()
    file.block(type, body)
    file.packet(packet, ticks: 1)
    return file
  }

  /// The same, however the file is cut.
  private static func read(_ file: [UInt8], limits: Limits = Limits()) -> SinkRecorder {
    let whole = TapInputsTests.read([file], limits: limits).sink
    for size in [1, 7, 64] {
      let pieces = stride(from: 0, to: file.count, by: size).map {
        Array(file[$0..<min($0 + size, file.count)])
      }
      let cut = TapInputsTests.read(pieces, limits: limits).sink
      #expect(cut.lines == whole.lines && cut.findings.map(\.text) == whole.findings.map(\.text))
    }
    return whole
  }

  /// Options, names, statistics and secrets whose lengths lead anywhere.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 0x7FFF, 0x8000, 0xFFFF] as [UInt16])
  func lyingLengths(length: UInt16) {
    let reported = [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
    let option = { (code: UInt8) in [code, 0] + reported + [1, 2, 3, 4, 5, 6, 7, 8] }
    let interface: [UInt8] = [1, 0, 0, 0, 0, 0, 4, 0]
    for code: UInt8 in [0, 1, 2, 9, 14, 255] {
      // An interface with such an option, the packet being of the one before it.
      let sink = Self.read(Self.file(1, interface + option(code)).bytes)
      #expect(sink.packets.map(\.bytes) == [Self.packet] && sink.codes.isEmpty)
    }
    let others: [(UInt32, [UInt8])] = [
      (4, option(1)), (4, option(2) + option(1)), (4, []), (5, [UInt8](repeating: 0, count: 12)),
      (5, [9, 9, 9, 9] + option(4)), (9, option(0)), (0x0BAD, [0, 0, 0x7E, 0xD9] + option(1)),
      (0x4000_0BAD, option(1)), (0x0BAD, []), (0x7777, option(7)),
    ]
    for (type, body) in others {
      let sink = Self.read(Self.file(type, body).bytes)
      #expect(sink.packets.map(\.bytes) == [Self.packet] && sink.codes.isEmpty, "\(type)")
    }
    // The comment of a packet.
    var file = PcapngBuilder()
    file.interface()
    let head = [UInt8](repeating: 0, count: 12) + Self.number(4) + Self.number(4)
    file.block(6, head + Self.packet + option(1))
    #expect(Self.read(file.bytes).packets.map(\.bytes) == [Self.packet])
  }

  @Test(arguments: [0, 1, 15, 16, 17, 20, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func lyingSecrets(length: UInt32) {
    let keyLog = [UInt8](repeating: 0x61, count: 16)
    let body = [0x4B, 0x53, 0x4C, 0x54] + Self.number(length) + keyLog
    let file = Self.file(10, body)
    let sink = Self.read(file.bytes)
    #expect(sink.keyLogs.last?.count == Int(min(length, 16)))
    #expect(sink.codes == (length > 16 ? ["pcapng.damaged"] : []))
    if length > 16 {
      #expect(sink.findings[0].origin.offset == UInt64(file.ends[1]))
      #expect(sink.findings[0].text.contains("16 bytes for secrets of \(length)"))
    }
    #expect(sink.packets.map(\.bytes) == [Self.packet])
    // Too short for what all of them have.
    for count in 0..<8 {
      let short = Self.read(Self.file(10, Array(body.prefix(count))).bytes)
      #expect(short.packets.map(\.bytes) == [Self.packet])
    }
  }

  /// A block that hides others in it is found out by the length at its end, also when nobody reads
  /// it.
  @Test(arguments: [4, 5, 10, 0x0BAD, 0x7777] as [UInt32], [0, 8, 100])
  func lengthsThatDiffer(type: UInt32, size: Int) throws {
    var file = Self.file(type, [UInt8](repeating: 0, count: size))
    let end = file.ends[2]
    file.packet([9], ticks: 2)
    var bytes = file.bytes
    bytes[end - 4] ^= 0x40
    let sink = Self.read(bytes)
    #expect(sink.packets.map(\.bytes) == [Self.packet, [9]])
    #expect(sink.codes == ["pcapng.damaged"])
    let found = try #require(sink.findings.first)
    #expect(found.origin.offset == UInt64(file.ends[1]))
    #expect(found.text.contains("at its beginning and"))
    // It claims the packets behind it, and a bit more.
    bytes = file.bytes
    let start = file.ends[1]
    let claimed = UInt32(bytes.count - start + 400)
    bytes.replaceSubrange(start + 4..<start + 8, with: Self.number(claimed))
    let hidden = Self.read(bytes)
    #expect(hidden.packets.isEmpty && hidden.codes == ["pcapng.truncated"])
    // Statistics are held in one piece.
    let missing = type == 5 ? "400 of its " : "400 bytes missing"
    #expect(hidden.findings[0].text.contains(missing))
  }

  /// What a section says of its length is not believed.
  @Test(arguments: [0, 1, 28, 1 << 40, Int64.max, Int64.min, -2] as [Int64])
  func sectionLength(length: Int64) {
    var file = PcapngBuilder()
    file.interface()
    file.packet(Self.packet, ticks: 1)
    file.section()
    file.interface(linkType: 101)
    file.packet([9], ticks: 2)
    var bytes = file.bytes
    let low = UInt32(truncatingIfNeeded: length)
    let high = UInt32(truncatingIfNeeded: length >> 32)
    bytes.replaceSubrange(16..<24, with: Self.number(low) + Self.number(high))
    let sink = Self.read(bytes)
    #expect(sink.packets.map(\.packet.linkType) == [1, 101] && sink.codes.isEmpty)
  }

  /// Every length that a block can claim, at each of its ends, ends somewhere.
  @Test func everyTotalLength() {
    for type: UInt32 in [0x0A0D_0D0A, 1, 2, 3, 4, 5, 6, 10, 0x0BAD] {
      for total: UInt32 in [0, 4, 11, 12, 13, 16, 20, 28, 1 << 20, 1 << 31, .max - 3, .max] {
        for trailing in [total, 0, .max] {
          var file = PcapngBuilder()
          file.interface()
          let start = UInt64(file.bytes.count)
          file.raw(Self.number(type) + Self.number(total) + Self.number(0x1A2B_3C4D))
          file.raw([UInt8](repeating: 0, count: 24) + Self.number(trailing))
          let sink = TapInputsTests.read(file.bytes)
          #expect(sink.packets.count <= 1)
          #expect(sink.findings.allSatisfy { $0.origin.offset >= start })
          #expect(!sink.findings.isEmpty || total >= 12)
        }
      }
    }
  }

  /// Interfaces without end take no memory without end.
  @Test func interfaces() {
    var limits = Limits()
    limits.interfaces = 100
    var file = PcapngBuilder()
    for _ in 0..<5000 { file.block(1, [1, 0, 0, 0, 0, 0, 0, 0]) }
    file.packet(Self.packet, ticks: 1, interface: 99)
    file.packet(Self.packet, ticks: 1, interface: 100)
    file.packet(Self.packet, ticks: 1, interface: .max)
    let sink = TapInputsTests.read([file.bytes], limits: limits).sink
    #expect(sink.packets.map(\.packet.number) == [1])
    #expect(sink.codes == ["pcapng.unknown-interface"])
    #expect(sink.findings[0].text.contains("4900 descriptions were too many"))
    #expect(sink.findings[0].origin.record == 2)
  }
}
