// SPDX-License-Identifier: Apache-2.0

/// Writes a pcapng file block by block, for tests and samples.
public struct PcapngBuilder {
  private var octets: ByteWriter
  private var borders: [Int] = []

  /// - Parameter bigEndian: the byte order of the first section, which begins at once.
  public init(bigEndian: Bool = false) {
    octets = ByteWriter(bigEndian: bigEndian)
    section(bigEndian: bigEndian)
  }

  /// The file so far.
  public var bytes: [UInt8] { octets.bytes }
  /// The offsets at which blocks end.
  public var ends: [Int] { borders }

  public mutating func section(bigEndian: Bool = false, major: UInt16 = 1) {
    var next = ByteWriter(bigEndian: bigEndian)
    next.bytes = octets.bytes
    octets = next
    var body = ByteWriter(bigEndian: bigEndian)
    body.append(0x1A2B_3C4D as UInt32)
    body.append(major)
    body.append(UInt16(0))
    body.append(Int64(-1))
    block(0x0A0D_0D0A, body.bytes)
  }

  /// - Parameters:
  ///   - resolution: the byte of if_tsresol; nil writes no such option.
  ///   - offset: seconds of if_tsoffset; nil writes no such option.
  public mutating func interface(
    linkType: UInt16 = 1, snaplen: UInt32 = 262_144, resolution: UInt8? = nil,
    offset: Int64? = nil
  ) {
    var body = ByteWriter(bigEndian: octets.bigEndian)
    body.append(linkType)
    body.append(UInt16(0))
    body.append(snaplen)
    // if_name, so that there is an option to skip.
    option(2, Array("eth0 of a test".utf8), &body)
    if let resolution { option(9, [resolution], &body) }
    if let offset {
      var value = ByteWriter(bigEndian: octets.bigEndian)
      value.append(offset)
      option(14, value.bytes, &body)
    }
    option(0, [], &body)
    block(1, body.bytes)
  }

  /// An enhanced packet; `ticks` are in units of its interface.
  ///
  /// - Parameter dropped: the number of epb_dropcount; nil writes no such option.
  public mutating func packet(
    _ bytes: [UInt8], ticks: UInt64, interface: UInt32 = 0, original: Int? = nil,
    comment: String? = nil, dropped: UInt64? = nil
  ) {
    var body = ByteWriter(bigEndian: octets.bigEndian)
    body.append(interface)
    body.append(UInt32(ticks >> 32))
    body.append(UInt32(truncatingIfNeeded: ticks))
    body.append(UInt32(bytes.count))
    body.append(UInt32(original ?? bytes.count))
    body.bytes += bytes
    body.pad()
    if let comment { option(1, Array(comment.utf8), &body) }
    if let dropped { count(4, dropped, &body) }
    if comment != nil || dropped != nil { option(0, [], &body) }
    block(6, body.bytes)
  }

  /// Statistics of an interface.
  ///
  /// - Parameter counts: options of eight bytes, by their code.
  public mutating func statistics(interface: UInt32 = 0, _ counts: [(UInt16, UInt64)]) {
    var body = ByteWriter(bigEndian: octets.bigEndian)
    body.append(interface)
    body.append(UInt64(0))
    for (code, value) in counts { count(code, value, &body) }
    option(0, [], &body)
    block(5, body.bytes)
  }

  /// The obsolete packet block.
  public mutating func obsoletePacket(
    _ bytes: [UInt8], ticks: UInt64, interface: UInt16 = 0, dropped: UInt16 = 0
  ) {
    var body = ByteWriter(bigEndian: octets.bigEndian)
    body.append(interface)
    body.append(dropped)
    body.append(UInt32(ticks >> 32))
    body.append(UInt32(truncatingIfNeeded: ticks))
    body.append(UInt32(bytes.count))
    body.append(UInt32(bytes.count))
    body.bytes += bytes
    block(2, body.bytes)
  }

  public mutating func simplePacket(_ bytes: [UInt8], original: Int? = nil) {
    var body = ByteWriter(bigEndian: octets.bigEndian)
    body.append(UInt32(original ?? bytes.count))
    body.bytes += bytes
    block(3, body.bytes)
  }

  /// Any block; the body is padded.
  public mutating func block(_ type: UInt32, _ body: [UInt8]) {
    let total = UInt32(12 + (body.count + 3) / 4 * 4)
    octets.append(type)
    octets.append(total)
    octets.bytes += body
    octets.pad()
    octets.append(total)
    borders.append(octets.bytes.count)
  }

  /// Bytes that are not a block.
  public mutating func raw(_ bytes: [UInt8]) { octets.bytes += bytes }

  private func count(_ code: UInt16, _ number: UInt64, _ body: inout ByteWriter) {
    var value = ByteWriter(bigEndian: octets.bigEndian)
    value.append(number)
    option(code, value.bytes, &body)
  }

  private func option(_ code: UInt16, _ value: [UInt8], _ body: inout ByteWriter) {
    body.append(code)
    body.append(UInt16(value.count))
    body.bytes += value
    body.pad()
  }
}

extension CaptureBuilder {
  /// A pcapng file of one section with one interface that counts nanoseconds.
  public static func pcapng(
    packets: [Timed], linkType: UInt16 = 1, bigEndian: Bool = false
  ) -> [UInt8] {
    var file = PcapngBuilder(bigEndian: bigEndian)
    file.interface(linkType: linkType, resolution: 9)
    for packet in packets { file.packet(packet.bytes, ticks: packet.time) }
    return file.bytes
  }
}
