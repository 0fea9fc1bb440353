// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct PcapngInputTests {
  @Test(arguments: [false, true])
  func everyBlock(bigEndian: Bool) {
    let sink = read(richPcapng(bigEndian: bigEndian).bytes)
    #expect(sink.findings.isEmpty)
    let packets = sink.packets
    #expect(packets.map(\.bytes) == [[1, 2, 3], [4, 5, 6, 7], [1, 2, 3, 4], [9], [8]])
    #expect(packets.map(\.packet.number) == [1, 2, 3, 4, 5])
    #expect(packets.map(\.packet.linkType) == [1, 276, 1, 1, 101])
    #expect(packets.map(\.packet.originalLength) == [3, 60, 9, 1, 1])
    #expect(packets.map(\.packet.precision) == [6, 9, 6, 6, 6])
    #expect(
      packets.map(\.packet.time) == [
        Instant(nanoseconds: 1_700_000_000_000_001_000),
        Instant(nanoseconds: 1_700_000_000_000_002_003), .unknown,
        Instant(nanoseconds: 1_700_000_000_000_003_000),
        Instant(nanoseconds: 1_700_000_000_000_005_000),
      ])
  }

  @Test(
    arguments: [
      // resolution, offset, ticks, nanoseconds (nil: unknown), precision
      (0, 0, 1_700_000_000, 1_700_000_000_000_000_000, 0),
      (3, 0, 1_700_000_000_123, 1_700_000_000_123_000_000, 3),
      (9, -1, 1_700_000_000_000_000_000, 1_699_999_999_000_000_000, 9),
      (12, 0, 1_700_000_000_123_456_789, 1_700_000_000_123_456, 9),
      (12, 1_700_000_000, 999_999_999_999, 1_700_000_000_999_999_999, 9),
      (127, 0, UInt64.max, 0, 9),
      (0x80 | 10, 0, 1_700_000_000 << 10 | 512, 1_700_000_000_500_000_000, 9),
      (0x80 | 32, 0, 1_700_000_000 << 32 | 1 << 31, 1_700_000_000_500_000_000, 9),
      (0x80 | 63, 0, 3 << 62, 1_500_000_000, 9),
      (0xFF, 0, UInt64.max, 0, 9),
      (0, 0, UInt64.max, nil, 0),
      (6, Int64.max, 5, nil, 6),
      (6, Int64.min, 5, nil, 6),
    ] as [(UInt8, Int64, UInt64, Int64?, UInt8)])
  func clock(
    resolution: UInt8, offset: Int64, ticks: UInt64, nanoseconds: Int64?, precision: UInt8
  ) throws {
    var file = PcapngBuilder()
    file.interface(resolution: resolution, offset: offset)
    file.packet([1], ticks: ticks)
    let packet = try #require(read(file.bytes).packets.first).packet
    #expect(packet.time == nanoseconds.map { Instant(nanoseconds: $0) } ?? .unknown)
    #expect(packet.precision == precision)
  }

  @Test(arguments: [false, true])
  func truncatedAtEveryByte(bigEndian: Bool) {
    let builder = richPcapng(bigEndian: bigEndian)
    let file = builder.bytes
    let whole = read(file).packets.map(\.bytes)
    /// Packets before the last border.
    var complete = 0
    for count in 4..<file.count {
      let sink = read(Array(file[..<count]))
      let isBorder = builder.ends.contains(count)
      #expect(sink.codes == (isBorder ? [] : ["pcapng.truncated"]), "\(count)")
      for (index, packet) in sink.packets.dropLast().enumerated() {
        #expect(packet.bytes == whole[index])
      }
      if let last = sink.packets.last {
        #expect(whole[sink.packets.count - 1].starts(with: last.bytes))
      }
      if isBorder {
        #expect(sink.packets.map(\.bytes) == Array(whole.prefix(sink.packets.count)))
        complete = sink.packets.count
      }
      #expect(sink.packets.count == complete || sink.packets.count == complete + 1)
    }
  }

  @Test func truncatedPacketIsGivenOn() {
    let file = CaptureBuilder.pcapng(packets: [(7, Array("whole packet".utf8))])
    let sink = read(Array(file.dropLast(8)))
    #expect(sink.packets.map(\.bytes) == [Array("whole pa".utf8)])
    #expect(sink.packets.first?.packet.originalLength == 12)
    #expect(sink.findings.first?.text.contains("packet 1: 8 of its 44 bytes missing") == true)
  }

  /// The trailing length is wrong, but a block follows: everything is read, and the damage named.
  @Test func wrongTrailingLength() throws {
    var file = PcapngBuilder()
    file.interface()
    file.packet([1, 2, 3, 4], ticks: 1)
    let end = try #require(file.ends.last)
    let start = UInt64(file.ends[file.ends.count - 2])
    file.packet([5], ticks: 2)
    var bytes = file.bytes
    bytes[end - 1] ^= 0x40
    let sink = read(bytes)
    #expect(sink.packets.map(\.bytes) == [[1, 2, 3, 4], [5]])
    #expect(sink.codes == ["pcapng.damaged"])
    #expect(sink.findings.first?.origin.offset == start)
    #expect(sink.findings.first?.origin.record == 1)
    // Nothing that is a block follows: stop, and say how much is left.
    bytes.replaceSubrange(end..<end + 4, with: [9, 9, 9, 9])
    let stopped = read(bytes)
    #expect(stopped.packets.count == 1)
    #expect(stopped.codes == ["pcapng.damaged", "pcapng.damaged"])
    #expect(stopped.findings.last?.text.contains("\(bytes.count - end) bytes not read") == true)
  }

  /// Some writers do not count the padding in the total length.
  @Test func unpaddedTotalLength() {
    var file = PcapngBuilder()
    file.interface()
    var body = wire(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, "Hello")
    body = wire(6, 0, 0, 0, 37, 0, 0, 0, body, 0, 0, 0, 37, 0, 0, 0)
    file.raw(body)
    file.packet([1], ticks: 1)
    let sink = read(file.bytes)
    #expect(sink.findings.isEmpty)
    #expect(sink.packets.map(\.bytes) == [Array("Hello".utf8), [1]])
  }

  @Test(arguments: [UInt8(0), 11])
  func lengthThatCannotBe(_ length: UInt8) {
    var file = PcapngBuilder()
    file.interface()
    file.packet([1], ticks: 1)
    file.raw([6, 0, 0, 0, length, 0, 0, 0] + [UInt8](repeating: 0, count: 92))
    let sink = read(file.bytes)
    #expect(sink.packets.count == 1)
    #expect(sink.codes == ["pcapng.damaged"])
    #expect(sink.findings.first?.text.hasSuffix("100 bytes not read") == true)
  }

  @Test func interfaceNeverDescribed() {
    var file = PcapngBuilder()
    file.interface()
    file.packet([1], ticks: 1, interface: 1)
    file.packet([2], ticks: 1)
    file.section()
    file.packet([3], ticks: 1)
    let sink = read(file.bytes)
    #expect(sink.packets.map(\.packet.number) == [2])
    #expect(sink.codes == ["pcapng.unknown-interface"])
    #expect(sink.findings.first?.text.hasPrefix("2 packets skipped") == true)
    #expect(sink.findings.first?.origin.record == 1)
  }

  @Test func packetLongerThanItsBlock() {
    var file = PcapngBuilder()
    file.interface()
    let start = file.bytes.count
    file.packet([1, 2, 3, 4], ticks: 1)
    var bytes = file.bytes
    bytes[start + 20] = 200
    let sink = read(bytes)
    #expect(sink.packets.map(\.bytes) == [[1, 2, 3, 4]])
    #expect(sink.codes == ["pcapng.damaged"])
  }

  /// Secrets of TLS go to the floor as they stand, of any length that may be held; others do not.
  @Test(arguments: [
    ([UInt8]("CLIENT_RANDOM 00 00\n".utf8), true), ([UInt8]("x".utf8), true), ([], true),
    ([UInt8](repeating: 0x61, count: 200_000), false),
  ])
  func secrets(keyLog: [UInt8], isRead: Bool) {
    var limits = Limits()
    limits.packetBytes = 1000
    var file = PcapngBuilder()
    file.interface()
    let count = UInt32(keyLog.count)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    file.block(10, [0x4B, 0x53, 0x4C, 0x54] + length + keyLog)
    file.block(10, [0x4B, 0x4E, 0x47, 0x57] + length + keyLog)
    file.packet([2], ticks: 2)
    for pieces in [[file.bytes], file.bytes.map { [$0] }] {
      let sink = read(pieces, limits: limits).sink
      // First of all, that there may be some.
      #expect(sink.keyLogs == (isRead ? [[], keyLog] : [[]]))
      #expect(sink.packets.map(\.packet.number) == [1])
      #expect(sink.codes == (isRead ? [] : ["pcapng.too-large"]))
    }
  }

  /// What packets and statistics say of lost packets; statistics count from the beginning, and the
  /// same packets as these.
  @Test(
    arguments: [
      // ahead of packets, of obsolete packets, statistics one after the other, what is reported
      ([nil, 0], [0], [], nil), ([3], [], [], "3 between packets that are there"),
      ([3, 4], [2], [], "9 between packets that are there"), ([], [0xFFFF], [], nil),
      ([], [], [[(5, 0), (7, 0)]], nil), ([], [], [[(5, 9)], [(5, 17)]], "17 by the interface"),
      ([2], [], [[(5, 1), (7, 1)]], "1 by the interface, 1 by the system"),
      ([5], [], [[(4, 100), (7, 1)]], "1 by the system, 4 between packets that are there"),
      ([UInt64.max, 1], [], [], "\(UInt64.max) between packets that are there"),
    ] as [([UInt64?], [UInt16], [[(UInt16, UInt64)]], String?)])
  func lostPackets(
    ahead: [UInt64?], obsolete: [UInt16], statistics: [[(UInt16, UInt64)]], reported: String?
  ) {
    for bigEndian in [false, true] {
      var file = PcapngBuilder(bigEndian: bigEndian)
      file.interface()
      for count in ahead { file.packet([1, 2, 3], ticks: 1, comment: "a comment", dropped: count) }
      for count in obsolete { file.obsoletePacket([1], ticks: 1, dropped: count) }
      for counts in statistics { file.statistics(counts) }
      // Each section counts for itself.
      file.section(bigEndian: bigEndian)
      file.interface()
      file.packet([1], ticks: 1)
      for pieces in [[file.bytes], file.bytes.map { [$0] }] {
        let findings = read(pieces).sink.findings
        let words = reported.map {
          ["packets were lost while this was captured, as the file itself says: " + $0]
        }
        #expect(findings.map(\.text) == words ?? [])
        #expect(findings.allSatisfy { $0.code == "capture.dropped" && $0.severity == .warning })
      }
    }
  }

  @Test func hugeBlocksAreNotHeld() {
    var limits = Limits()
    limits.packetBytes = 1000
    var file = PcapngBuilder()
    file.interface()
    file.block(10, [UInt8](repeating: 1, count: 200_000))
    file.packet([UInt8](repeating: 1, count: 80_000), ticks: 1)
    file.packet([2], ticks: 2)
    for pieces in [[file.bytes], file.bytes.map { [$0] }] {
      let sink = read(pieces, limits: limits).sink
      #expect(sink.packets.map(\.packet.number) == [2])
      #expect(sink.codes == ["pcapng.too-large"])
    }
  }

  @Test func otherMajorVersion() {
    var file = PcapngBuilder()
    file.section(major: 2)
    file.interface()
    file.packet([2], ticks: 2)
    #expect(read(file.bytes).codes == ["pcapng.version"])
    #expect(read(file.bytes).packets.count == 1)
  }
}
