// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Classic pcap files (draft-ietf-opsawg-pcap; libpcap's savefile(5)): microseconds, nanoseconds
/// and Kuznetzov's variant, in both byte orders. Not pcapng. After a damaged record header the next
/// one cannot be found, so decoding stops there.
public struct PcapInput: InputKind {
  public static let name: StaticString = "pcap"

  private var cutter = RecordCutter()
  private var records: PcapRecords
  private let place: Place
  private let patience: Int64

  public init(_ place: Place, limits: Limits) {
    self.place = place
    patience = limits.gapTimeout
    records = PcapRecords(place, limits)
  }

  public var isCapture: Bool { true }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    if head.byteCount < 4 { return isAll ? .no : .undecided }
    return PcapHeader.magic(head) == nil ? .no : .yes
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    cutter.receive(chunk, &records, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    var records = records
    if let damage = records.damage {
      let rest = counted(cutter.unread, "byte")
      let number = records.number + 1
      let header = records.header == nil ? "file header" : "record header of packet \(number)"
      sink.finding(
        Finding(
          .pcapDamaged, .warning, place.origin(cutter.offset, record: number),
          "the \(header) at \(place.byte(cutter.offset)) \(damage);"
            + " decoding stopped there, \(rest) not read"
        ).cutting)
    } else if !cutter.carry.isEmpty || records.header == nil {
      records.cut(cutter.carry.bytes, at: cutter.offset, sink)
    }
    records.chronology.finish(place, patience: patience, sink)
  }
}
