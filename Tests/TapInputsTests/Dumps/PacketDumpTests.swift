// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// Dumps of packets, and of both sides of a stream.
@Suite("Packet dumps") struct PacketDumpTests {
  /// An IPv4 header with its checksum, 20 bytes of TCP, and four more.
  private let packet: [UInt8] = {
    var header: [UInt8] = [
      0x45, 0, 0, 44, 0, 1, 0, 0, 64, 6, 0, 0, 10, 0, 0, 7, 10, 0, 0, 1,
    ]
    var sum: UInt32 = 0
    for at in stride(from: 0, to: 20, by: 2) {
      sum += UInt32(header[at]) << 8 | UInt32(header[at + 1])
    }
    sum = (sum & 0xFFFF) + (sum >> 16)
    header[10] = UInt8(truncatingIfNeeded: ~sum >> 8)
    header[11] = UInt8(truncatingIfNeeded: ~sum)
    return header + [UInt8](repeating: 0x50, count: 24)
  }()
  private let ethernet: [UInt8] = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0]

  private func reported(_ text: String) -> SinkRecorder { read(Array(text.utf8)) }

  @Test("the bytes tell the link type") func linkTypes() {
    let cooked: [UInt8] = [0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 8, 0]
    let cooked2: [UInt8] = [8, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    let prefixes: [([UInt8], UInt16)] = [
      ([], 101), (ethernet, 1), (cooked, 113), (cooked2, 276), ([2, 0, 0, 0], 0),
      (ethernet.dropLast(2) + [0x81, 0, 0, 5, 8, 0], 1),
    ]
    for (prefix, linkType) in prefixes {
      for text in [Dump.tcpdump(prefix + packet), Dump.plain(prefix + packet)] {
        let sink = reported(text)
        #expect(sink.packets.map(\.bytes) == [prefix + packet])
        #expect(sink.packets.map(\.packet.linkType) == [linkType])
        #expect(sink.packets.first?.packet.time == .unknown)
      }
    }
  }

  @Test(
    "times",
    arguments: [
      ("00:00:01.5 IP a", 1_500_000_000 as Int64, 1 as UInt8, true),
      ("1970-01-02 00:00:01.000001 IP a", 86_401_000_001_000, 6, true),
      ("2026-11-20 23:45:16.849528 IP a", 1_795_218_316_849_528_000, 6, true),
      ("1795218316.849528 IP a", 1_795_218_316_849_528_000, 6, false),
      ("    1   0.000012000 10.0.0.7 → 10.0.0.1 TCP 44", 12_000, 9, true),
    ])
  func times(_ head: String, _ nanoseconds: Int64, _ precision: UInt8, _ isGuess: Bool) {
    let sink = reported(head + "\n" + Dump.tcpdump(packet))
    #expect(sink.packets.map(\.packet.time.nanoseconds) == [nanoseconds])
    #expect(sink.packets.map(\.packet.precision) == [precision])
    #expect(sink.codes == (isGuess ? ["dump.clock"] : []))
  }

  @Test(
    "times that nobody can count are none",
    arguments: ["9999-11-20 23:45:16.8 IP a", "    1   9999999999.5 10.0.0.7 → 10.0.0.1 TCP 44"])
  func noTimes(_ head: String) {
    let sink = reported(head + "\n" + Dump.tcpdump(packet))
    #expect(sink.packets.isEmpty)
  }

  @Test("a clock that passes midnight goes on") func midnight() {
    let text = ["23:59:59.0 IP a", "00:00:00.5 IP a"].map { $0 + "\n" + Dump.tcpdump(packet) }
    let times = reported(text.joined()).packets.map(\.packet.time.nanoseconds)
    #expect(times.count == 2 && times[1] - times[0] == 1_500_000_000)
  }

  @Test("what Wireshark made of a packet is not read again") func derived() {
    let text =
      "Frame (\(packet.count) bytes):\n" + Dump.wireshark(packet)
      + "\nUnmasked data (16 bytes):\n" + Dump.wireshark([UInt8](repeating: 0x41, count: 16))
      + "\n\n" + Dump.wireshark(packet)
    let sink = reported(text)
    #expect(sink.packets.map(\.bytes) == [packet, packet])
    #expect(sink.recognitions == ["hex dump, 2 packets"])
  }

  @Test("a packet that was not copied whole is cut where bytes are missing") func cut() {
    let lines = Dump.tcpdump(packet).split(separator: "\n").map(String.init)
    let sink = reported([lines[0], lines[2]].joined(separator: "\n"))
    #expect(sink.codes == ["dump.offset"])
    #expect(sink.packets.map(\.bytes) == [Array(packet[..<16])])
    #expect(sink.packets.first?.packet.originalLength == 44)
  }

  @Test("the indented side of a stream is the other one") func sides() {
    let client = maskedFrame("[1]")
    let server = plainFrame("[2]")
    let text = Dump.wireshark(client) + Dump.wireshark(server, indent: "\t")
    let sink = reported(text)
    #expect(sink.streamed == client + server)
    #expect(sink.lines.first?.hasPrefix("stream toServer at 0 9") == true)
    #expect(sink.lines.dropFirst().first?.hasPrefix("stream toClient at 0 5") == true)
    let arrays = Dump.cArray(client, "peer0_0") + Dump.cArray(server, "peer1_0")
    #expect(reported(arrays).streamed == client + server)
    #expect(reported(arrays).lines.dropFirst().first?.hasPrefix("stream toClient") == true)
  }

  @Test("every cut tells the same") func cuts() {
    let text =
      "23:45:16.849528 IP a > b: Flags [S]\n" + Dump.tcpdump(ethernet + packet)
      + "23:45:16.849540 IP b > a\n" + Dump.tcpdump(ethernet + packet)
    let reported = difference(forEveryCutOf: Array(text.utf8)) { read($0).sink.lines }
    #expect(reported == nil)
    #expect(read(Array(text.utf8)).packets.count == 2)
  }
}
