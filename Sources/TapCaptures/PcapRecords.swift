// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads the records of a classic pcap file: its header, then packets. It keeps only a few numbers.
struct PcapRecords: RecordFormat {
  /// The largest real snaplen (libpcap, MAXIMUM_SNAPLEN). Records up to it are accepted whatever
  /// the file's own snaplen, as some tools set that carelessly.
  private static let usualSnaplen = 262_144

  let place: Place
  let packetBytes: Int
  private(set) var chronology = Chronology()
  private(set) var header: PcapHeader?
  /// The number of packets passed on.
  private(set) var number: UInt64 = 0
  /// What `extent` read, for the call of `record` that follows.
  private var next: PcapRecord?
  /// Why the decoding stopped.
  private(set) var damage: String?

  init(_ place: Place, _ limits: Limits) {
    self.place = place
    packetBytes = limits.packetBytes
  }

  mutating func extent(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) -> Extent {
    guard let header else {
      guard bytes.byteCount >= PcapHeader.length else {
        return .unknown(needed: PcapHeader.length)
      }
      guard PcapHeader.magic(bytes) == nil else { return .record(PcapHeader.length) }
      // Possible only if the recognition was skipped.
      damage = "begins with no magic number of pcap"
      return .stop
    }
    guard bytes.byteCount >= header.recordHeader else {
      return .unknown(needed: header.recordHeader)
    }
    let record = PcapRecord(bytes, header)
    let most = min(packetBytes, max(Int(header.snaplen), Self.usualSnaplen))
    if Int(record.captured) > most {
      damage = "claims \(counted(record.captured, "captured byte"))"
      return .stop
    }
    if record.isBlank {
      damage = "is all zeros"
      return .stop
    }
    next = record
    return .record(header.recordHeader + Int(record.captured))
  }

  mutating func record(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    guard let header else { return open(bytes, sink) }
    let record = next ?? PcapRecord(bytes, header)
    next = nil
    packet(record, bytes.dropping(header.recordHeader), header, sink)
  }

  /// Fast path for nearly all files: little-endian, without frame check sequences.
  mutating func usualRecords(_ bytes: RawSpan, _ sink: any EvidenceSink) -> Int {
    guard let header, header.order == .little, header.recordHeader == 16, header.checkOctets == 0,
      header.major == 2, header.minor > 3
    else { return 0 }
    let most = UInt64(min(packetBytes, max(Int(header.snaplen), Self.usualSnaplen)))
    let unit: Int64 = header.isNanoseconds ? 1 : 1000
    var packet = Packet(
      time: .unknown, number: 0, originalLength: 0, linkType: header.linkType,
      input: place.input, precision: header.isNanoseconds ? 9 : 6)
    var at = 0
    while at &+ 16 <= bytes.byteCount {
      let times = bytes.word(unchecked: at)
      let lengths = bytes.word(unchecked: at &+ 8)
      let captured = lengths & 0xFFFF_FFFF
      let end = at &+ 16 &+ Int(captured)
      // Leave blank, too long and incomplete records to the slow path.
      guard captured <= most, end <= bytes.byteCount, times | lengths != 0 else { break }
      let seconds = Int64(times & 0xFFFF_FFFF)
      let fraction = Int64(times >> 32)
      packet.time = Instant(nanoseconds: seconds &* 1_000_000_000 &+ fraction &* unit)
      packet.originalLength = UInt32(truncatingIfNeeded: lengths >> 32)
      number &+= 1
      packet.number = number
      chronology.follow(packet.time, number)
      sink.packet(bytes.extracting(at &+ 16..<end), packet)
      at = end
    }
    return at
  }

  private mutating func open(_ bytes: RawSpan, _ sink: any EvidenceSink) {
    guard let header = PcapHeader.parse(bytes) else { return }
    self.header = header
    if header.major != 2 {
      let version = "\(header.major).\(header.minor)"
      sink.finding(
        .pcapVersion, .note, place.origin(4),
        "the file says it is version \(version) of the pcap format; it is read as 2.4")
    }
  }

  /// Passes on the captured part of a packet, without its frame check sequence.
  private mutating func packet(
    _ record: PcapRecord, _ bytes: RawSpan, _ header: PcapHeader, _ sink: any EvidenceSink
  ) {
    number += 1
    chronology.follow(record.time, number)
    let isInterrupted = bytes.byteCount < Int(record.captured)
    let original = record.original - min(record.original, header.checkOctets)
    let isWhole = record.captured <= record.original
    let count =
      isWhole && header.checkOctets > 0 ? min(bytes.byteCount, Int(original)) : bytes.byteCount
    var packet = Packet(
      time: record.time, number: number, originalLength: original, linkType: header.linkType,
      input: place.input, precision: header.isNanoseconds ? 9 : 6)
    packet.isInterrupted = isInterrupted
    sink.packet(bytes.extracting(0..<count), packet)
  }

  /// The file ends inside a record: reports that, and passes on the captured part.
  mutating func cut(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) {
    let end = place.byte(offset + UInt64(bytes.byteCount))
    guard let header else {
      let missing = counted(UInt64(PcapHeader.length - bytes.byteCount), "byte")
      return report(
        place.origin(offset), "the file ends at \(end), inside its header: \(missing) missing",
        sink)
    }
    let packet = "packet \(number + 1)"
    guard bytes.byteCount >= header.recordHeader else {
      let missing = counted(UInt64(header.recordHeader - bytes.byteCount), "byte")
      return report(
        place.origin(offset, record: number + 1),
        "the file ends at \(end), inside the record header of \(packet): \(missing) missing",
        sink)
    }
    let record = PcapRecord(bytes, header)
    let present = bytes.dropping(header.recordHeader)
    let missing = Int(record.captured) - present.byteCount
    report(
      place.origin(offset, record: number + 1, record.time),
      "the file ends at \(end), inside \(packet): \(missing) of its"
        + " \(counted(record.captured, "captured byte")) missing", sink)
    if !present.isEmpty { self.packet(record, present, header, sink) }
  }

  private func report(_ origin: Origin, _ text: String, _ sink: any EvidenceSink) {
    sink.finding(Finding(.pcapTruncated, .warning, origin, text).cutting)
  }
}
