// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// CONNECT (MQTT 5.0 §3.1).
enum MQTTConnectDecoder {
  static func decode(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    let misplaced = MQTTConnectForm.misplaced(bytes.dropping(reading.cursor.at))
    guard let name = protocolName(bytes, misplaced, &reading.cursor) else { return }
    reading.text.key("protocolName")
    reading.write(string: bytes[name], "the protocol name")
    guard let level = reading.cursor.uint8(bytes, "the protocol version") else { return }
    reading.packet.level = Self.level(level, bytes[name])
    reading.text.key("protocolVersion")
    let version = reading.text.write(number: Int(level & 0x7F))
    reading.text.shown.note(MQTTLevel.words(reading.packet.level), version)
    if let misplaced { report(misplaced, bytes[name], &reading) }
    checkProtocol(bytes[name], level, &reading)
    guard let flags = reading.cursor.uint8(bytes, "the connect flags") else { return }
    reading.packet.flags = flags
    reading.text.key("cleanStart")
    let clean = reading.text.write(boolean: reading.packet.isCleanStart)
    reading.text.shown.note(reading.packet.isV5 ? "clean start" : "clean session", clean)
    checkFlags(&reading)
    guard let keepAlive = reading.cursor.uint16(bytes, "the keep alive") else { return }
    reading.packet.keepAlive = keepAlive
    reading.text.key("keepAlive")
    reading.text.shown.note("keep alive", reading.text.write(number: Int(keepAlive)))
    reading.readProperties(bytes, of: .connect)
    let sent = reading.packet.properties
    if sent.has(.authenticationData) && !sent.has(.authenticationMethod) {
      reading.fault(
        .mqttPropertyInvalid, .error, "authenticationData needs an authenticationMethod")
    }
    guard reading.cursor.isWhole else { return }
    decodePayload(bytes, &reading)
  }

  private static func protocolName(
    _ bytes: RawSpan, _ misplaced: MQTTConnectForm.Misplaced?, _ cursor: inout MQTTCursor
  ) -> ByteRange? {
    guard let misplaced else { return cursor.prefixed(bytes, "the protocol name") }
    let name = ByteRange(cursor.at + misplaced.name.start, cursor.at + misplaced.name.end)
    cursor.at = name.end
    return name
  }

  private static func report(
    _ misplaced: MQTTConnectForm.Misplaced, _ name: RawSpan, _ reading: inout MQTTReading
  ) {
    let quoted = MQTTFault.quoted(name)
    let count = name.byteCount
    let text =
      switch misplaced.length {
      case nil:
        "the length of the protocol name \(quoted) is missing: 00 0\(count) must stand before it"
      case count << 8:
        "the bytes of the length of the protocol name \(quoted) are swapped: 0\(count) 00 must be"
          + " 00 0\(count)"
      case let length?:
        "the length of the protocol name \(quoted) is given as \(length), and is \(count)"
      }
    reading.fault(.mqttProtocolName, .error, text, MQTTRule("3.1.2-1"))
  }

  /// The protocol level; one that does not exist is read as 3.1.1.
  private static func level(_ byte: UInt8, _ name: RawSpan) -> UInt8 {
    let level = byte & 0x7F
    if 3...5 ~= level { return level }
    return name.equals("MQIsdp") ? MQTTLevel.v31 : MQTTLevel.v311
  }

  private static func checkProtocol(
    _ name: RawSpan, _ level: UInt8, _ reading: inout MQTTReading
  ) {
    let number = level & 0x7F
    let isOld = name.equals("MQIsdp")
    if !isOld && !name.equals("MQTT") {
      reading.fault(
        .mqttProtocolName, .error,
        "the protocol name is “\(MQTTFault.quoted(name))”, and must be MQTT", MQTTRule("3.1.2-1"))
    } else if !(3...5 ~= number) || isOld != (number == MQTTLevel.v31) {
      reading.fault(
        .mqttProtocolName, .error,
        "the protocol version is \(level) of \(isOld ? "MQIsdp" : "MQTT"), which does not exist",
        MQTTRule("3.1.2-2"))
    }
  }

  private static func checkFlags(_ reading: inout MQTTReading) {
    let packet = reading.packet
    if packet.flags & 1 != 0 {
      reading.faultOfReservedBits(
        "bit 0 of the connect flags is set, and is reserved", MQTTRule("3.1.2-3"))
    }
    func fault(_ text: String, _ rule: MQTTRule) {
      reading.fault(.mqttConnectFlags, .error, text, rule)
    }
    if packet.hasWill {
      if packet.willQoS == 3 {
        fault("the will has QoS 3, which does not exist", MQTTRule("3.1.2-14", "3.1.2-12"))
      }
    } else {
      if packet.willQoS != 0 {
        fault(
          "there is no will, and its QoS is \(packet.willQoS)", MQTTRule("3.1.2-13", "3.1.2-11"))
      }
      if packet.isWillRetained {
        fault("there is no will, and it is to be retained", MQTTRule("3.1.2-15", "3.1.2-13"))
      }
    }
    if packet.hasPassword && !packet.hasUserName && packet.level == MQTTLevel.v311 {
      fault("there is a password, and no user name", MQTTRule("3.1.2-22", ""))
    }
  }

  // MARK: - The payload (§3.1.3)

