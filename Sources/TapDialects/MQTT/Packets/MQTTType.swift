// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The type of a control packet: the high four bits of its first byte (MQTT 5.0 §2.1.2).
enum MQTTType: UInt8, CaseIterable, Sendable {
  case connect = 1
  case connack, publish, puback, pubrec, pubrel, pubcomp, subscribe, suback
  case unsubscribe, unsuback, pingreq, pingresp, disconnect, auth

  var name: StaticString {
    switch self {
    case .connect: "CONNECT"
    case .connack: "CONNACK"
    case .publish: "PUBLISH"
    case .puback: "PUBACK"
    case .pubrec: "PUBREC"
    case .pubrel: "PUBREL"
    case .pubcomp: "PUBCOMP"
    case .subscribe: "SUBSCRIBE"
    case .suback: "SUBACK"
    case .unsubscribe: "UNSUBSCRIBE"
    case .unsuback: "UNSUBACK"
    case .pingreq: "PINGREQ"
    case .pingresp: "PINGRESP"
    case .disconnect: "DISCONNECT"
    case .auth: "AUTH"
    }
  }

  /// The low four bits of the first byte, which are fixed for all but PUBLISH (MQTT 5.0 §2.1.3).
  var fixedFlags: UInt8 {
    self == .pubrel || self == .subscribe || self == .unsubscribe ? 0b0010 : 0
  }

  /// The direction of such packets; unknown when both sides send them.
  ///
  /// - Parameter level: the protocol level; only in version 5 may a server send DISCONNECT.
  func direction(level: UInt8) -> Direction {
    switch self {
    case .connect, .subscribe, .unsubscribe, .pingreq: .toServer
    case .connack, .suback, .unsuback, .pingresp: .toClient
    case .disconnect: level == 3 || level == 4 ? .toServer : .unknown
    case .publish, .puback, .pubrec, .pubrel, .pubcomp, .auth: .unknown
    }
  }

  /// A packet identifier follows the fixed header.
  var beginsWithID: Bool {
    switch self {
    case .puback, .pubrec, .pubrel, .pubcomp, .subscribe, .suback, .unsubscribe, .unsuback: true
    default: false
    }
  }
}

/// The protocol levels in CONNECT (MQTT 5.0 §3.1.2.2).
enum MQTTLevel {
  /// MQTT 3.1, 3.1.1 and 5.0.
  static let v31: UInt8 = 3
  static let v311: UInt8 = 4
  static let v5: UInt8 = 5

  /// The words for a level on a line.
  static func words(_ level: UInt8) -> StaticString {
    switch level {
    case v31: "MQTT 3.1 level"
    case v5: "MQTT 5.0 level"
    default: "MQTT 3.1.1 level"
    }
  }
}

/// A set of packet types, by number; bit 0 stands for the will in CONNECT.
struct MQTTTypes: ExpressibleByArrayLiteral, Sendable {
  private var bits: UInt16

  init(_ types: [MQTTType]) { bits = types.reduce(0) { $0 | 1 << $1.rawValue } }
  init(arrayLiteral types: MQTTType...) { self.init(types) }
  private init(bits: UInt16) { self.bits = bits }

  static let will = MQTTTypes(bits: 1)

  var hasWill: Bool { bits & 1 != 0 }

  func contains(_ type: MQTTType) -> Bool { bits & 1 << type.rawValue != 0 }
  func union(_ other: MQTTTypes) -> MQTTTypes { MQTTTypes(bits: bits | other.bits) }
}
