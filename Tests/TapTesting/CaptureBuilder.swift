// SPDX-License-Identifier: Apache-2.0

/// Writes capture files for tests and samples, independently of the decoders.
public enum CaptureBuilder {
  /// A packet to be written: time in nanoseconds since 1970, and its bytes.
  public typealias Timed = (time: UInt64, bytes: [UInt8])

  /// A classic pcap file.
  ///
  /// - Parameters:
  ///   - linkType: the whole field, including the FCS bits.
  ///   - snaplen: packets are truncated to it; their original length stays.
  ///   - isKuznetzov: the variant with record headers of 24 bytes.
  ///   - cuts: captured lengths of truncated packets, by index.
  public static func pcap(
    packets: [Timed], linkType: UInt32 = 1, snaplen: UInt32 = 262_144, nanoseconds: Bool = false,
    bigEndian: Bool = false, isKuznetzov: Bool = false, major: UInt16 = 2, cuts: [Int: Int] = [:]
  ) -> [UInt8] {
    var file = ByteWriter(bigEndian: bigEndian)
    file.append(isKuznetzov ? 0xA1B2_CD34 : nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4 as UInt32)
    file.append(major)
    file.append(UInt16(4))
    file.append(UInt64(0))
    file.append(snaplen)
    file.append(linkType)
    for (index, packet) in packets.enumerated() {
      file.append(UInt32(packet.time / 1_000_000_000))
      let fraction = packet.time % 1_000_000_000
      file.append(UInt32(nanoseconds ? fraction : fraction / 1000))
      let captured = packet.bytes.prefix(cuts[index] ?? Int(snaplen))
      file.append(UInt32(captured.count))
      file.append(UInt32(packet.bytes.count))
      if isKuznetzov { file.append(UInt64(0)) }
      file.bytes += captured
    }
    return file.bytes
  }

  /// A gzip file of one member whose blocks are stored (RFC 1951 §3.2.4).
  public static func gzip(_ content: [UInt8]) -> [UInt8] {
    var file = ByteWriter(bigEndian: false)
    file.bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let end = min(start + 65535, content.count)
      file.bytes.append(end == content.count ? 1 : 0)
      file.append(UInt16(end - start))
      file.append(~UInt16(end - start))
      file.bytes += content[start..<end]
      start = end
    } while start < content.count
    file.append(crc32(content))
    file.append(UInt32(truncatingIfNeeded: content.count))
    return file.bytes
  }

  /// A gzip file of one member with compressed blocks.
  public static func deflatedGzip(_ content: [UInt8]) -> [UInt8] {
    var file = ByteWriter(bigEndian: false)
    file.bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    file.bytes += Deflater.stream(content)
    file.append(crc32(content))
    file.append(UInt32(truncatingIfNeeded: content.count))
    return file.bytes
  }

  private static func crc32(_ content: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in content {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    return ~crc
  }
}

/// Writes integers in a byte order that is chosen at run time.
struct ByteWriter {
  let bigEndian: Bool
  var bytes: [UInt8] = []

  init(bigEndian: Bool) { self.bigEndian = bigEndian }

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { bytes += $0 }
  }

  mutating func pad() { while bytes.count % 4 != 0 { bytes.append(0) } }
}
