// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Writes packets as little-endian pcapng blocks (draft-ietf-opsawg-pcapng) into a buffer. It does
/// no I/O.
struct PcapngWriter {
  private enum Block {
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    static let interfaceDescription: UInt32 = 1
    static let interfaceStatistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
    static let decryptionSecrets: UInt32 = 10
  }

  /// The blocks that were not written out yet.
  private(set) var buffer = Scratch()

  mutating func removeAll() { buffer.removeAll() }

  /// - Parameter program: the writing program.
  mutating func section(by program: String) {
    block(Block.sectionHeader) { writer in
      // Byte order, version 1.0, and an unknown section length.
      writer.append(0x1A2B_3C4D, 1, .max, .max)
      writer.option(4, program)
      writer.option(0, "")
    }
  }

  mutating func interface(_ interface: CaptureFile.Interface) {
    block(Block.interfaceDescription) { writer in
      writer.append(UInt32(interface.linkType), interface.snaplen)
      if !interface.name.isEmpty { writer.option(2, interface.name) }
      // if_tsresol: the decimal digits of a second.
      writer.option(9, [interface.precision])
      // if_filter: 0 precedes a libpcap expression.
      if !interface.filter.isEmpty { writer.option(11, [0] + Array(interface.filter.utf8)) }
      writer.option(0, "")
    }
  }

  /// - Parameters:
  ///   - time: in units of the interface's clock since 1970.
  ///   - comment: UTF-8, of at most 65,535 bytes; empty for none.
  mutating func packet(
    _ octets: UnsafeRawBufferPointer, interface: Int, time: UInt64, original: UInt32,
    comment: [UInt8] = []
  ) {
    block(Block.enhancedPacket) { writer in
      writer.append(
        UInt32(truncatingIfNeeded: interface), UInt32(truncatingIfNeeded: time >> 32),
        UInt32(truncatingIfNeeded: time), UInt32(truncatingIfNeeded: octets.count), original)
      writer.buffer.append(octets.bytes)
      writer.pad(octets.count)
      // opt_comment
      if !comment.isEmpty {
        writer.option(1, comment)
        writer.option(0, "")
      }
    }
  }

  /// - Parameter keyLog: TLS secrets in the NSS key log format.
  mutating func secrets(_ keyLog: UnsafeRawBufferPointer) {
    block(Block.decryptionSecrets) { writer in
      writer.append(0x544C_534B, UInt32(truncatingIfNeeded: keyLog.count))
      writer.buffer.append(keyLog.bytes)
      writer.pad(keyLog.count)
    }
  }

  /// - Parameter time: in the same units as for packets.
  mutating func statistics(_ statistics: CaptureStatistics, interface: Int, time: UInt64) {
    block(Block.interfaceStatistics) { writer in
      writer.append(
        UInt32(truncatingIfNeeded: interface), UInt32(truncatingIfNeeded: time >> 32),
        UInt32(truncatingIfNeeded: time))
      // isb_ifdrop, isb_filteraccept, isb_osdrop, isb_usrdeliv
      writer.option(5, statistics.droppedByInterface)
      writer.option(6, statistics.received)
      writer.option(7, statistics.droppedByKernel)
      writer.option(8, statistics.captured)
      writer.option(0, "")
    }
  }

  /// Writes a block with its length at both ends.
  private mutating func block(_ type: UInt32, _ body: (inout PcapngWriter) -> Void) {
    // The length is filled in when the body is complete.
    let start = buffer.count
    append(type, 0)
    body(&self)
    let length = UInt32(truncatingIfNeeded: buffer.count - start + 4)
    append(length)
    buffer.replace(at: start + 4, with: length)
  }

  private mutating func append(_ words: UInt32...) { for word in words { append(word) } }

  private mutating func append(_ word: UInt32) {
    withUnsafeBytes(of: word.littleEndian) { buffer.append($0.bytes) }
  }

  private mutating func option(_ code: UInt16, _ value: UInt64) {
    option(code, withUnsafeBytes(of: value.littleEndian) { Array($0) })
  }

  private mutating func option(_ code: UInt16, _ text: String) {
    option(code, Array(text.utf8))
  }

  private mutating func option(_ code: UInt16, _ octets: [UInt8]) {
    let octets = octets.prefix(Int(UInt16.max))
    append(UInt32(code) | UInt32(octets.count) << 16)
    octets.withUnsafeBytes { buffer.append($0.bytes) }
    pad(octets.count)
  }

  /// Pads to a multiple of four bytes.
  private mutating func pad(_ count: Int) {
    for _ in 0..<(-count & 3) { buffer.append(0) }
  }
}
