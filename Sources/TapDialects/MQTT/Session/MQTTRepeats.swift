// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Packets that a side has sent again on the same connection, because no answer came in time. Each
/// of them may have an answer of its own. MQTT 3.1 asks for this (§4.2), 3.1.1 does not forbid it,
/// 5.0 does [MQTT-4.4.0-1].
struct MQTTRepeats {
  /// How many more answers may come, by their type and the key of the exchange.
  private var answers = IDTable<UInt16>(minimumCapacity: 1)
  /// The limit of exchanges with such answers.
  private let most: Int

  init(limits: Limits) { most = limits.mqttExchanges }

  var isEmpty: Bool { answers.count == 0 }

  /// Whether a packet of this type may answer one that was sent again.
  func expects(_ type: MQTTType, _ exchange: WideKey) -> Bool {
    answers[Self.key(type, exchange)] != nil
  }

  /// A packet was sent again.
  mutating func add(_ packet: MQTTPacket, _ exchange: WideKey) {
    guard !packet.isV5, let answer = Self.answer(to: packet), answers.count < most else { return }
    let key = Self.key(answer, exchange)
    answers[key] = (answers[key] ?? 0) &+ 1
  }

  /// Whether a packet answers one that was sent again. If so, its own answer may be another one.
  mutating func take(_ packet: MQTTPacket, _ exchange: WideKey) -> Bool {
    guard let type = packet.type, let left = answers[Self.key(type, exchange)] else { return false }
    answers[Self.key(type, exchange)] = left > 1 ? left - 1 : nil
    add(packet, exchange)
    return true
  }

  private static func answer(to packet: MQTTPacket) -> MQTTType? {
    switch packet.type {
    case .publish: packet.qos == 1 ? .puback : .pubrec
    case .pubrec: .pubrel
    case .pubrel: .pubcomp
    case .subscribe: .suback
    case .unsubscribe: .unsuback
    default: nil
    }
  }

  private static func key(_ type: MQTTType, _ exchange: WideKey) -> WideKey {
    WideKey(exchange.high << 8 | UInt64(type.rawValue), exchange.low)
  }
}
