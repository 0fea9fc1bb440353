// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct GzipInputTests {
  @Test func contentIsReadAsIfItWereNotCompressed() {
    for (name, file) in everyShape where !name.hasPrefix("gzip") {
      let plain = read(file)
      for packed in [CaptureBuilder.gzip(file), CaptureBuilder.gzip(CaptureBuilder.gzip(file))] {
        let sink = read(packed)
        #expect(sink.packets.map(\.bytes) == plain.packets.map(\.bytes), "\(name)")
        #expect(sink.messages.map(\.bytes) == plain.messages.map(\.bytes), "\(name)")
        #expect(sink.codes == plain.codes, "\(name)")
      }
    }
  }

  @Test func membersMayCutAnywhere() {
    let file = CaptureBuilder.pcap(packets: somePackets)
    for cut in 0...file.count {
      let packed =
        CaptureBuilder.gzip(Array(file[..<cut])) + CaptureBuilder.gzip(Array(file[cut...]))
      #expect(read(packed).lines == read(file).lines)
    }
  }

  @Test func truncatedAtEveryByte() {
    let packed = CaptureBuilder.gzip(CaptureBuilder.pcap(packets: somePackets))
    for count in 3..<packed.count {
      let sink = read(Array(packed[..<count]))
      #expect(sink.codes.first == "gzip.truncated")
      #expect(sink.findings.first?.origin.offset == UInt64(count))
    }
  }

  @Test func damageNamesBothOffsets() {
    var packed = CaptureBuilder.gzip(CaptureBuilder.pcap(packets: somePackets))
    packed[packed.count - 8] ^= 1
    #expect(read(packed).codes == ["gzip.damaged"])
    #expect(read(packed).packets.count == 4)
    let cut = Array(CaptureBuilder.pcap(packets: somePackets)[..<30])
    let sink = read(CaptureBuilder.gzip(cut))
    #expect(sink.codes == ["pcap.truncated"])
    #expect(sink.findings.first?.text.contains("byte 30 of the inflated file") == true)
  }

  @Test func unknownContentAndNesting() {
    let text = CaptureBuilder.gzip([0, 1, 2, 3, 4])
    #expect(read(text).codes == ["gzip.unknown-content"])
    #expect(read(CaptureBuilder.gzip([])).codes == ["gzip.unknown-content"])
    var deep = CaptureBuilder.pcap(packets: somePackets)
    for _ in 0..<3 { deep = CaptureBuilder.gzip(deep) }
    #expect(read(deep).codes == ["gzip.unknown-content"])
  }
}
