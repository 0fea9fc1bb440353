// SPDX-License-Identifier: Apache-2.0
public import TapTraffic
import TapTransport

/// Checks whether a capture may lack the beginning of a connection, by its TCP alone, which costs a
/// tenth of decoding everything.
public final class MissedBeginnings: EvidenceSink {
  /// A connection was open before the capture began, lacks bytes, or has only one direction.
  public var areLikely: Bool { findings.areLikely }
  public var wantsMore: Bool { !areLikely }

  private var transport: Transport
  private let findings = Findings()

  public init(limits: Limits) { transport = Transport(chooser: findings, limits: limits) }

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    transport.receive(bytes, packet, findings)
  }

  public func message(_: RawSpan, _: Delivery) {}
  public func finding(_: Finding) {}

  /// No more packets come.
  public func finish() { transport.finish(findings) }

  /// Notes what streams lack.
  private final class Findings: Chooser, Listener {
    var areLikely = false

    func layer(for opening: Opening) -> any Layer {
      if !opening.isFromStart { areLikely = true }
      return Stream(findings: self)
    }

    func opened(_: Opening, _: Delivery) {}
    func message(_: Message, _: RawSpan, _: Span<Note>) {}
    func finding(_: Finding) {}
    func closed(_: Closing, _: Delivery) {}
    func account(_: Fate, _: Int) {}
    func count(_: Counter, _: Int) {}
  }

  private struct Stream: Layer {
    let findings: Findings
    var hasClient = false
    var hasServer = false
    var hasHalfEnded = false

    mutating func receive(_: RawSpan, _ delivery: Delivery, _: any Listener) {
      if delivery.origin.direction == .toServer { hasClient = true } else { hasServer = true }
    }

    mutating func gap(_: Int?, _: Delivery, _: any Listener) { findings.areLikely = true }

    mutating func finish(_ ending: Ending, _: Delivery, _: any Listener) {
      if ending == .half { return hasHalfEnded = true }
      // If the evidence ended first, the answer may have come later.
      let hasEnded = hasHalfEnded || ending != .endOfEvidence
      if hasEnded && hasClient != hasServer { findings.areLikely = true }
    }
  }
}
