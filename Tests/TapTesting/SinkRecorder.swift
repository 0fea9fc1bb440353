// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// A sink that records what it receives, one line each, for comparison in tests.
public final class SinkRecorder: EvidenceSink {
  /// Everything, in order.
  public private(set) var lines: [String] = []
  public private(set) var packets: [(packet: Packet, bytes: [UInt8])] = []
  public private(set) var messages: [(bytes: [UInt8], delivery: Delivery)] = []
  public private(set) var findings: [Finding] = []

  public init() {}

  public var codes: [String] { findings.map(\.code.name) }

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    let copy = bytes.copied()
    packets.append((packet, copy))
    lines.append(
      "packet \(packet.number) at \(packet.time.nanoseconds).\(packet.precision)"
        + " \(copy.count)/\(packet.originalLength) link \(packet.linkType)"
        + " input \(packet.input) hash \(hash(copy))")
  }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let copy = bytes.copied()
    messages.append((copy, delivery))
    let conversation = delivery.origin.flow > 0 ? " of \(delivery.origin.flow)" : ""
    let sender = delivery.origin.flow > 0 ? " \(delivery.origin.direction)" : ""
    lines.append(
      "message\(conversation)\(sender) \(delivery.kind) at \(delivery.origin.offset)"
        + " \(String(decoding: copy, as: Unicode.UTF8.self))")
  }

  public func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    lines.append(
      "control \(opcode.rawValue) of \(delivery.origin.flow) \(delivery.origin.direction)"
        + " \(payload.copied())")
  }

  /// The bytes of all streams, concatenated; a gap is `nil`.
  public private(set) var streamed: [UInt8?] = []
  public private(set) var recognitions: [String] = []
  public private(set) var refusals: [String] = []

  public func stream(_ bytes: RawSpan, _ delivery: Delivery) {
    let copy = bytes.copied()
    streamed += copy
    lines.append(
      "stream \(delivery.origin.direction) at \(delivery.origin.offset) \(copy.count)"
        + " hash \(hash(copy))")
  }

  /// TLS secrets, block by block; an empty block announces that there may be some.
  public private(set) var keyLogs: [[UInt8]] = []

  public func secrets(_ keyLog: RawSpan, _ origin: Origin) { keyLogs.append(keyLog.copied()) }

  public func gap(_ missing: Int?, _ delivery: Delivery) {
    streamed.append(nil)
    lines.append("gap \(missing ?? -1) \(delivery.origin.direction)")
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    lines.append(
      "opened \(delivery.origin.flow) \(opening.carrier)"
        + " \(String(decoding: opening.url, as: Unicode.UTF8.self))"
        + " \(String(decoding: opening.subprotocol, as: Unicode.UTF8.self))")
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    lines.append("closed \(delivery.origin.flow) \(closing.code ?? 0)")
  }

  public func endStream(_ delivery: Delivery) { lines.append("end of stream") }

  public func recognised(_ verdict: InputVerdict, _ origin: Origin) {
    let words = verdict.words(counted: verdict.messages)
    recognitions.append(words)
    lines.append("recognised \(words)")
  }

  public func refuse(_ reason: String, _ origin: Origin) {
    refusals.append(reason)
    lines.append("refused \(reason)")
  }

  public func finding(_ finding: Finding) {
    findings.append(finding)
    let origin = finding.origin
    lines.append(
      "\(finding.severity) \(finding.code.name) at \(origin.offset) record \(origin.record)"
        + " input \(origin.input): \(finding.text)")
  }

  /// FNV-1a, which is the same in every process.
  private func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
