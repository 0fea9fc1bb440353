// SPDX-License-Identifier: Apache-2.0

/// Writes Ethernet, IPv4 and TCP packets to a classic pcap file.
struct PcapWriter {
  enum Flags {
    static let fin: UInt8 = 1
    static let syn: UInt8 = 2
    static let push: UInt8 = 8
    static let ack: UInt8 = 16
  }

  /// An end of a connection; its address is 10.x.y.z.
  struct End {
    var address: UInt32
    var port: UInt16
  }

  private var file: OutputFile
  /// Microseconds since 1970.
  private var clock: UInt64 = 1_760_000_000_000_000
  private var identification: UInt16 = 0

  init(path: String) throws {
    file = try OutputFile(path: path)
    for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 262_144, 1] {
      file.buffer.append(little: word)
    }
  }

  mutating func wait(microseconds: Int) { clock &+= UInt64(microseconds) }

  mutating func packet(
    from source: End, to destination: End, sequence: UInt32, acknowledgement: UInt32,
    flags: UInt8, _ payload: ArraySlice<UInt8> = []
  ) {
    let length = 14 + 20 + 20 + payload.count
    file.buffer.append(little: UInt32(clock / 1_000_000))
    file.buffer.append(little: UInt32(clock % 1_000_000))
    file.buffer.append(little: UInt32(length))
    file.buffer.append(little: UInt32(length))
    file.buffer.append("\u{2}\u{0}\u{0}\u{0}\u{0}\u{1}\u{2}\u{0}\u{0}\u{0}\u{0}\u{2}\u{8}\u{0}")
    appendIPv4(source.address, destination.address, total: UInt16(40 + payload.count))
    file.buffer.append(big: source.port)
    file.buffer.append(big: destination.port)
    file.buffer.append(big: sequence)
    file.buffer.append(big: acknowledgement)
    file.buffer.append(0x50)
    file.buffer.append(flags)
    // A full window; a checksum of 0, as with checksum offloading.
    file.buffer.append(big: 0xFFFF_0000 as UInt32)
    file.buffer.append(big: 0 as UInt16)
    file.buffer.append(contentsOf: payload)
    file.flushIfFull()
  }

  private mutating func appendIPv4(_ source: UInt32, _ destination: UInt32, total: UInt16) {
    identification &+= 1
    var sum: UInt32 = 0x4500 + UInt32(total) + UInt32(identification) + 0x4000 + 0x4006
    sum += (source >> 16) + (source & 0xFFFF)
    sum += (destination >> 16) + (destination & 0xFFFF)
    sum = (sum & 0xFFFF) + (sum >> 16)
    sum = (sum & 0xFFFF) + (sum >> 16)
    file.buffer.append(big: 0x4500 as UInt16)
    file.buffer.append(big: total)
    file.buffer.append(big: identification)
    file.buffer.append(big: 0x4000_4006 as UInt32)
    file.buffer.append(big: ~UInt16(truncatingIfNeeded: sum))
    file.buffer.append(big: source)
    file.buffer.append(big: destination)
  }

  mutating func finish() throws { try file.finish() }
}
