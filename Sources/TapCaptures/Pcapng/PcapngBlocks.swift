// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads the blocks of a pcapng file (draft-ietf-opsawg-pcapng §3.1). It keeps the interfaces of
/// the section and a few numbers; unread blocks are skipped without being held.
struct PcapngBlocks: RecordFormat {
  /// The most bytes of a packet block besides its packet.
  private static let slack = 1 << 16
  /// The secrets type of a TLS key log: "TLSK".
  private static let tlsKeyLog: UInt32 = 0x544C_534B
  /// Unread blocks smaller than this are taken in one piece.
  private static let small: UInt64 = 32

  let place: Place
  let packetBytes: Int
  private let mostInterfaces: Int
  private(set) var chronology = Chronology()
  /// The section's counts of lost packets.
  private var drops: PcapngDrops
  private var order = ByteOrder.little
  private var hasSection = false
  private var interfaces: ContiguousArray<InterfaceDescription> = []
  /// The block being skipped, whose trailing length comes next.
  private(set) var passing: (type: UInt32, total: UInt32, offset: UInt64)?
  /// The number of interface descriptions beyond the limit.
  private(set) var unremembered: UInt64 = 0
  /// The number of packet blocks so far, including unreadable ones.
  private(set) var number: UInt64 = 0
  /// Why the decoding stopped.
  private(set) var damage: String?
  /// The number of packets of interfaces without a description.
  private(set) var homeless: UInt64 = 0
  private(set) var firstHomeless = Origin()
  /// The previous block was damaged: the next bytes must prove to be a block.
  private var isSuspect = false

  init(_ place: Place, _ limits: Limits) {
    self.place = place
    drops = PcapngDrops(most: UInt32(clamping: limits.interfaces))
    (packetBytes, mostInterfaces) = (limits.packetBytes, limits.interfaces)
  }

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                          block type                           |
  ///     +---------------------------------------------------------------+
  ///     |                      block total length                       |
  ///     +---------------------------------------------------------------+
  ///     /              block body, padded to 32 bits                    /
  ///     +---------------------------------------------------------------+
  ///     |                      block total length                       |
  ///     +---------------------------------------------------------------+
  mutating func extent(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) -> Extent {
    if let passing {
      guard bytes.byteCount >= 4 else { return .unknown(needed: 4) }
      self.passing = nil
      compare(passing.total, order.uint32(bytes, at: 0), passing.type, passing.offset, sink)
      return .skip(4)
    }
    guard bytes.byteCount >= 12 else { return .unknown(needed: 12) }
    var order = order
    let isSection = bytes.uint32(at: 0) == BlockType.sectionHeader
    if isSection {
      guard let reported = SectionHeader.order(bytes) else {
        return stop("has no byte-order magic")
      }
      order = reported
    } else if !hasSection {
      return stop("does not begin a section")
    }
    let type = isSection ? BlockType.sectionHeader : order.uint32(bytes, at: 0)
    let total = order.uint32(bytes, at: 4)
    if isSuspect && !(BlockType.isKnown(type) && total >= 12 && total & 3 == 0) {
      return stop("is none")
    }
    guard total >= 12 else { return stop("claims \(counted(total, "byte"))") }
    // Some writers do not count the padding; then the trailing length, after the padding, agrees.
    let length = (UInt64(total) + 3) & ~3
    guard BlockType.isRead(type) else {
      return pass(type, total: total, length: length, at: offset)
    }
    if type == BlockType.decryptionSecrets {
      // The secrets type decides whether they are read.
      guard bytes.byteCount >= 16 || length < 16 else { return .unknown(needed: 16) }
      if length < 20 || order.uint32(bytes, at: 8) != Self.tlsKeyLog {
        return pass(type, total: total, length: length, at: offset)
      }
    }
    if length > UInt64(packetBytes + Self.slack) {
      if type == BlockType.decryptionSecrets {
        reportTooLarge("a block of TLS secrets", record: 0, length: length, at: offset, sink)
        return pass(type, total: total, length: length, at: offset)
      }
      if type == BlockType.interfaceStatistics {
        return pass(type, total: total, length: length, at: offset)
      }
      guard BlockType.isPacket(type) else {
        return stop("claims \(counted(length, "byte"))")
      }
      tooLarge(length: length, at: offset, sink)
      return pass(type, total: total, length: length, at: offset)
    }
    return .record(Int(length))
  }

