// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// CONNECT, CONNACK, and packets of a reason code and properties.
extension MQTTDecoder {
  // MARK: - CONNECT (MQTT 5.0 §3.1)

  mutating func connect(_ bytes: RawSpan) {
    let misplaced = MQTTConnectForm.misplaced(bytes.dropping(at))
    guard let name = protocolName(bytes, misplaced) else { return }
    key("protocolName")
    write(string: bytes[name], "the protocol name")
    guard let level = uint8(bytes, "the protocol version") else { return }
    packet.levelByte = level
    packet.level = Self.level(level, bytes[name])
    key("protocolVersion")
    note(Self.version(packet.level), write(number: Int(level & 0x7F)))
    if let misplaced { tell(misplaced, bytes[name]) }
    checkProtocol(bytes[name], level)
    guard let flags = uint8(bytes, "the connect flags") else { return }
    packet.flags = flags
    key("cleanStart")
    let clean = write(boolean: packet.isCleanStart)
    note(packet.isV5 ? "clean start" : "clean session", clean)
    checkConnectFlags(flags)
    guard let keepAlive = uint16(bytes, "the keep alive") else { return }
    packet.keepAlive = keepAlive
    key("keepAlive")
    note("keep alive", write(number: Int(keepAlive)))
    if packet.isV5 {
      readProperties(bytes, in: MQTTTypes([.connect]))
      writeProperties(bytes)
      let hasMethod = packet.properties.has(.authenticationMethod)
      if packet.properties.has(.authenticationData) && !hasMethod {
        fault(
          .mqttPropertyInvalid, .error, "authenticationData needs an authenticationMethod")
      }
      guard packet.isWhole else { return }
    }
    readPayload(bytes)
  }

  private mutating func protocolName(
    _ bytes: RawSpan, _ misplaced: MQTTConnectForm.Misplaced?
  ) -> ByteRange? {
    guard let misplaced else { return prefixed(bytes, "the protocol name") }
    let name = ByteRange(at + misplaced.name.start, at + misplaced.name.end)
    at = name.end
    return name
  }

  private mutating func tell(_ misplaced: MQTTConnectForm.Misplaced, _ name: RawSpan) {
    let quoted = Self.quoted(name)
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
    fault(.mqttProtocolName, .error, text, MQTTRule("3.1.2-1"))
  }

  /// What the connection speaks: a level that nobody knows is read as 3.1.1.
  private static func level(_ byte: UInt8, _ name: RawSpan) -> UInt8 {
    let level = byte & 0x7F
    if 3...5 ~= level { return level }
    return name.equals("MQIsdp") ? MQTTLevel.v31 : MQTTLevel.v311
  }

  static func version(_ level: UInt8) -> StaticString {
    switch level {
    case MQTTLevel.v31: "MQTT 3.1 level"
    case MQTTLevel.v5: "MQTT 5.0 level"
    default: "MQTT 3.1.1 level"
    }
  }

  private mutating func checkProtocol(_ name: RawSpan, _ level: UInt8) {
    let number = level & 0x7F
    let isOld = name.equals("MQIsdp")
    if !isOld && !name.equals("MQTT") {
      fault(
        .mqttProtocolName, .error,
        "the protocol name is “\(Self.quoted(name))”, and must be MQTT", MQTTRule("3.1.2-1"))
    } else if !(3...5 ~= number) || isOld != (number == MQTTLevel.v31) {
      fault(
        .mqttProtocolName, .error,
        "the protocol version is \(level) of \(isOld ? "MQIsdp" : "MQTT"), which does not exist",
        MQTTRule("3.1.2-2"))
    }
  }

