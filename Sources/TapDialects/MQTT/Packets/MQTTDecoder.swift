// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reads control packets and writes each as the JSON that stands for it in every output:
/// `{"topic":"a/b","qos":1,"retain":false,"dup":false,"payload":"hi"}`.
struct MQTTDecoder: ~Copyable {
  /// The packet that was read last.
  var reading = MQTTReading()
  private var publish: MQTTPublishDecoder
  private let subscribe: MQTTSubscribeDecoder

  init(limits: Limits) {
    publish = MQTTPublishDecoder(limits: limits)
    subscribe = MQTTSubscribeDecoder(most: limits.mqttFilters)
  }

  /// Reads a packet. An unreadable field is a fault; the fields before it are still written.
  ///
  /// - Parameters:
  ///   - bytes: the complete packet.
  ///   - header: the length of its fixed header.
  ///   - level: the connection's level; CONNECT has its own.
  mutating func decode(
    _ bytes: RawSpan, header: Int, level: UInt8, _ aliases: inout MQTTAliases
  ) {
    reading.begin(at: header, level: level)
    reading.packet.first = bytes.byte(at: 0)
    reading.packet.length = bytes.byteCount
    let type = MQTTType(rawValue: reading.packet.first >> 4)
    if let type, type != .auth || level >= MQTTLevel.v5 {
      reading.packet.type = type
      if type == .publish {
        publish.decode(bytes, &reading, &aliases)
      } else {
        decode(type, bytes)
      }
    } else {
      reserved(bytes)
    }
    reading.text.finish()
    reading.packet.isWhole = reading.cursor.isWhole
  }

  /// All packets but PUBLISH, as objects with all fields.
  private mutating func decode(_ type: MQTTType, _ bytes: RawSpan) {
    reading.text.open()
    checkFlags(type)
    if type.beginsWithID { reading.readID(bytes) }
    if reading.cursor.isWhole { decodeBody(type, bytes) }
    let left = bytes.byteCount - reading.cursor.at
    if reading.cursor.isWhole && left > 0 {
      reading.fault(
        .mqttLength, .error,
        "\(counted(left, "byte")) behind the end of its content belong to no field")
    }
    reading.text.close()
  }

  private mutating func decodeBody(_ type: MQTTType, _ bytes: RawSpan) {
    switch type {
    case .connect: MQTTConnectDecoder.decode(bytes, &reading)
    case .connack: MQTTReasonDecoder.decodeConnack(bytes, &reading)
    case .puback, .pubrec, .pubrel, .pubcomp, .disconnect, .auth:
      MQTTReasonDecoder.decode(type, bytes, &reading)
    case .suback, .unsuback: MQTTReasonDecoder.decodeList(type, bytes, &reading)
    case .subscribe, .unsubscribe: subscribe.decode(type, bytes, &reading)
    case .publish, .pingreq, .pingresp: break
    }
  }

  /// A type that does not exist at this level: its content is shown as bytes.
  private mutating func reserved(_ bytes: RawSpan) {
    reading.fault(
      .mqttTypeReserved, .error,
      reading.packet.first >> 4 == 0
        ? "packet type 0 is reserved" : "packet type 15 (AUTH) does not exist before MQTT 5.0")
    Base64.appendObject(bytes.dropping(reading.cursor.at), to: &reading.text.json)
    reading.text.shown.payload = ByteRange(0, reading.text.json.count)
    reading.text.shown.traits = .isBytes
    reading.cursor.stop()
  }

  /// Checks the flags, which are fixed for all but PUBLISH. MQTT 3.1 uses some of them for repeated
  /// packets.
  private mutating func checkFlags(_ type: MQTTType) {
    let flags = reading.packet.first & 15
    if flags == type.fixedFlags { return }
    if reading.packet.level == MQTTLevel.v31 && type.fixedFlags != 0 && flags & 0b0111 == 2 {
      return
    }
    reading.fault(
      .mqttReservedBits, .error,
      "the flags of \(type.name) are \(MQTTFault.bits(flags, 4)), and must be"
        + " \(MQTTFault.bits(type.fixedFlags, 4))",
      MQTTRule("2.2.2-1", "2.1.3-1"))
  }
}