  private mutating func stop(_ why: String) -> Extent {
    damage = why
    return .stop
  }

  /// Skips a block up to its trailing length.
  private mutating func pass(
    _ type: UInt32, total: UInt32, length: UInt64, at offset: UInt64
  ) -> Extent {
    if length < Self.small { return .record(Int(length)) }
    isSuspect = false
    passing = (type, total, offset)
    return .skip(length - 4)
  }

  private mutating func compare(
    _ total: UInt32, _ trailing: UInt32, _ type: UInt32, _ offset: UInt64, _ sink: any EvidenceSink
  ) {
    if total == trailing { return }
    isSuspect = true
    reportDamage(
      "says \(total) bytes at its beginning and \(trailing) at its end", type, offset, sink)
  }

  mutating func record(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    isSuspect = false
    let isSection = bytes.uint32(at: 0) == BlockType.sectionHeader
    if isSection { open(bytes, at: offset, sink) }
    let type = isSection ? BlockType.sectionHeader : order.uint32(bytes, at: 0)
    if BlockType.isPacket(type) { number += 1 }
    let total = order.uint32(bytes, at: 4)
    let trailing = order.uint32(bytes, at: bytes.byteCount - 4)
    compare(total, trailing, type, offset, sink)
    let block = bytes.extracting(0..<bytes.byteCount - 4)
    if type == BlockType.interfaceDescription {
      describe(block, at: offset, sink)
    } else if type == BlockType.decryptionSecrets {
      if block.byteCount >= 16, order.uint32(block, at: 8) == Self.tlsKeyLog {
        secrets(block, at: offset, sink)
      }
    } else if type == BlockType.interfaceStatistics {
      drops.statistics(block, order, place.origin(offset))
    } else if BlockType.isPacket(type) {
      packet(type, block, at: offset, isCut: false, sink)
    }
  }

  /// The file or the section ends.
  mutating func finish(_ sink: any EvidenceSink) { drops.finish(sink) }

  private mutating func open(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    finish(sink)
    interfaces.removeAll(keepingCapacity: true)
    hasSection = true
    // Announce secrets, which may come anywhere in the section.
    sink.secrets([UInt8]().span.bytes, place.origin(offset))
    if let reported = SectionHeader.order(bytes) { order = reported }
    guard let header = SectionHeader.parse(bytes) else {
      return reportDamage("is too short", BlockType.sectionHeader, offset, sink)
    }
    if header.major != 1 {
      sink.finding(
        .pcapngVersion, .note, place.origin(offset),
        "the section at \(place.byte(offset)) says it is version"
          + " \(header.major).\(header.minor) of pcapng; it is read as 1.0")
    }
  }

  private mutating func describe(_ block: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    guard let interface = InterfaceDescription.parse(block, order) else {
      return reportDamage("is too short", BlockType.interfaceDescription, offset, sink)
    }
    if interfaces.count < mostInterfaces {
      interfaces.append(interface)
    } else {
      unremembered += 1
    }
  }

  /// draft-ietf-opsawg-pcapng §4.7: a type, a length, and a key log.
  private func secrets(_ block: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    let length = Int(order.uint32(block, at: 12))
    let present = block.byteCount - 16
    if length > present {
      reportDamage(
        "has \(present) bytes for secrets of \(length)", BlockType.decryptionSecrets, offset, sink)
    }
    sink.secrets(block.extracting(16..<16 + min(length, present)), place.origin(offset))
  }