  private mutating func checkConnectFlags(_ flags: UInt8) {
    if flags & 1 != 0 {
      fault(
        .mqttReservedBits, reservedSeverity, "bit 0 of the connect flags is set, and is reserved",
        reservedRule(MQTTRule("3.1.2-3")))
    }
    if packet.hasWill {
      if packet.willQoS == 3 {
        fault(
          .mqttConnectFlags, .error, "the will has QoS 3, which does not exist",
          MQTTRule("3.1.2-14", "3.1.2-12"))
      }
    } else {
      if packet.willQoS != 0 {
        fault(
          .mqttConnectFlags, .error, "there is no will, and its QoS is \(packet.willQoS)",
          MQTTRule("3.1.2-13", "3.1.2-11"))
      }
      if flags & 0x20 != 0 {
        fault(
          .mqttConnectFlags, .error, "there is no will, and it is to be retained",
          MQTTRule("3.1.2-15", "3.1.2-13"))
      }
    }
    if packet.hasPassword && !packet.hasUserName && packet.level == MQTTLevel.v311 {
      fault(
        .mqttConnectFlags, .error, "there is a password, and no user name",
        MQTTRule("3.1.2-22", ""))
    }
  }

  /// MQTT 3.1 does not use the bits that later versions want to be 0.
  private var reservedSeverity: Finding.Severity {
    packet.level == MQTTLevel.v31 ? .warning : .error
  }

  private func reservedRule(_ rule: MQTTRule) -> MQTTRule {
    packet.level == MQTTLevel.v31 ? .none : rule
  }

  private mutating func readPayload(_ bytes: RawSpan) {
    guard let client = prefixed(bytes, "the client identifier") else { return }
    packet.clientID = client
    key("clientId")
    let shown = write(string: bytes[client], "the client identifier")
    if !shown.isEmpty { notes.insert(Note(.fact, "client", shown), at: 0) }
    checkClientID(bytes[client])
    if packet.hasWill && !readWill(bytes) { return }
    // MQTT 3.1 lets fields at the end be missing, whatever the flags say.
    let mayBeMissing = packet.level == MQTTLevel.v31
    if packet.hasUserName && !(mayBeMissing && at == bytes.byteCount) {
      guard let name = prefixed(bytes, "the user name") else { return }
      key("username")
      let shown = write(string: bytes[name], "the user name")
      if Self.isJWT(bytes[name]) { note("user", shown, .secret) }
      note("user", shown)
    }
    if packet.hasPassword && !(mayBeMissing && at == bytes.byteCount) {
      guard let password = prefixed(bytes, "the password") else { return }
      key("password")
      let shown = write(binary: bytes[password])
      note("password", shown.digits, .secret)
      note("password", shown.digits)
    }
  }

  /// A token of three parts that stands for a login (RFC 7519 §3).
  static func isJWT(_ name: RawSpan) -> Bool {
    guard name.starts(with: "eyJ"), let first = name.firstIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    return name.firstIndex(of: UInt8(ascii: "."), from: first + 1) != nil
  }

  private mutating func checkClientID(_ client: RawSpan) {
    let rule = MQTTRule("3.1.3-8", "3.1.3-6")
    if client.byteCount == 0 {
      switch packet.level {
      case MQTTLevel.v31:
        fault(.mqttClientID, .warning, "the client identifier is empty, which MQTT 3.1 forbids")
      case MQTTLevel.v311 where !packet.isCleanStart:
        fault(
          .mqttClientID, .warning,
          "the client identifier is empty, and the session is to be kept", rule)
      default:
        fault(
          .mqttClientID, .note, "the client identifier is empty: the server assigns one", rule)
      }
    } else if packet.level == MQTTLevel.v31 && client.byteCount > 23 {
      fault(
        .mqttClientID, .warning,
        "the client identifier has \(client.byteCount) bytes, and MQTT 3.1 allows 23 characters")
    }
  }

