// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Packets that answer with reason codes: CONNACK, acknowledgements, DISCONNECT and AUTH.
enum MQTTReasonDecoder {
  /// CONNACK (MQTT 5.0 §3.2).
  static func decodeConnack(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    if reading.packet.isV5 && isOfOlderServer(bytes, at: reading.cursor.at) {
      reading.packet.level = MQTTLevel.v311
    }
    guard let flags = reading.cursor.uint8(bytes, "the acknowledge flags") else { return }
    reading.packet.flags = flags
    let isPresent = reading.packet.isSessionPresent
    reading.text.key("sessionPresent")
    let present = reading.text.write(boolean: isPresent)
    if isPresent { reading.text.shown.note("session present", present) }
    if flags & 0xFE != 0 {
      reading.faultOfReservedBits(
        "bits 7 to 1 of the acknowledge flags are \(MQTTFault.bits(flags >> 1, 7)), and must be 0",
        MQTTRule("", "3.2.2-1"))
    }
    guard let code = reading.cursor.uint8(bytes, "the reason code") else { return }
    write(code, .connack, &reading)
    if code != 0 && isPresent && reading.packet.level != MQTTLevel.v31 {
      reading.fault(
        .mqttReservedBits, .error,
        "session present is set in a CONNACK that refuses the connection",
        MQTTRule("3.2.2-4", "3.2.2-6"))
    }
    reading.readProperties(bytes, of: .connack)
  }

  /// Whether a CONNACK is that of a server which does not know MQTT 5.0.
  private static func isOfOlderServer(_ bytes: RawSpan, at start: Int) -> Bool {
    bytes.byteCount == start + 2 && bytes.byte(at: start + 1) == MQTTReason.unacceptableVersion
  }

  /// PUBACK, PUBREC, PUBREL, PUBCOMP, DISCONNECT and AUTH: in MQTT 5.0 a reason code and
  /// properties, both of which may be missing.
  static func decode(_ type: MQTTType, _ bytes: RawSpan, _ reading: inout MQTTReading) {
    guard reading.packet.isV5 else { return }
    if reading.cursor.at == bytes.byteCount {
      reading.text.key("reasonCode")
      reading.text.json.append(byte: UInt8(ascii: "0"))
    } else if let code = reading.cursor.uint8(bytes, "the reason code") {
      write(code, type, &reading)
    }
    if reading.cursor.at < bytes.byteCount { reading.readProperties(bytes, of: type) }
    // §3.15.2.2.2
    if type == .auth && reading.cursor.isWhole
      && !reading.packet.properties.has(.authenticationMethod)
    {
      reading.fault(.mqttPropertyInvalid, .error, "AUTH needs an authenticationMethod")
    }
  }

  /// SUBACK and UNSUBACK: a code for each filter (MQTT 5.0 §3.9, §3.11).
  static func decodeList(_ type: MQTTType, _ bytes: RawSpan, _ reading: inout MQTTReading) {
    if type == .unsuback && !reading.packet.isV5 { return }
    reading.readProperties(bytes, of: type)
    guard reading.cursor.isWhole else { return }
    let start = reading.cursor.at
    reading.packet.codes = ByteRange(start, bytes.byteCount)
    reading.text.key("reasonCodes")
    reading.text.json.append(byte: UInt8(ascii: "["))
    for at in start..<bytes.byteCount {
      if at > start { reading.text.json.append(byte: UInt8(ascii: ",")) }
      let code = bytes.byte(at: at)
      let range = reading.text.write(number: Int(code))
      let name = name(code, type, &reading) ?? "code"
      reading.text.shown.note(type == .suback && code < 3 ? "granted QoS" : name, range)
      if code >= 0x80 {
        reading.text.shown.fail(range)
        reading.packet.reason = code
      }
    }
    reading.cursor.at = bytes.byteCount
    reading.text.close(UInt8(ascii: "]"))
    if reading.packet.codes.isEmpty {
      reading.fault(
        .mqttSubackLength, .error, "\(type.name) has no code",
        MQTTRule("3.9.3-1", type == .suback ? "3.9.3-1" : "3.11.3-1"))
    }
  }

  /// Writes the code with its name as the word; an unknown code is a fault.
  private static func write(_ code: UInt8, _ type: MQTTType, _ reading: inout MQTTReading) {
    reading.packet.reason = code
    reading.text.key("reasonCode")
    let range = reading.text.write(number: Int(code))
    let isFailure =
      reading.packet.isV5 ? code >= 0x80 : type == .connack && code != 0
    if isFailure { reading.text.shown.fail(range) }
    let name = name(code, type, &reading)
    let isUsual = code == 0 && type != .connack && type != .auth
    if !isUsual { reading.text.shown.note(name ?? "reason code", range) }
  }

  private static func name(
    _ code: UInt8, _ type: MQTTType, _ reading: inout MQTTReading
  ) -> StaticString? {
    if let name = MQTTReason.name(code, in: type, level: reading.packet.level) { return name }
    let known = MQTTReason.name(code)
    let meaning = known.map { " (\($0))" } ?? ""
    reading.fault(
      .mqttReasonCode, .error,
      reading.packet.isV5
        ? "reason code \(code)\(meaning) does not exist for \(type.name)"
        : "return code \(code) does not exist for \(type.name)",
      type == .suback ? MQTTRule("3.9.3-2", "") : .none)
    return known
  }
}