  /// Passes on the captured part of a packet.
  private mutating func packet(
    _ type: UInt32, _ block: RawSpan, at offset: UInt64, isCut: Bool, _ sink: any EvidenceSink
  ) {
    guard let packet = PacketBlock.parse(type, block, order) else {
      if !isCut { reportDamage("is too short", type, offset, sink) }
      return
    }
    guard packet.interface < interfaces.count else {
      if homeless == 0 { firstHomeless = place.origin(offset, record: number) }
      homeless += 1
      return
    }
    let interface = interfaces[Int(packet.interface)]
    let length = packet.length(interface)
    let present = block.byteCount - packet.start
    if length > present && !isCut {
      reportDamage("has \(present) bytes for a packet of \(length)", type, offset, sink)
    }
    if isCut && present == 0 { return }
    var reported = Packet(
      time: packet.ticks.map { interface.clock.instant($0) } ?? .unknown, number: number,
      originalLength: packet.original, linkType: interface.linkType, input: place.input,
      precision: interface.clock.precision)
    reported.isInterrupted = isCut
    // Hardly any packet has options.
    let options = packet.start + ((length + 3) & ~3)
    if options < block.byteCount || type == BlockType.packet {
      lost(type, packet, block, options: options, at: offset)
    }
    chronology.follow(reported.time, number)
    sink.packet(block.extracting(packet.start..<packet.start + min(length, present)), reported)
  }

  /// Reads how many packets were lost before a packet.
  private mutating func lost(
    _ type: UInt32, _ packet: PacketBlock, _ block: RawSpan, options: Int, at offset: UInt64
  ) {
    let origin = place.origin(offset, record: number)
    if type == BlockType.packet {
      // All ones when the writer does not count.
      let count = order.uint16(block, at: 10)
      if count != .max { drops.add(UInt64(count), packet.interface, origin) }
    } else if type == BlockType.enhancedPacket {
      drops.packet(block, options: options, packet.interface, order, origin)
    }
  }

  /// The file ends inside a block: passes on the captured part.
  mutating func cut(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    let end = place.byte(offset + UInt64(bytes.byteCount))
    if passing != nil {
      return reportCut(
        "the file ends at \(end), inside the length at the end of a block", record: 0, at: offset,
        sink)
    }
    guard bytes.byteCount >= 12 else {
      return reportCut(
        "the file ends at \(end), inside the header of a block", record: 0, at: offset, sink)
    }
    let type = hasSection ? order.uint32(bytes, at: 0) : BlockType.sectionHeader
    let order = SectionHeader.order(bytes).flatMap { type == BlockType.sectionHeader ? $0 : nil }
    let total = (UInt64((order ?? self.order).uint32(bytes, at: 4)) + 3) & ~3
    let missing = "\(total - UInt64(bytes.byteCount)) of its \(counted(total, "byte")) missing"
    guard BlockType.isPacket(type) else {
      return reportCut(
        "the file ends at \(end), inside a block: \(missing)", record: 0, at: offset, sink)
    }
    number += 1
    reportCut(
      "the file ends at \(end), inside the block of packet \(number): \(missing)", record: number,
      at: offset,
      sink)
    packet(type, bytes, at: offset, isCut: true, sink)
  }

  private func reportCut(
    _ text: String, record: UInt64, at offset: UInt64, _ sink: any EvidenceSink
  ) {
    sink.finding(
      Finding(.pcapngTruncated, .warning, place.origin(offset, record: record), text).cutting)
  }

  private mutating func tooLarge(length: UInt64, at offset: UInt64, _ sink: any EvidenceSink) {
    number += 1
    reportTooLarge("packet \(number)", record: number, length: length, at: offset, sink)
  }

  private func reportTooLarge(
    _ what: String, record: UInt64, length: UInt64, at offset: UInt64, _ sink: any EvidenceSink
  ) {
    sink.finding(
      .pcapngTooLarge, .warning, place.origin(offset, record: record),
      "\(what) at \(place.byte(offset)) takes \(counted(length, "byte")), more than"
        + " the \(packetBytes) that are read; it is skipped")
  }

  private func reportDamage(
    _ what: String, _ type: UInt32, _ offset: UInt64, _ sink: any EvidenceSink
  ) {
    let isPacket = BlockType.isPacket(type)
    let block = isPacket ? "block of packet \(number)" : "block"
    sink.finding(
      Finding(
        .pcapngDamaged, .warning, place.origin(offset, record: isPacket ? number : 0),
        "the \(block) at \(place.byte(offset)) \(what)"
      ).cutting)
  }
}
