// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

extension EvidenceSink {
  /// Receives Ethernet packets, as from a capture.
  ///
  /// - Parameter before: how many packets came before.
  public func receive(_ packets: [CaptureBuilder.Timed], before: UInt64 = 0) {
    for (number, packet) in zip((before + 1)..., packets) {
      let octets = ContiguousArray(packet.bytes)
      self.packet(
        octets.span.bytes,
        Packet(
          time: Instant(nanoseconds: Int64(packet.time)), number: number,
          originalLength: UInt32(octets.count), linkType: 1))
    }
  }
}