  private static func decodePayload(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    guard let client = reading.cursor.prefixed(bytes, "the client identifier") else { return }
    reading.packet.clientID = client
    reading.text.key("clientId")
    reading.text.shown.noteFirst(
      "client", reading.write(string: bytes[client], "the client identifier"))
    checkClientID(bytes[client], &reading)
    if reading.packet.hasWill && !decodeWill(bytes, &reading) { return }
    // In MQTT 3.1, user name and password may be missing although the flags announce them.
    let mayBeMissing = reading.packet.level == MQTTLevel.v31
    if reading.packet.hasUserName && !(mayBeMissing && reading.cursor.at == bytes.byteCount) {
      guard let name = reading.cursor.prefixed(bytes, "the user name") else { return }
      reading.text.key("username")
      let shown = reading.write(string: bytes[name], "the user name")
      if isJWT(bytes[name]) { reading.text.shown.note("user", shown, .secret) }
      reading.text.shown.note("user", shown)
    }
    if reading.packet.hasPassword && !(mayBeMissing && reading.cursor.at == bytes.byteCount) {
      guard let password = reading.cursor.prefixed(bytes, "the password") else { return }
      reading.text.key("password")
      let shown = reading.text.write(binary: bytes[password]).digits
      reading.text.shown.note("password", shown, .secret)
      reading.text.shown.note("password", shown)
    }
  }

  /// Whether a user name is a JSON Web Token, a credential (RFC 7519 §3).
  static func isJWT(_ name: RawSpan) -> Bool {
    guard name.starts(with: "eyJ"), let first = name.firstIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    return name.firstIndex(of: UInt8(ascii: "."), from: first + 1) != nil
  }

  private static func checkClientID(_ client: RawSpan, _ reading: inout MQTTReading) {
    let rule = MQTTRule("3.1.3-8", "3.1.3-6")
    let level = reading.packet.level
    if client.byteCount == 0 {
      switch level {
      case MQTTLevel.v31:
        reading.fault(
          .mqttClientID, .warning, "the client identifier is empty, which MQTT 3.1 forbids")
      case MQTTLevel.v311 where !reading.packet.isCleanStart:
        reading.fault(
          .mqttClientID, .warning,
          "the client identifier is empty, and the session is to be kept", rule)
      default:
        reading.fault(
          .mqttClientID, .note, "the client identifier is empty: the server assigns one", rule)
      }
    } else if level == MQTTLevel.v31 && client.byteCount > 23 {
      reading.fault(
        .mqttClientID, .warning,
        "the client identifier has \(client.byteCount) bytes, and MQTT 3.1 allows 23 characters")
    }
  }

  // MARK: - The will (§3.1.3.2 to §3.1.3.4)

  private static func decodeWill(_ bytes: RawSpan, _ reading: inout MQTTReading) -> Bool {
    reading.text.key("will")
    reading.text.open()
    defer { reading.text.close() }
    let isV5 = reading.packet.isV5
    if isV5 { _ = reading.properties.read(bytes, &reading.cursor, of: nil) }
    let delay = reading.properties.values.first { $0.property == .willDelayInterval }
    reading.packet.willDelay = isV5 ? delay?.number ?? 0 : 0
    guard reading.cursor.isWhole,
      let topic = reading.cursor.prefixed(bytes, "the will topic")
    else { return false }
    reading.packet.willTopic = topic
    reading.text.key("topic")
    reading.text.shown.note("will", reading.write(string: bytes[topic], "the will topic"))
    checkWillTopic(bytes[topic], &reading)
    guard let payload = reading.cursor.prefixed(bytes, "the will payload") else { return false }
    reading.packet.willPayload = payload
    if isV5 { checkWillProperties(bytes, &reading) }
    reading.text.key("payload")
    let start = reading.text.json.count
    let written = reading.text.write(binary: bytes[payload])
    // Base64 without its key would look like text.
    let shown = written.isText ? written.digits : ByteRange(start, reading.text.json.count)
    reading.text.shown.note("will payload", shown)
    // It is often JSON, whose quotes a line shows as they were sent.
    reading.text.shown.traits.insert(.isQuoted)
    reading.text.key("qos")
    reading.text.shown.note("will QoS", reading.text.write(number: Int(reading.packet.willQoS)))
    reading.text.key("retain")
    let retain = reading.text.write(boolean: reading.packet.isWillRetained)
    if reading.packet.isWillRetained { reading.text.shown.note("will retain", retain) }
    if isV5 { reading.writeProperties(bytes, showsFacts: false) }
    return true
  }

  private static func checkWillTopic(_ topic: RawSpan, _ reading: inout MQTTReading) {
    if topic.isEmpty {
      reading.fault(.mqttTopicEmpty, .error, "the will topic is empty", MQTTRule("4.7.3-1"))
    } else if MQTTTopic.isPattern(topic) {
      reading.fault(
        .mqttTopicWildcard, .error,
        "the will topic “\(MQTTFault.quoted(topic))” has a wildcard",
        MQTTRule("4.7.1-1", "4.7.0-1"))
    }
  }

  private static func checkWillProperties(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    reading.properties.checkResponseTopic(bytes, &reading.cursor.faults)
    let isText = reading.properties.values.contains {
      $0.property == .payloadFormatIndicator && $0.number == 1
    }
    if isText && UTF8.firstInvalid(in: bytes[reading.packet.willPayload]) != nil {
      reading.fault(
        .mqttPayloadFormat, .note,
        "the payload format indicator of the will says UTF-8, and its payload is none")
    }
  }
}
