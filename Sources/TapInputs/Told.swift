// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// One call of a floor, kept to be made later. The octets that came with it stand elsewhere, one
/// after the other; it has how many they are. What is large and comes seldom is kept apart.
enum Told {
  case packet(Packet, Int)
  case message(Delivery, Int)
  case stream(Delivery, Int)
  case gap(Int?, Delivery)
  case endStream(Delivery)
  indirect case opened(Opening, Delivery)
  indirect case closed(Closing, Delivery)
  case control(UInt8, Delivery, Int)
  case context(Origin, Int)
  indirect case finding(Finding)
  case secrets(Origin, Int)
  indirect case recognised(String, Origin)
  indirect case refuse(String, Origin)

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - octets: what came with all of them.
  ///   - place: where its own begin there; behind them afterwards.
  func play(onto floor: any Floor, _ octets: RawSpan, at place: inout Int) {
    let start = place
    switch self {
    case .packet(let packet, let count):
      place += count
      floor.packet(octets.extracting(start..<place), packet)
    case .message(let delivery, let count):
      place += count
      floor.message(octets.extracting(start..<place), delivery)
    case .stream(let delivery, let count):
      place += count
      floor.stream(octets.extracting(start..<place), delivery)
    case .control(let opcode, let delivery, let count):
      place += count
      floor.control(opcode, octets.extracting(start..<place), delivery)
    case .context(let origin, let count):
      place += count
      floor.context(octets.extracting(start..<place), origin)
    case .secrets(let origin, let count):
      place += count
      floor.secrets(octets.extracting(start..<place), origin)
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
