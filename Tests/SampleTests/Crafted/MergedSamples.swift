// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// Cases of several files.
extension Crafted {
  static let merged = [
    Crafted("pcap/merged/input-1.pcap") { part(of: 2) { $0 % 3 == 0 } },
    Crafted("pcap/merged/input-2.pcapng") {
      var file = PcapngBuilder()
      file.interface(resolution: 9)
      for (index, packet) in two().enumerated() where index % 3 == 1 {
        file.packet(packet.bytes, ticks: packet.time)
      }
      return file.bytes
    },
    Crafted("pcap/merged/input-3.pcap.gz") {
      CaptureBuilder.deflatedGzip(part(of: 2) { $0 % 3 == 2 })
    },
    Crafted("pcap/merged-damaged/input-1.pcap") { Array(part(of: 1) { $0 < 9 }.dropLast(10)) },
    Crafted("pcap/merged-damaged/input-2.pcap") { part(of: 1) { $0 >= 9 } },
    Crafted("pcap/duplicates/input-1.pcap") { CaptureBuilder.pcap(packets: two()) },
    Crafted("pcap/duplicates/input-2.pcap") {
      // Another machine sees the same, 40 µs later.
      CaptureBuilder.pcap(packets: two().map { (time: $0.time + 40_000, bytes: $0.bytes) })
    },
    Crafted("pcap/time-backwards/input.pcap") {
      // The clock was set back by an hour.
      let hour: UInt64 = 3_600_000_000_000
      let packets = Dialogue.chat().packets.enumerated()
      return CaptureBuilder.pcap(
        packets: packets.map { (time: $1.time - ($0 < 9 ? 0 : hour), bytes: $1.bytes) })
    },
  ]

  /// Two chats at the same time.
  private static func two() -> [CaptureBuilder.Timed] {
    var other = Dialogue.from(50_001)
    other.clock += 500_000
    other.open()
    other.join()
    other.subscribe()
    other.event(72, "still there?")
    other.leave()
    return (Dialogue.chat().packets + other.packets).sorted { $0.time < $1.time }
  }

  /// The packets of one chat or two of which `isIn` says that they are in this file.
  private static func part(of chats: Int, _ isIn: (Int) -> Bool) -> [UInt8] {
    let packets = chats == 1 ? Dialogue.chat().packets : two()
    return CaptureBuilder.pcap(packets: packets.enumerated().filter { isIn($0.0) }.map { $0.1 })
  }
}
