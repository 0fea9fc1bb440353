// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// One call of a sink, without the bytes that come with it. What is large and rare is boxed
/// (`indirect`), so that an event stays small.
public enum EvidenceEvent {
  case packet(Packet)
  case message(Delivery)
  case stream(Delivery)
  case control(Opcode, Delivery)
  case context(ContextLine)
  case secrets(Origin)
  case gap(Int?, Delivery)
  case endStream(Delivery)
  case count(Counter, Int)
  indirect case opened(Opening, Delivery)
  indirect case closed(Closing, Delivery)
  indirect case finding(Finding)
  indirect case recognised(InputVerdict, Origin)
  indirect case refuse(String, Origin)

  /// Makes the call.
  func play(onto sink: any EvidenceSink, _ bytes: RawSpan) {
    switch self {
    case .packet(let packet): sink.packet(bytes, packet)
    case .message(let delivery): sink.message(bytes, delivery)
    case .stream(let delivery): sink.stream(bytes, delivery)
    case .control(let opcode, let delivery): sink.control(opcode, bytes, delivery)
    case .context(let line): sink.context(bytes, line)
    case .secrets(let origin): sink.secrets(bytes, origin)
    case .gap(let missing, let delivery): sink.gap(missing, delivery)
    case .endStream(let delivery): sink.endStream(delivery)
    case .count(let thing, let amount): sink.count(thing, amount)
    case .opened(let opening, let delivery): sink.opened(opening, delivery)
    case .closed(let closing, let delivery): sink.closed(closing, delivery)
    case .finding(let finding): sink.finding(finding)
    case .recognised(let verdict, let origin): sink.recognised(verdict, origin)
    case .refuse(let reason, let origin): sink.refuse(reason, origin)
    }
  }
}

/// A sink that treats every call as an event.
public protocol EventSink: EvidenceSink {
  func take(_ event: EvidenceEvent, _ bytes: RawSpan)
}

extension EventSink {
  private func take(_ event: EvidenceEvent) { take(event, RawSpan()) }

  public func packet(_ bytes: RawSpan, _ packet: Packet) { take(.packet(packet), bytes) }
  public func message(_ bytes: RawSpan, _ delivery: Delivery) { take(.message(delivery), bytes) }
  public func stream(_ bytes: RawSpan, _ delivery: Delivery) { take(.stream(delivery), bytes) }
  public func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    take(.control(opcode, delivery), payload)
  }
  public func context(_ words: RawSpan, _ line: ContextLine) { take(.context(line), words) }
  public func secrets(_ keyLog: RawSpan, _ origin: Origin) { take(.secrets(origin), keyLog) }
  public func gap(_ missing: Int?, _ delivery: Delivery) { take(.gap(missing, delivery)) }
  public func endStream(_ delivery: Delivery) { take(.endStream(delivery)) }
  public func opened(_ opening: Opening, _ delivery: Delivery) { take(.opened(opening, delivery)) }
  public func closed(_ closing: Closing, _ delivery: Delivery) { take(.closed(closing, delivery)) }
  public func finding(_ finding: Finding) { take(.finding(finding)) }
  public func recognised(_ verdict: InputVerdict, _ origin: Origin) {
    take(.recognised(verdict, origin))
  }
  public func count(_ thing: Counter, _ amount: Int) { take(.count(thing, amount)) }
  public func refuse(_ reason: String, _ origin: Origin) { take(.refuse(reason, origin)) }
}
