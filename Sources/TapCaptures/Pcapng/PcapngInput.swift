// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// pcapng files (draft-ietf-opsawg-pcapng): sections, interfaces, packets, TLS secrets, and counts
/// of lost packets. Names and custom blocks are skipped.
public struct PcapngInput: InputKind {
  public static let name: StaticString = "pcapng"

  private var cutter = RecordCutter()
  private var blocks: PcapngBlocks
  private let place: Place
  private let patience: Int64

  public init(_ place: Place, limits: Limits) {
    self.place = place
    patience = limits.gapTimeout
    blocks = PcapngBlocks(place, limits)
  }

  public var isCapture: Bool { true }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    if head.byteCount < 4 { return isAll ? .no : .undecided }
    guard head.uint32(at: 0) == BlockType.sectionHeader else { return .no }
    // The type alone may also be line ends at the beginning of a text.
    if head.byteCount < 12 { return isAll ? .yes : .undecided }
    return SectionHeader.order(head) == nil ? .no : .yes
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    cutter.receive(chunk, &blocks, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    var blocks = blocks
    let offset = cutter.offset
    if let damage = blocks.damage {
      let rest = counted(cutter.unread, "byte")
      sink.finding(
        Finding(
          .pcapngDamaged, .warning, place.origin(offset),
          "the block at \(place.byte(offset)), after packet \(blocks.number), \(damage);"
            + " decoding stopped there, \(rest) not read"
        ).cutting)
    } else if cutter.skipping > 0 {
      sink.finding(
        Finding(
          .pcapngTruncated, .warning, place.origin(offset),
          "the file ends at \(place.byte(offset)), inside a block after packet \(blocks.number):"
            + " \(counted(cutter.skipping + (blocks.passing == nil ? 0 : 4), "byte")) missing"
        ).cutting)
    } else if !cutter.carry.isEmpty || blocks.passing != nil {
      blocks.cut(cutter.carry.bytes, at: offset, sink)
    }
    if blocks.homeless > 0 {
      let first = blocks.firstHomeless
      sink.finding(
        .pcapngUnknownInterface, .warning, first,
        "\(counted(blocks.homeless, "packet")) skipped for want of a description of the"
          + " interface; the first is packet \(first.record) at \(place.byte(first.offset))"
          + (blocks.unremembered > 0
            ? "; \(counted(blocks.unremembered, "description")) were too many to be remembered"
            : ""))
    }
    blocks.finish(sink)
    blocks.chronology.finish(place, patience: patience, sink)
    self.blocks = blocks
  }
}
