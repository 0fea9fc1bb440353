// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct PcapInputTests {
  @Test(arguments: [false, true], [false, true])
  func everyMagic(bigEndian: Bool, nanoseconds: Bool) {
    let sink = read(
      CaptureBuilder.pcap(
        packets: somePackets, linkType: 113, nanoseconds: nanoseconds, bigEndian: bigEndian))
    #expect(sink.findings.isEmpty)
    #expect(sink.packets.map(\.bytes) == somePackets.map(\.bytes))
    for (index, (packet, _)) in sink.packets.enumerated() {
      let time = somePackets[index].time
      let expected = nanoseconds ? time : time / 1000 * 1000
      #expect(packet.time.nanoseconds == Int64(expected))
      #expect(packet.number == UInt64(index + 1))
      #expect(packet.linkType == 113)
      #expect(packet.precision == (nanoseconds ? 9 : 6))
      #expect(packet.input == 3)
    }
  }

  @Test func snaplenAndFractions() {
    var file = CaptureBuilder.pcap(packets: somePackets, snaplen: 3)
    // A fraction of two seconds and one microsecond.
    file.replaceSubrange(28..<32, with: wire(0x81, 0x84, 0x1E, 0x00))
    let sink = read(file)
    #expect(sink.packets.map(\.packet.originalLength) == [5, 0, 90, 1])
    #expect(sink.packets.map(\.bytes.count) == [3, 0, 3, 1])
    #expect(sink.packets[0].packet.time.nanoseconds == 1_700_000_002_000_001_000)
    // The second packet is of the first second.
    #expect(sink.codes == ["capture.time-backwards"])
  }

  /// P bit and two units of 16 bits: four bytes of FCS that are no part of the packet.
  @Test func frameCheckSequenceIsStripped() {
    let sink = read(CaptureBuilder.pcap(packets: somePackets, linkType: 0x2400_0001))
    #expect(sink.packets.map(\.packet.linkType) == [1, 1, 1, 1])
    #expect(sink.packets.map(\.bytes.count) == [1, 0, 86, 0])
    // Without the P bit the length means nothing.
    let plain = read(CaptureBuilder.pcap(packets: somePackets, linkType: 0x2000_0001))
    #expect(plain.packets.map(\.bytes.count) == [5, 0, 90, 1])
    // Cut by the snaplen: the FCS was not captured.
    let cut = read(CaptureBuilder.pcap(packets: somePackets, linkType: 0x2400_0001, snaplen: 87))
    #expect(cut.packets.map(\.bytes.count) == [1, 0, 86, 0])
  }

  @Test(arguments: [false, true])
  func truncatedAtEveryByte(isKuznetzov: Bool) {
    let file = CaptureBuilder.pcap(packets: somePackets, isKuznetzov: isKuznetzov)
    let header = isKuznetzov ? 24 : 16
    var ends = [24]
    for packet in somePackets { ends.append(ends.last! + header + packet.bytes.count) }
    for count in 4..<file.count {
      let sink = read(Array(file[..<count]))
      let whole = max(0, ends.filter { $0 <= count }.count - 1)
      let isBorder = ends.contains(count)
      #expect(sink.codes == (isBorder ? [] : ["pcap.truncated"]), "\(count)")
      #expect(sink.packets.prefix(whole).map(\.bytes) == somePackets.prefix(whole).map(\.bytes))
      // Of the cut record, all that is there.
      let rest = count - (ends.last { $0 <= count } ?? count)
      let hasPart = !isBorder && rest > header
      #expect(sink.packets.count == whole + (hasPart ? 1 : 0))
      if hasPart {
        #expect(sink.packets[whole].bytes == Array(somePackets[whole].bytes.prefix(rest - header)))
        #expect(
          sink.packets[whole].packet.originalLength == UInt32(somePackets[whole].bytes.count))
      }
    }
  }

  @Test func truncationIsNamed() {
    let file = CaptureBuilder.pcap(packets: somePackets)
    let reported = [30, 43].map { read(Array(file[..<$0])).findings.first?.text }
    #expect(
      reported == [
        "the file ends at byte 30, inside the record header of packet 1: 10 bytes missing",
        "the file ends at byte 43, inside packet 1: 2 of its 5 captured bytes missing",
      ])
  }

  @Test func damageStopsAndIsNamed() throws {
    var file = CaptureBuilder.pcap(packets: somePackets)
    // The captured length of the third record, at 24 + 21 + 16.
    file.replaceSubrange(61 + 8..<61 + 12, with: wire(0xFF, 0xFF, 0xFF, 0xFF))
    let sink = read(file)
    #expect(sink.packets.count == 2)
    let finding = try #require(sink.findings.first)
    #expect(sink.codes == ["pcap.damaged"])
    #expect(finding.origin.offset == 61)
    #expect(finding.origin.record == 3)
    #expect(
      finding.text
        == "the record header of packet 3 at byte 61 claims 4294967295 captured bytes;"
        + " decoding stopped there, \(file.count - 61) bytes not read")
  }

  @Test func preallocatedTail() {
    let file = CaptureBuilder.pcap(packets: somePackets) + [UInt8](repeating: 0, count: 4096)
    let sink = read(file)
    #expect(sink.packets.count == 4)
    #expect(sink.codes == ["pcap.damaged"])
  }

  @Test func largePacketWithASmallSnaplenIsRead() {
    var file = CaptureBuilder.pcap(packets: [(1, [UInt8](repeating: 1, count: 70_000))])
    file.replaceSubrange(16..<20, with: wire(96, 0, 0, 0))
    #expect(read(file).packets.map(\.bytes.count) == [70_000])
  }

  @Test func otherVersions() {
    var file = CaptureBuilder.pcap(packets: somePackets)
    file[4] = 9
    #expect(read(file).codes == ["pcap.version"])
    #expect(read(file).packets.count == 4)
    // 2.2: the lengths stand the other way round.
    file = CaptureBuilder.pcap(packets: [(5000, [1, 2, 3])])
    file[6] = 2
    file[24 + 8] = 60
    file[24 + 12] = 3
    #expect(read(file).packets.first?.packet.originalLength == 60)
  }
}
