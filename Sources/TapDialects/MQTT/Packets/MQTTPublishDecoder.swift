// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// PUBLISH (MQTT 5.0 §3.3).
struct MQTTPublishDecoder {
  private var payloads: MQTTPayloads

  init(limits: Limits) { payloads = MQTTPayloads(limits: limits) }

  /// The JSON members for the flags, by the low four bits of the first byte.
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

  mutating func decode(
    _ bytes: RawSpan, _ reading: inout MQTTReading, _ aliases: inout MQTTAliases
  ) {
    let flags = Int(reading.packet.first & 15)
    if flags & 0b0110 == 0b0110 {
      reading.fault(
        .mqttPublishQoS3, .error, "both QoS bits are set, and there is no QoS 3",
        MQTTRule("3.3.1-4"))
    } else if flags & 0b1110 == 0b1000 {
      reading.fault(
        .mqttDupQoS0, .warning, "DUP is set, and nothing of QoS 0 is ever sent again",
        MQTTRule("3.3.1-2"))
    }
    reading.text.json.append(#"{"topic":"#)
    guard let topic = reading.cursor.prefixed(bytes, "the topic") else {
      reading.text.json.append("null")
      reading.text.append(members: Self.flagTexts[flags])
      return reading.text.close()
    }
    reading.packet.topic = topic
    if flags & 0b0110 != 0 { reading.readID(bytes) }
    let isV5 = reading.packet.isV5
    if isV5 && reading.cursor.isWhole {
      reading.packet.properties = reading.properties.read(bytes, &reading.cursor, of: .publish)
    }
    Self.writeTopic(bytes, &reading, &aliases)
    reading.text.append(members: Self.flagTexts[flags])
    Self.noteFlags(flags, &reading.text)
    if isV5 && reading.cursor.isWhole {
      reading.writeProperties(bytes)
      reading.properties.checkResponseTopic(bytes, &reading.cursor.faults)
    }
    guard reading.cursor.isWhole else { return reading.text.close() }
    reading.packet.payload = ByteRange(reading.cursor.at, bytes.byteCount)
    writePayload(bytes.dropping(reading.cursor.at), &reading.text)
    reading.text.close()
    if isV5 { Self.checkFormat(bytes, &reading) }
  }

  /// Notes the flags that a line shows: the QoS, and the flags that are set.
  @inline(__always)
  private static func noteFlags(_ flags: Int, _ text: inout MQTTText) {
    if flags & 0b1111 == 0 { return }
    let end = text.json.count
    let start = end - flagTexts[flags].utf8CodeUnitCount
    if flags & 0b0110 != 0 { text.shown.note("QoS", ByteRange(start + 7, start + 8)) }
    if flags & 1 != 0 { text.shown.note("retain", ByteRange(start + 18, start + 22)) }
    if flags & 8 != 0 { text.shown.note("dup", ByteRange(end - 4, end)) }
  }

  @inline(__always)
  private static func writeTopic(
    _ bytes: RawSpan, _ reading: inout MQTTReading, _ aliases: inout MQTTAliases
  ) {
    let name = bytes[reading.packet.topic]
    if name.byteCount == 0 { return writeAliased(&reading, aliases) }
    reading.text.shown.subject = reading.write(string: name, "the topic")
    if MQTTTopic.isPattern(name) {
      reading.fault(
        .mqttTopicWildcard, .error,
        "the topic “\(MQTTFault.quoted(name))” has a wildcard, which only filters may have",
        MQTTRule("3.3.2-2"))
    }
    let alias = reading.packet.properties.alias
    if alias > 0 { aliases.set(alias, to: name) }
  }

  @inline(never)
  private static func writeAliased(_ reading: inout MQTTReading, _ aliases: MQTTAliases) {
    let alias = reading.packet.properties.alias
    if alias == 0 {
      reading.write(string: RawSpan(), "the topic")
      if !reading.cursor.isWhole { return }
      return reading.fault(
        .mqttTopicEmpty, .error,
        reading.packet.isV5 ? "the topic is empty, and there is no alias" : "the topic is empty",
        MQTTRule("4.7.3-1"))
    }
    guard let topic = aliases.topic(alias) else {
      reading.isAliasUnknown = true
      return reading.text.json.append("null")
    }
    reading.aliased = topic
    reading.text.shown.subject = reading.write(string: unsafe topic.span.bytes, "the topic")
  }

  /// Writes the payload. A line shows JSON as it was sent, other text in quotes, bytes in
  /// hexadecimal.
  @inline(__always)
  private mutating func writePayload(_ bytes: RawSpan, _ text: inout MQTTText) {
    text.append(members: #","payload":"#)
    let start = text.json.count
    if bytes.byteCount == 0 { return text.json.append("\"\"") }
    let written = text.write(binary: bytes)
    text.shown.payload = ByteRange(start, text.json.count)
    if !written.isText {
      text.shown.traits.insert(.isBytes)
    } else if payloads.isJSON(bytes) {
      text.shown.payload = written.digits
      text.shown.traits.insert(.isQuoted)
    } else if bytes.byteCount &+ 2 != text.json.count &- start && MQTTPayloads.hasControls(bytes) {
      text.shown.traits.insert(.isBytes)
    }
  }

  /// Checks the payload against the payload format indicator (MQTT 5.0 §3.3.2.3.2).
  private static func checkFormat(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    let properties = reading.packet.properties
    let payload = reading.packet.payload
    let isText =
      properties.has(.payloadFormatIndicator) && !properties.isZero(.payloadFormatIndicator)
    if isText && UTF8.firstInvalid(in: bytes[payload]) != nil {
      return reading.fault(
        .mqttPayloadFormat, .note,
        "the payload format indicator says UTF-8, and the payload is none")
    }
    if properties.contentType.isEmpty || payload.isEmpty { return }
    let type = bytes[properties.contentType]
    if (type.equals("application/json") || type.starts(with: "application/json;"))
      && !reading.text.shown.traits.contains(.isQuoted)
    {
      reading.fault(
        .mqttPayloadFormat, .note, "the content type says JSON, and the payload is none")
    }
  }
}
