// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let pcap = [
    Crafted("pcap/truncated/input.pcap") { Array(Dialogue.chat().pcap().dropLast(500)) },
    Crafted("pcap/damaged/input.pcap", damaged),
    Crafted("pcap/version/input.pcap") {
      CaptureBuilder.pcap(packets: Dialogue.chat().packets, major: 3)
    },
    Crafted("pcap/nanoseconds/input.pcap") {
      var talk = Dialogue()
      talk.step = 1_234
      talk.open()
      talk.join()
      talk.leave()
      return CaptureBuilder.pcap(packets: talk.packets, nanoseconds: true, bigEndian: true)
    },
    Crafted("pcap/unknown-link/input.pcap") {
      CaptureBuilder.pcap(packets: Dialogue.chat().packets, linkType: 147)
    },
    Crafted("pcap/no-packets/input.pcap") { CaptureBuilder.pcap(packets: []) },
  ]

  static let pcapng = [
    Crafted("pcap/pcapng/input.pcapng") { block().bytes },
    Crafted("pcap/pcapng-truncated/input.pcapng") { Array(block().bytes.dropLast(500)) },
    Crafted("pcap/pcapng-damaged/input.pcapng", damagedBlock),
    Crafted("pcap/pcapng-version/input.pcapng") {
      var file = PcapngBuilder()
      file.section(major: 2)
      fill(&file)
      return file.bytes
    },
    Crafted("pcap/pcapng-drops/input.pcapng") {
      var file = PcapngBuilder()
      file.interface(resolution: 9)
      // An EVENT is what was lost.
      let packets = Dialogue.chat().packets
      for (index, packet) in packets.enumerated() where index != 8 {
        file.packet(packet.bytes, ticks: packet.time, dropped: index == 9 ? 1 : 0)
      }
      file.statistics([(4, UInt64(packets.count)), (5, 0), (7, 3)])
      return file.bytes
    },
    Crafted("pcap/pcapng-no-interface/input.pcapng") {
      var file = block()
      file.packet(Dialogue.chat().packets[0].bytes, ticks: 0, interface: 7)
      file.packet(Dialogue.chat().packets[1].bytes, ticks: 0, interface: 8)
      return file.bytes
    },
  ]

  static let gzip = [
    Crafted("pcap/gzip/input.pcap.gz") { CaptureBuilder.deflatedGzip(Dialogue.chat().pcap()) },
    Crafted("pcap/gzip-truncated/input.pcap.gz") {
      Array(CaptureBuilder.gzip(Dialogue.chat().pcap()).dropLast(500))
    },
    Crafted("pcap/gzip-damaged/input.pcap.gz") {
      var file = CaptureBuilder.gzip(Dialogue.chat().pcap())
      file[file.count - 6] ^= 0xFF
      return file
    },
    Crafted("pcap/gzip-unknown/input.gz") {
      CaptureBuilder.gzip((0..<40).map { $0 % 7 })
    },
  ]

  /// A record header is written over.
  private static func damaged() -> [UInt8] {
    let talk = Dialogue.chat()
    var file = talk.pcap()
    let header = 24 + talk.packets[..<9].reduce(0) { $0 + 16 + $1.bytes.count }
    for place in 8..<12 { file[header + place] = 0xEE }
    return file
  }

  private static func fill(_ file: inout PcapngBuilder) {
    file.interface(resolution: 9)
    for packet in Dialogue.chat().packets { file.packet(packet.bytes, ticks: packet.time) }
  }

  private static func block() -> PcapngBuilder {
    var file = PcapngBuilder()
    fill(&file)
    return file
  }

  /// The length at the end of the block of packet 8 is not that at its beginning.
  private static func damagedBlock() -> [UInt8] {
    let file = block()
    var bytes = file.bytes
    bytes[file.ends[9] - 4] ^= 0x40
    return bytes
  }
}