  private mutating func readWill(_ bytes: RawSpan) -> Bool {
    key("will")
    open()
    defer { close() }
    if packet.isV5 {
      let own = packet.properties
      readProperties(bytes, in: .will)
      packet.properties = own
    }
    guard packet.isWhole, let topic = prefixed(bytes, "the will topic") else { return false }
    packet.willTopic = topic
    key("topic")
    note("will", write(string: bytes[topic], "the will topic"))
    if topic.isEmpty {
      fault(.mqttTopicEmpty, .error, "the will topic is empty", MQTTRule("4.7.3-1"))
    } else if bytes[topic].firstIndex(of: UInt8(ascii: "+")) != nil
      || bytes[topic].firstIndex(of: UInt8(ascii: "#")) != nil
    {
      fault(
        .mqttTopicWildcard, .error,
        "the will topic “\(Self.quoted(bytes[topic]))” has a wildcard",
        MQTTRule("4.7.1-1", "4.7.0-1"))
    }
    guard let payload = prefixed(bytes, "the will payload") else { return false }
    packet.willPayload = payload
    checkResponseTopic(bytes)
    let isText = properties.contains {
      $0.property == .payloadFormatIndicator && $0.number == 1
    }
    if packet.isV5 && isText && UTF8.firstInvalid(in: bytes[payload]) != nil {
      fault(
        .mqttPayloadFormat, .note,
        "the payload format indicator of the will says UTF-8, and its payload is none")
    }
    key("payload")
    note("will payload", write(binary: bytes[payload]).digits)
    key("qos")
    note("will QoS", write(number: Int(packet.willQoS)))
    key("retain")
    let retain = write(boolean: packet.flags & 0x20 != 0)
    if packet.flags & 0x20 != 0 { note("will retain", retain) }
    if packet.isV5 { writeProperties(bytes, showsFacts: false) }
    return true
  }

  // MARK: - CONNACK (MQTT 5.0 §3.2)

  mutating func connack(_ bytes: RawSpan) {
    guard let flags = uint8(bytes, "the acknowledge flags") else { return }
    packet.flags = flags
    key("sessionPresent")
    let present = write(boolean: packet.isSessionPresent)
    if packet.isSessionPresent { note("session present", present) }
    if flags & 0xFE != 0 {
      fault(
        .mqttReservedBits, reservedSeverity,
        "bits 7 to 1 of the acknowledge flags are \(Self.bits(flags >> 1, 7)), and must be 0",
        reservedRule(MQTTRule("", "3.2.2-1")))
    }
    guard let code = uint8(bytes, "the reason code") else { return }
    writeReason(code, .connack)
    if code != 0 && packet.isSessionPresent && packet.level != MQTTLevel.v31 {
      fault(
        .mqttReservedBits, .error,
        "session present is set in a CONNACK that refuses the connection",
        MQTTRule("3.2.2-4", "3.2.2-6"))
    }
    guard packet.isV5 else { return }
    readProperties(bytes, in: MQTTTypes([.connack]))
    writeProperties(bytes)
  }

  // MARK: - A reason code

  /// The code with its name as the word; an unknown one is a fault.
  mutating func writeReason(_ code: UInt8, _ type: MQTTType) {
    packet.reason = code
    key("reasonCode")
    let range = write(number: Int(code))
    let isFailure =
      packet.isV5 ? code >= 0x80 : type == .connack && code != 0
    if isFailure { traits.insert(.isFailure) }
    let name = reasonName(code, type)
    let isUsual = code == 0 && type != .connack && type != .auth
    if !isUsual { note(name ?? "reason code", range) }
  }

  mutating func reasonName(_ code: UInt8, _ type: MQTTType) -> StaticString? {
    if let name = MQTTReason.name(code, in: type, level: packet.level) { return name }
    let meaning = MQTTReason.name(code).map { " (\($0))" } ?? ""
    fault(
      .mqttReasonCode, .error,
      packet.isV5
        ? "reason code \(code)\(meaning) does not exist for \(type.name)"
        : "return code \(code) does not exist for \(type.name)",
      type == .suback ? MQTTRule("3.9.3-2", "") : .none)
    return MQTTReason.name(code)
  }

  /// PUBACK, PUBREC, PUBREL, PUBCOMP, DISCONNECT and AUTH: in MQTT 5.0 a reason code and
  /// properties, both of which may be missing.
  mutating func reply(_ type: MQTTType, _ bytes: RawSpan) {
    guard packet.isV5 else { return }
    if at == bytes.byteCount {
      key("reasonCode")
      text.append(byte: UInt8(ascii: "0"))
    } else {
      guard let code = uint8(bytes, "the reason code") else { return }
      writeReason(code, type)
    }
    if at < bytes.byteCount {
      readProperties(bytes, in: MQTTTypes([type]))
      writeProperties(bytes)
    }
    // §3.15.2.2.2
    if type == .auth && packet.isWhole && !packet.properties.has(.authenticationMethod) {
      fault(.mqttPropertyInvalid, .error, "AUTH needs an authenticationMethod")
    }
  }
}
