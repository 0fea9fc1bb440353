// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// One call of a floor, kept to be made later.
struct Told {
  /// What is large and comes seldom is kept apart.
  enum Call {
    case packet(Packet)
    case message(Delivery)
    case stream(Delivery)
    case control(UInt8, Delivery)
    case context(Origin)
    case secrets(Origin)
    case gap(Int?, Delivery)
    case endStream(Delivery)
    indirect case opened(Opening, Delivery)
    indirect case closed(Closing, Delivery)
    indirect case finding(Finding)
    indirect case recognised(String, Origin)
    indirect case refuse(String, Origin)
  }

  let call: Call
  /// Octets that came with it, which stand elsewhere behind those of the call before.
  let count: Int

  init(_ call: Call, _ count: Int = 0) { (self.call, self.count) = (call, count) }

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - octets: what came with all of them.
  ///   - place: where its own begin there; behind them afterwards.
  func play(onto floor: any Floor, _ octets: RawSpan, at place: inout Int) {
    let bytes = octets.extracting(place..<place + count)
    place += count
    switch call {
    case .packet(let packet): floor.packet(bytes, packet)
    case .message(let delivery): floor.message(bytes, delivery)
    case .stream(let delivery): floor.stream(bytes, delivery)
    case .control(let opcode, let delivery): floor.control(opcode, bytes, delivery)
    case .context(let origin): floor.context(bytes, origin)
    case .secrets(let origin): floor.secrets(bytes, origin)
    case .gap(let missing, let delivery): floor.gap(missing, delivery)
    case .endStream(let delivery): floor.endStream(delivery)
    case .opened(let opening, let delivery): floor.opened(opening, delivery)
    case .closed(let closing, let delivery): floor.closed(closing, delivery)
    case .finding(let finding): floor.finding(finding)
    case .recognised(let what, let origin): floor.recognised(what, origin)
    case .refuse(let reason, let origin): floor.refuse(reason, origin)
    }
  }
}
