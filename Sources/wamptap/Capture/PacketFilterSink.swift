// SPDX-License-Identifier: Apache-2.0
import TapSources
import TapTraffic

/// Stands before the engine for packets of files and of standard input: those that match a filter
/// go on, and are kept where that is wanted. All other evidence passes.
final class PacketFilterSink: EvidenceSink {
  /// What packets of one interface of the file have in common.
  private struct Kind: Hashable {
    var input: UInt16
    var linkType: UInt16
    var precision: UInt8
  }

  private let sink: any EvidenceSink
  private let filter: PacketFilter?
  private let file: CaptureFile?
  private let expression: String
  /// What is written beside packets that are kept; nil for nothing.
  private let annotations: Annotations?
  /// What is kept of the packets; nil for all of them.
  private let selection: SavedPackets?
  /// Counts packets, where only the beginning is looked at.
  private let search: MidstreamSearch?
  private var interfaces: [Kind: Int] = [:]
  /// Packets came, so that there was something to keep.
  private(set) var hasPackets = false
  /// Why packets of some link type could not be compared with the filter; none of them passes.
  private(set) var failure: CaptureError?

  /// - Parameter expression: the filter as the user wrote it.
  init(
    _ sink: any EvidenceSink, _ filter: PacketFilter?, _ file: CaptureFile?, expression: String,
    annotations: Annotations? = nil, selection: SavedPackets? = nil,
    search: MidstreamSearch? = nil
  ) {
    (self.sink, self.filter, self.file) = (sink, filter, file)
    (self.expression, self.annotations) = (expression, annotations)
    (self.selection, self.search) = (selection, search)
  }

  var wantsMore: Bool { sink.wantsMore }

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    hasPackets = true
    search?.addPacket()
    if let filter {
      do {
        let isWanted = try filter.matches(
          bytes, linkType: packet.linkType, originalLength: packet.originalLength)
        if !isWanted { return }
      } catch {
        failure = error
        return
      }
    }
    if let file, selection?.contains(packet) ?? true { keep(bytes, packet, file) }
    sink.packet(bytes, packet)
    if file == nil, let selection { selection.add(packet) }
  }

  func quiet(for silence: Int64, at now: Instant) -> Int64? { sink.quiet(for: silence, at: now) }

  private func keep(_ bytes: RawSpan, _ packet: Packet, _ file: CaptureFile) {
    let precision: UInt8 = packet.precision > 6 ? 9 : 6
    let kind = Kind(input: packet.input, linkType: packet.linkType, precision: precision)
    let interface =
      interfaces[kind]
      ?? file.addInterface(
        CaptureFile.Interface(
          name: "", filter: expression, linkType: packet.linkType, snaplen: 0,
          precision: precision))
    interfaces[kind] = interface
    let time = packet.time.isKnown ? max(packet.time.nanoseconds, 0) : 0
    let fraction = time % 1_000_000_000
    bytes.withUnsafeBytes { octets in
      file.packet(
        octets, interface: interface,
        seconds: UInt32(truncatingIfNeeded: time / 1_000_000_000),
        fraction: UInt32(truncatingIfNeeded: precision == 9 ? fraction : fraction / 1000),
        original: max(packet.originalLength, UInt32(clamping: octets.count)),
        comment: annotations?[packet.number] ?? [])
    }
  }

  func secrets(_ keyLog: RawSpan, _ origin: Origin) {
    if let file { keyLog.withUnsafeBytes { file.secrets($0) } }
    sink.secrets(keyLog, origin)
  }

  func opened(_ opening: Opening, _ delivery: Delivery) { sink.opened(opening, delivery) }
  func closed(_ closing: Closing, _ delivery: Delivery) { sink.closed(closing, delivery) }

  func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    sink.control(opcode, payload, delivery)
  }

  func stream(_ bytes: RawSpan, _ delivery: Delivery) { sink.stream(bytes, delivery) }
  func gap(_ missing: Int?, _ delivery: Delivery) { sink.gap(missing, delivery) }
  func endStream(_ delivery: Delivery) { sink.endStream(delivery) }
  func message(_ bytes: RawSpan, _ delivery: Delivery) { sink.message(bytes, delivery) }

  func context(_ words: RawSpan, _ line: ContextLine) { sink.context(words, line) }
  func finding(_ finding: Finding) { sink.finding(finding) }
  func recognised(_ verdict: InputVerdict, _ origin: Origin) { sink.recognised(verdict, origin) }
  func count(_ thing: Counter, _ amount: Int) { sink.count(thing, amount) }
  func refuse(_ reason: String, _ origin: Origin) { sink.refuse(reason, origin) }
}
