// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// PUBLISH (MQTT 5.0 §3.3).
extension MQTTDecoder {
  /// What bodies say of the flags, by the low four bits of the first byte.
  private static let flagTexts: [StaticString] = [
    #","qos":0,"retain":false,"dup":false"#, #","qos":0,"retain":true,"dup":false"#,
    #","qos":1,"retain":false,"dup":false"#, #","qos":1,"retain":true,"dup":false"#,
    #","qos":2,"retain":false,"dup":false"#, #","qos":2,"retain":true,"dup":false"#,
    #","qos":3,"retain":false,"dup":false"#, #","qos":3,"retain":true,"dup":false"#,
    #","qos":0,"retain":false,"dup":true"#, #","qos":0,"retain":true,"dup":true"#,
    #","qos":1,"retain":false,"dup":true"#, #","qos":1,"retain":true,"dup":true"#,
    #","qos":2,"retain":false,"dup":true"#, #","qos":2,"retain":true,"dup":true"#,
    #","qos":3,"retain":false,"dup":true"#, #","qos":3,"retain":true,"dup":true"#,
  ]

  mutating func publish(_ bytes: RawSpan, _ aliases: inout MQTTAliases) {
    let flags = Int(packet.first & 15)
    if flags & 0b0110 == 0b0110 {
      fault(
        .mqttPublishQoS3, .error, "both QoS bits are set, and there is no QoS 3",
        MQTTRule("3.3.1-4"))
    } else if flags & 0b1110 == 0b1000 {
      fault(
        .mqttDupQoS0, .warning, "DUP is set, and nothing of QoS 0 is ever sent again",
        MQTTRule("3.3.1-2"))
    }
    text.append(#"{"topic":"#)
    guard let topic = prefixed(bytes, "the topic") else {
      text.append("null")
      return endPublish(flags)
    }
    packet.topic = topic
    if flags & 0b0110 != 0 {
      packet.id = uint16(bytes, "the packet identifier")
      checkID()
    }
    if packet.isV5 && packet.isWhole { readProperties(bytes, in: MQTTTypes([.publish])) }
    writeTopic(bytes, &aliases)
    text.append(Self.flagTexts[flags])
    noteFlags(flags)
    if packet.isV5 && packet.isWhole {
      isFirstKey = false
      writeProperties(bytes)
      checkResponseTopic(bytes)
    }
    guard packet.isWhole else { return text.append("}") }
    packet.payload = ByteRange(at, bytes.byteCount)
    writePayload(bytes.dropping(at))
    text.append(byte: UInt8(ascii: "}"))
    if packet.isV5 { checkFormat(bytes) }
  }

  /// Opens the list of filters behind the fields of the packet.
  mutating func beginMatches() {
    text.truncate(text.count &- 1)
    text.append(#","matchedFilters":["#)
    isFirstKey = true
  }

  /// Adds a filter if the topic of the packet matches it.
  mutating func appendMatch(_ filter: RawSpan) {
    guard MQTTTopic.matches(filter, text.bytes[subject]) else { return }
    if !isFirstKey { text.append(byte: UInt8(ascii: ",")) }
    isFirstKey = false
    let start = text.count
    // What is wrong with a filter was said of its SUBSCRIBE.
    if text.append(quotingPlain: filter) { return }
    text.append(jsonString: filter)
    lookForUnplain(from: start)
  }

  mutating func endMatches() {
    text.append("]}")
    if !isPlain { traits.remove(.isPlain) }
  }

  private mutating func endPublish(_ flags: Int) {
    text.append(Self.flagTexts[flags])
    text.append(byte: UInt8(ascii: "}"))
  }

  /// The digits of the flags' text that a line shows: QoS, and what is set.
  @inline(__always)
  private mutating func noteFlags(_ flags: Int) {
    if flags & 0b1111 == 0 { return }
    let end = text.count
    let start = end - Self.flagTexts[flags].utf8CodeUnitCount
    if flags & 0b0110 != 0 { note("QoS", ByteRange(start + 7, start + 8)) }
    if flags & 1 != 0 { note("retain", ByteRange(start + 18, start + 22)) }
    if flags & 8 != 0 { note("dup", ByteRange(end - 4, end)) }
  }

  @inline(__always)
  private mutating func writeTopic(_ bytes: RawSpan, _ aliases: inout MQTTAliases) {
    let name = bytes[packet.topic]
    if name.byteCount > 0 {
      subject = write(string: name, "the topic")
      if name.firstIndex(of: UInt8(ascii: "+")) != nil
        || name.firstIndex(of: UInt8(ascii: "#")) != nil
      {
        fault(
          .mqttTopicWildcard, .error,
          "the topic “\(Self.quoted(name))” has a wildcard, which only filters may have",
          MQTTRule("3.3.2-2"))
      }
      if packet.properties.alias > 0 { aliases.set(packet.properties.alias, to: name) }
      return
    }
    writeAliased(aliases)
  }

  @inline(never)
  private mutating func writeAliased(_ aliases: MQTTAliases) {
    let alias = packet.properties.alias
    if alias == 0 {
      write(string: RawSpan(), "the topic")
      if !packet.isWhole { return }
      return fault(
        .mqttTopicEmpty, .error,
        packet.isV5 ? "the topic is empty, and there is no alias" : "the topic is empty",
        MQTTRule("4.7.3-1"))
    }
    guard let topic = aliases.topic(alias) else {
      isAliasUnknown = true
      return text.append("null")
    }
    subject = write(string: unsafe topic.span.bytes, "the topic")
  }

  /// Of a message, or of a will.
  mutating func checkResponseTopic(_ bytes: RawSpan) {
    guard let one = properties.first(where: { $0.property == .responseTopic }) else { return }
    let topic = bytes[one.range]
    if topic.isEmpty {
      return fault(
        .mqttTopicEmpty, .error, "the response topic is empty", MQTTRule("", "4.7.3-1"))
    }
    guard MQTTTopic.isPattern(topic) else { return }
    fault(
      .mqttTopicWildcard, .error,
      "the response topic “\(Self.quoted(topic))” has a wildcard", MQTTRule("", "3.3.2-14"))
  }

  /// The payload: JSON is shown as it was sent, other text in quotes, bytes in hexadecimal.
  @inline(__always)
  private mutating func writePayload(_ bytes: RawSpan) {
    text.append(#","payload":"#)
    let start = text.count
    if bytes.byteCount == 0 { return text.append("\"\"") }
    let written = write(binary: bytes)
    payload = ByteRange(start, text.count)
    if !written.isText {
      traits.insert(.isBytes)
      return
    }
    if isJSON(bytes) {
      payload = written.digits
      traits.insert(.isQuoted)
    } else if bytes.byteCount &+ 2 != text.count &- start && Self.hasControls(bytes) {
      traits.insert(.isBytes)
    }
  }

  /// Whether bytes are UTF-8 that a text may have.
  static func isText(_ bytes: RawSpan) -> Bool {
    UTF8.firstInvalid(in: bytes) == nil && !hasControls(bytes)
  }

  /// Whether UTF-8 has characters that no text has.
  static func hasControls(_ bytes: RawSpan) -> Bool {
    for at in 0..<bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F {
        return true
      }
    }
    return false
  }

  /// Whether a text is one JSON value.
  mutating func isJSON(_ bytes: RawSpan) -> Bool {
    switch bytes.byte(at: 0) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), 0x09, 0x0A, 0x0D, 0x20:
      return scanner.scan(bytes) == bytes.byteCount && scanner.isStrict
    default: return false
    }
  }

  /// What the properties say of the payload (MQTT 5.0 §3.3.2.3.2).
  private mutating func checkFormat(_ bytes: RawSpan) {
    let isText =
      packet.properties.has(.payloadFormatIndicator)
      && !packet.properties.isZero(.payloadFormatIndicator)
    if isText && UTF8.firstInvalid(in: bytes[packet.payload]) != nil {
      return fault(
        .mqttPayloadFormat, .note,
        "the payload format indicator says UTF-8, and the payload is none")
    }
    if packet.properties.contentType.isEmpty || packet.payload.isEmpty { return }
    let type = bytes[packet.properties.contentType]
    if (type.equals("application/json") || type.starts(with: "application/json;"))
      && !traits.contains(.isQuoted)
    {
      fault(.mqttPayloadFormat, .note, "the content type says JSON, and the payload is none")
    }
  }
}
