// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// Times that run backwards inside a file, in every format that has times.
@Suite("Chronology") struct ChronologyTests {
  struct Case: Sendable {
    /// Nanoseconds after some moment.
    var times: [UInt64]
    /// Nil when nothing is reported.
    var severity: Finding.Severity?
    /// How many packets, how far, and which is the first.
    var words = ""
  }

  private static let cases = [
    Case(times: []),
    Case(times: [5000]),
    Case(times: [0, 0, 1000, 1000, 2000]),
    Case(
      times: [0, 2000, 1000, 3000], severity: .note,
      words: "1 packet, by up to 0.000001 s; the first is packet 3."),
    // Each is compared with the one before it: once the clock is set, all is well again.
    Case(
      times: [3_700_000_000_000, 100_000_000_000, 100_000_001_000, 100_000_002_000],
      severity: .warning, words: "1 packet, by up to 3600 s; the first is packet 2."),
    Case(
      times: [5_000_000_000, 0, 5_000_000_000, 2_500_000_000], severity: .note,
      words: "2 packets, by up to 5 s; the first is packet 2."),
    Case(
      times: [5_000_001_000, 0], severity: .warning,
      words: "1 packet, by up to 5.000001 s; the first is packet 2."),
  ]

  @Test(arguments: cases.indices) func isReported(_ index: Int) {
    let test = Self.cases[index]
    let packets = test.times.map { (time: 1_700_000_000_000_000_000 + $0, bytes: [UInt8(7)]) }
    for file in [
      CaptureBuilder.pcap(packets: packets), CaptureBuilder.pcapng(packets: packets),
      CaptureBuilder.gzip(CaptureBuilder.pcap(packets: packets, nanoseconds: true)),
    ] {
      let sink = read(file)
      #expect(sink.packets.count == packets.count)
      #expect(sink.codes == (test.severity == nil ? [] : ["capture.time-backwards"]))
      guard let finding = sink.findings.first else { continue }
      #expect(finding.severity == test.severity)
      #expect(
        finding.text == "time runs backwards at \(test.words) The order of the file is kept")
      #expect(finding.origin.input == 3)
      #expect(finding.origin.record > 0)
    }
  }

  /// A packet without a time is neither before nor after another.
  @Test func unknownTimesDoNotCount() {
    var file = PcapngBuilder()
    file.interface(resolution: 9)
    file.packet([1], ticks: 1_700_000_000_000_000_005)
    file.simplePacket([2])
    file.packet([3], ticks: 1_700_000_000_000_000_006)
    #expect(read(file.bytes).findings.isEmpty)
    file.simplePacket([4])
    file.packet([5], ticks: 1_700_000_000_000_000_001)
    #expect(read(file.bytes).findings.map(\.origin.record) == [5])
  }
}
