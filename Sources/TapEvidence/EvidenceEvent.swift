// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// One call of a sink, kept to be made later.
struct EvidenceEvent {
  /// Payloads that are large and rare are boxed (`indirect`), so that an event stays small.
  enum Call {
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
  }

  let call: Call
  /// Length of the bytes that came with it. All events share one buffer, and their bytes follow
  /// each other in it.
  let count: Int

  init(_ call: Call, _ count: Int = 0) { (self.call, self.count) = (call, count) }

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - octets: the bytes of all events.
  ///   - place: where the bytes of this event begin; moved past them.
  func play(onto sink: any EvidenceSink, _ octets: RawSpan, at place: inout Int) {
    let bytes = octets.extracting(place..<place + count)
    place += count
    switch call {
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
