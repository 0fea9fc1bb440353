// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The counts of lost packets in a section: packets give how many are missing before them, and
/// interface statistics the total.
struct PcapngDrops {
  /// The counts of one interface.
  private struct Interface {
    /// The sum of the packets' epb_dropcount.
    var between: UInt64 = 0
    /// isb_ifdrop and isb_osdrop of the last statistics, which count from the beginning.
    var (byInterface, bySystem): (UInt64, UInt64) = (0, 0)
  }

  /// Interfaces of higher numbers than a file may describe are counted as one.
  private let most: UInt32

  private var interfaces: [UInt32: Interface] = [:]
  /// The origin of the first count.
  private var origin: Origin?

  init(most: UInt32) { self.most = most }

  ///     epb_dropcount: code 4, 8 bytes
  ///
  /// draft-ietf-opsawg-pcapng §4.3.
  ///
  /// - Parameter options: the offset of the packet's options in its block.
  mutating func packet(
    _ block: RawSpan, options: Int, _ interface: UInt32, _ order: ByteOrder, _ place: Origin
  ) {
    var walk = BlockOptions(from: options)
    while let option = walk.next(in: block, order) {
      guard option.code == 4, option.value.count == 8 else { continue }
      add(order.uint64(block, at: option.value.start), interface, place)
    }
  }

  /// Adds packets that were lost before a packet.
  mutating func add(_ count: UInt64, _ interface: UInt32, _ place: Origin) {
    if count == 0 { return }
    let interface = min(interface, most)
    let before = interfaces[interface]?.between ?? 0
    interfaces[interface, default: Interface()].between = Self.sum(before, count)
    if origin == nil { origin = place }
  }

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                     block type = 0x00000005                   |
  ///     +---------------------------------------------------------------+
  ///     |                       block total length                      |
  ///     +---------------------------------------------------------------+
  ///     |                          interface                            |
  ///     +---------------------------------------------------------------+
  ///     |                       time, 64 bits                           |
  ///     |                                                               |
  ///     +---------------------------------------------------------------+
  ///     /      options: isb_ifdrop (5), isb_osdrop (7), 8 bytes each   /
  ///     +---------------------------------------------------------------+
  ///
  /// Interface Statistics Block, draft-ietf-opsawg-pcapng §4.6.
  mutating func statistics(_ block: RawSpan, _ order: ByteOrder, _ place: Origin) {
    guard block.byteCount >= 20 else { return }
    var walk = BlockOptions(from: 20)
    while let option = walk.next(in: block, order) {
      guard option.value.count == 8 else { continue }
      let count = order.uint64(block, at: option.value.start)
      // All ones when the system does not count.
      guard count != 0, count != .max, option.code == 5 || option.code == 7 else { continue }
      let interface = min(order.uint32(block, at: 8), most)
      if option.code == 5 { interfaces[interface, default: Interface()].byInterface = count }
      if option.code == 7 { interfaces[interface, default: Interface()].bySystem = count }
      if origin == nil { origin = place }
    }
  }

  /// The section ends: reports the counts, and forgets them.
  mutating func finish(_ sink: any EvidenceSink) {
    guard let origin else { return }
    var (byInterface, bySystem, between): (UInt64, UInt64, UInt64) = (0, 0, 0)
    for interface in interfaces.values {
      byInterface = Self.sum(byInterface, interface.byInterface)
      bySystem = Self.sum(bySystem, interface.bySystem)
      // The statistics include the same packets.
      let counted = Self.sum(interface.byInterface, interface.bySystem)
      if interface.between > counted { between = Self.sum(between, interface.between - counted) }
    }
    let parts = [
      (byInterface, "by the interface"), (bySystem, "by the system"),
      (between, "between packets that are there"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    sink.finding(
      .captureDropped, .warning, origin,
      "packets were lost while this was captured, as the file itself says: \(words)")
    self = PcapngDrops(most: most)
  }

  private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
