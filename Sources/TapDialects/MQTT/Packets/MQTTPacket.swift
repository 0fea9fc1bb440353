// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The fields of one control packet: numbers, and ranges of its bytes.
struct MQTTPacket {
  /// The first byte: type and flags.
  var first: UInt8 = 0
  /// Nil for types that do not exist at this level.
  var type: MQTTType?
  /// The connection's level: 3, 4 or 5.
  var level: UInt8 = MQTTLevel.v311
  /// The length of the whole packet in bytes.
  var length = 0
  /// Nil when it has none.
  var id: UInt16?
  /// The reason code or return code; 0 where none was sent.
  var reason: UInt8 = 0
  /// For PUBLISH: the topic as sent, which is empty when an alias is used.
  var topic = ByteRange()
  var payload = ByteRange()
  /// For SUBACK and UNSUBACK: one byte for each filter.
  var codes = ByteRange()
  /// For CONNECT and CONNACK.
  var flags: UInt8 = 0
  var keepAlive: UInt16 = 0
  var clientID = ByteRange()
  var willTopic = ByteRange()
  /// In seconds (MQTT 5.0 §3.1.3.2.2).
  var willDelay: UInt32 = 0
  var willPayload = ByteRange()
  /// It was read to its end.
  var isWhole = true
  var properties = MQTTProperties()

  var qos: UInt8 { first >> 1 & 3 }
  var isDuplicate: Bool { first & 8 != 0 }
  /// It was sent before. In MQTT 3.1, SUBSCRIBE and UNSUBSCRIBE say so, too.
  var isRepeated: Bool { isDuplicate && (type == .publish || level == MQTTLevel.v31) }
  var isRetained: Bool { first & 1 != 0 }
  var isV5: Bool { level == MQTTLevel.v5 }

  var isCleanStart: Bool { flags & 2 != 0 }
  var hasWill: Bool { flags & 4 != 0 }
  var willQoS: UInt8 { flags >> 3 & 3 }
  var isWillRetained: Bool { flags & 0x20 != 0 }
  var hasPassword: Bool { flags & 0x40 != 0 }
  var hasUserName: Bool { flags & 0x80 != 0 }
  var isSessionPresent: Bool { flags & 1 != 0 }

  /// The reason of a refusing CONNACK: `Not authorized (135)`
  var refusal: String {
    let returned = MQTTReason.name(reason, in: .connack, level: level)
    return returned.map { "\($0) (\(reason))" } ?? MQTTReason.words(reason)
  }

  /// ` (“reason string”)`
  func reasonString(in bytes: RawSpan) -> String {
    if properties.reasonString.isEmpty { return "" }
    return " (“\(MQTTFault.quoted(bytes[properties.reasonString]))”)"
  }
}

/// The properties of a packet that other rules depend on; ranges of its bytes.
struct MQTTProperties {
  /// The sent properties, a bit for each identifier.
  var sent: UInt64 = 0
  var alias: UInt16 = 0
  var receiveMaximum: UInt16 = 0
  var aliasMaximum: UInt16 = 0
  var serverKeepAlive: UInt16 = 0
  var maximumPacketSize: UInt32 = 0
  var sessionExpiry: UInt32 = 0
  /// One-byte properties with value 0, a bit for each identifier.
  var zeros: UInt64 = 0
  var responseTopic = ByteRange()
  var correlation = ByteRange()
  var contentType = ByteRange()
  var authenticationMethod = ByteRange()
  var reasonString = ByteRange()
  var serverReference = ByteRange()

  mutating func keep(_ found: MQTTPropertyValue) {
    sent |= found.property.bit
    switch found.property {
    case .topicAlias: alias = UInt16(found.number)
    case .receiveMaximum: receiveMaximum = UInt16(found.number)
    case .topicAliasMaximum: aliasMaximum = UInt16(found.number)
    case .serverKeepAlive: serverKeepAlive = UInt16(found.number)
    case .maximumPacketSize: maximumPacketSize = found.number
    case .sessionExpiryInterval: sessionExpiry = found.number
    case .responseTopic: responseTopic = found.range
    case .correlationData: correlation = found.range
    case .contentType: contentType = found.range
    case .authenticationMethod: authenticationMethod = found.range
    case .reasonString: reasonString = found.range
    case .serverReference: serverReference = found.range
    default:
      let form = found.property.entry.form
      if (form == .bit || form == .flag) && found.number == 0 { zeros |= found.property.bit }
    }
  }

  func has(_ property: MQTTProperty) -> Bool { sent & property.bit != 0 }
  /// It was sent with value 0.
  func isZero(_ property: MQTTProperty) -> Bool { zeros & property.bit != 0 }
}

/// One filter of SUBSCRIBE or UNSUBSCRIBE.
struct MQTTFilter: BitwiseCopyable {
  /// The range in the packet.
  var range: ByteRange
  /// The subscription options (MQTT 5.0 §3.8.3.1); 0 for UNSUBSCRIBE.
  var options: UInt8
  /// The ranges of the filter and its QoS in the JSON.
  var shown: ByteRange
  var shownQoS: ByteRange

  var qos: UInt8 { options & 3 }
}

/// The conformance statement that a packet violates, by its numbers in MQTT 3.1.1 and 5.0.
struct MQTTRule: Sendable {
  var before: StaticString
  var v5: StaticString

  init(_ both: StaticString) { (before, v5) = (both, both) }
  init(_ before: StaticString, _ v5: StaticString) { (self.before, self.v5) = (before, v5) }

  static let none = MQTTRule("")

  /// ` [MQTT-3.1.0-2]`; empty where the version has no such statement.
  func suffix(level: UInt8) -> String {
    let number = level == MQTTLevel.v5 ? v5 : before
    return number.utf8CodeUnitCount == 0 ? "" : " [MQTT-\(number)]"
  }
}
