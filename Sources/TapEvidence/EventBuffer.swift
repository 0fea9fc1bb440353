// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Records what an input tells, in order, to replay it for a sink later, maybe on another thread.
public final class EventBuffer: EvidenceSink {
  // A single variable: Swift checks exclusive access for each one.
  private var kept = Kept()

  private struct Kept {
    var entries: ContiguousArray<EvidenceEvent> = []
    /// The bytes of all entries, one after the other.
    var octets = Scratch()

    mutating func append(_ bytes: RawSpan, _ call: EvidenceEvent.Call) {
      octets.append(bytes)
      entries.append(EvidenceEvent(call, bytes.byteCount))
    }
  }

  public init() {}

  /// Tells a sink everything that was recorded, and empties the buffer.
  public func play(onto sink: any EvidenceSink) {
    // A class cannot lend what it stores, so the buffer is moved out while it is lent.
    var kept = Kept()
    swap(&kept, &self.kept)
    var place = 0
    for told in kept.entries { told.play(onto: sink, kept.octets.bytes, at: &place) }
    kept.entries.removeAll(keepingCapacity: kept.entries.capacity <= 1 << 12)
    kept.octets.removeAll()
    kept.octets.shrink(above: 1 << 20)
    swap(&kept, &self.kept)
  }

  private func keep(_ bytes: RawSpan, _ call: EvidenceEvent.Call) { kept.append(bytes, call) }

  private func keep(_ call: EvidenceEvent.Call) { kept.entries.append(EvidenceEvent(call)) }

  public func packet(_ bytes: RawSpan, _ packet: Packet) { keep(bytes, .packet(packet)) }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) { keep(bytes, .message(delivery)) }

  public func stream(_ bytes: RawSpan, _ delivery: Delivery) { keep(bytes, .stream(delivery)) }

  public func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    keep(payload, .control(opcode, delivery))
  }

  public func context(_ words: RawSpan, _ line: ContextLine) { keep(words, .context(line)) }

  public func secrets(_ keyLog: RawSpan, _ origin: Origin) { keep(keyLog, .secrets(origin)) }

  public func gap(_ missing: Int?, _ delivery: Delivery) { keep(.gap(missing, delivery)) }

  public func endStream(_ delivery: Delivery) { keep(.endStream(delivery)) }

  public func opened(_ opening: Opening, _ delivery: Delivery) { keep(.opened(opening, delivery)) }

  public func closed(_ closing: Closing, _ delivery: Delivery) { keep(.closed(closing, delivery)) }

  public func finding(_ finding: Finding) { keep(.finding(finding)) }

  public func recognised(_ verdict: InputVerdict, _ origin: Origin) {
    keep(.recognised(verdict, origin))
  }

  public func count(_ thing: Counter, _ amount: Int) { keep(.count(thing, amount)) }

  public func refuse(_ reason: String, _ origin: Origin) { keep(.refuse(reason, origin)) }

  /// Evidence that is read ahead is not live.
  public func quiet(for silence: Int64, at now: Instant) -> Int64? { nil }
}
