// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reason codes of MQTT 5.0 (§2.4), and the return codes of the versions before it.
struct MQTTReason: Sendable {
  var code: UInt8
  var name: StaticString
  var places: MQTTTypes

  private init(_ code: UInt8, _ name: StaticString, _ places: [MQTTType]) {
    (self.code, self.name, self.places) = (code, name, MQTTTypes(places))
  }

  var isFailure: Bool { code >= 0x80 }

  private static let published: [MQTTType] = [.puback, .pubrec]
  private static let refusals: [MQTTType] = [.connack] + published + [.suback, .unsuback]

  static let all: [MQTTReason] = [
    MQTTReason(
      0x00, "Success", [.connack, .unsuback, .auth] + published + [.pubrel, .pubcomp]),
    MQTTReason(0x00, "Normal disconnection", [.disconnect]),
    MQTTReason(0x00, "Granted QoS 0", [.suback]),
    MQTTReason(0x01, "Granted QoS 1", [.suback]),
    MQTTReason(0x02, "Granted QoS 2", [.suback]),
    MQTTReason(0x04, "Disconnect with Will Message", [.disconnect]),
    MQTTReason(0x10, "No matching subscribers", published),
    MQTTReason(0x11, "No subscription existed", [.unsuback]),
    MQTTReason(0x18, "Continue authentication", [.auth]),
    MQTTReason(0x19, "Re-authenticate", [.auth]),
    MQTTReason(0x80, "Unspecified error", refusals + [.disconnect]),
    MQTTReason(0x81, "Malformed Packet", [.connack, .disconnect]),
    MQTTReason(0x82, "Protocol Error", [.connack, .disconnect]),
    MQTTReason(0x83, "Implementation specific error", refusals + [.disconnect]),
    MQTTReason(0x84, "Unsupported Protocol Version", [.connack]),
    MQTTReason(0x85, "Client Identifier not valid", [.connack]),
    MQTTReason(0x86, "Bad User Name or Password", [.connack]),
    MQTTReason(0x87, "Not authorized", refusals + [.disconnect]),
    MQTTReason(0x88, "Server unavailable", [.connack]),
    MQTTReason(0x89, "Server busy", [.connack, .disconnect]),
    MQTTReason(0x8A, "Banned", [.connack]),
    MQTTReason(0x8B, "Server shutting down", [.disconnect]),
    MQTTReason(0x8C, "Bad authentication method", [.connack, .disconnect]),
    MQTTReason(0x8D, "Keep Alive timeout", [.disconnect]),
    MQTTReason(0x8E, "Session taken over", [.disconnect]),
    MQTTReason(0x8F, "Topic Filter invalid", [.suback, .unsuback, .disconnect]),
    MQTTReason(0x90, "Topic Name invalid", [.connack, .disconnect] + published),
    MQTTReason(0x91, "Packet Identifier in use", published + [.suback, .unsuback]),
    MQTTReason(0x92, "Packet Identifier not found", [.pubrel, .pubcomp]),
    MQTTReason(0x93, "Receive Maximum exceeded", [.disconnect]),
    MQTTReason(0x94, "Topic Alias invalid", [.disconnect]),
    MQTTReason(0x95, "Packet too large", [.connack, .disconnect]),
    MQTTReason(0x96, "Message rate too high", [.disconnect]),
    MQTTReason(0x97, "Quota exceeded", [.connack, .suback, .disconnect] + published),
    MQTTReason(0x98, "Administrative action", [.disconnect]),
    MQTTReason(0x99, "Payload format invalid", [.connack, .disconnect] + published),
    MQTTReason(0x9A, "Retain not supported", [.connack, .disconnect]),
    MQTTReason(0x9B, "QoS not supported", [.connack, .disconnect]),
    MQTTReason(0x9C, "Use another server", [.connack, .disconnect]),
    MQTTReason(0x9D, "Server moved", [.connack, .disconnect]),
    MQTTReason(0x9E, "Shared Subscriptions not supported", [.suback, .disconnect]),
    MQTTReason(0x9F, "Connection rate exceeded", [.connack, .disconnect]),
    MQTTReason(0xA0, "Maximum connect time", [.disconnect]),
    MQTTReason(0xA1, "Subscription Identifiers not supported", [.suback, .disconnect]),
    MQTTReason(0xA2, "Wildcard Subscriptions not supported", [.suback, .disconnect]),
  ]

  /// The return codes of CONNACK before 5.0 (MQTT 3.1.1 §3.2.2.3), by number.
  static let returnCodes: [StaticString] = [
    "accepted", "unacceptable protocol version", "identifier rejected", "server unavailable",
    "bad user name or password", "not authorized",
  ]

  /// The return code of a CONNACK with which a server of 3.1.1 refuses a later version
  /// (MQTT-3.1.2-2). CONNACK of 5.0 has no such code.
  static let unacceptableVersion: UInt8 = 1

  /// With which the AUTH of a client begins another authentication (MQTT 5.0 §3.15.2.1).
  static let reauthenticate: UInt8 = 0x19

  /// The name of a code in a packet type; nil when it is not defined there.
  static func name(_ code: UInt8, in type: MQTTType, level: UInt8) -> StaticString? {
    if level == MQTTLevel.v5 {
      return all.first { $0.code == code && $0.places.contains(type) }?.name
    }
    switch type {
    case .connack: return code < returnCodes.count ? returnCodes[Int(code)] : nil
    case .suback:
      switch code {
      case 0: return "granted QoS 0"
      case 1: return "granted QoS 1"
      case 2: return "granted QoS 2"
      case 0x80: return level == MQTTLevel.v31 ? nil : "refused"
      default: return nil
      }
    default: return code == 0 ? "Success" : nil
    }
  }

  /// Whether only the side that sends in this direction may send a code of DISCONNECT or AUTH (MQTT
  /// 5.0 §3.14.2.1, §3.15.2.1).
  static func isOnly(_ code: UInt8, from direction: Direction, in type: MQTTType?) -> Bool {
    switch type {
    case .auth: return code == (direction == .toClient ? 0x00 : 0x19)
    case .disconnect where direction == .toServer: return code == 0x04
    case .disconnect:
      switch code {
      case 0x87, 0x89, 0x8B, 0x8D...0x8F, 0x9A...0xA2: return true
      default: return false
      }
    default: return false
    }
  }

  /// The name of a code in any packet.
  static func name(_ code: UInt8) -> StaticString? { all.first { $0.code == code }?.name }

  /// The name and number of a code in any packet of MQTT 5.0.
  static func words(_ code: UInt8) -> String {
    name(code).map { "\($0) (\(code))" } ?? "code \(code)"
  }
}
