// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A packet in this program's NDJSON output, or in the lines of a log:
/// `{"mqtt":"PUBLISH","ids":{"packet":7},"body":{…}}`.
struct MQTTReplay {
  private(set) var packet = MQTTPacket()
  /// Ranges of its body.
  private(set) var shown = MQTTShown()
  private var payloads: MQTTPayloads
  /// The limit of filters that are read per packet.
  private let mostFilters: Int

  init(limits: Limits) {
    payloads = MQTTPayloads(limits: limits)
    mostFilters = limits.mqttFilters
  }

  /// The beginning of such a text.
  static let start: StaticString = #"{"mqtt":""#

  /// Body members that a line shows, and their words.
  private static let words: [(key: StaticString, word: StaticString)] = [
    ("clientId", "client"), ("keepAlive", "keep alive"), ("username", "user"),
    ("password", "password"),
  ]

  /// - Returns: the range of the body; nil when the text does not have this form.
  mutating func read(_ text: RawSpan, level: UInt8) -> ByteRange? {
    packet = MQTTPacket()
    packet.level = level
    shown.removeAll()
    let whole = ByteRange(0, text.byteCount)
    guard let name = JSON.value(of: "mqtt", in: whole, text),
      let body = JSON.value(of: "body", in: whole, text)?.range, body.count > 1
    else { return nil }
    packet.type = MQTTType.allCases.first { text[name.content].equals($0.name) }
    if let ids = JSON.value(of: "ids", in: whole, text)?.range,
      let id = JSON.value(of: "packet", in: ids, text)
    {
      packet.id = JSON.natural(text, id.range).map { UInt16(truncatingIfNeeded: $0) }
    }
    readBody(text[body])
    return body
  }

  private mutating func readBody(_ body: RawSpan) {
    shown.traits = [.isText, .isJSON, .isCompact]
    if body.isPlain { shown.traits.insert(.isPlain) }
    var at = 1
    while let member = JSON.next(body, &at, inObject: true) {
      let (key, value) = (body[member.key], member.value)
      if key.equals("topic"), value.kind == .string { shown.subject = value.content }
      if key.equals("payload") { readPayload(value, body) }
      if key.equals("payloadBytes") {
        (packet.payload, shown.payload) = (value.range, value.range)
        shown.traits.insert(.isBytes)
      }
      if key.equals("reasonCode") { readCode(value, body) }
      if key.equals("reasonCodes") { readCodes(value, body) }
      if key.equals("protocolVersion"), let version = JSON.natural(body, value.range) {
        packet.level = UInt8(truncatingIfNeeded: version)
        shown.note(MQTTLevel.words(packet.level), value.range)
      }
      if key.equals("cleanStart") {
        shown.note(packet.level < MQTTLevel.v5 ? "clean session" : "clean start", value.range)
      }
      if key.equals("username"), MQTTConnectDecoder.isJWT(body[value.text]) {
        shown.note("user", value.text, .secret)
      }
      if key.equals("qos"), let qos = JSON.natural(body, value.range), qos > 0 {
        shown.note("QoS", value.range)
      }
      if key.equals("retain"), value.kind == .yes { shown.note("retain", value.range) }
      if key.equals("dup"), value.kind == .yes { shown.note("dup", value.range) }
      if key.equals("password") { shown.note("password", value.text, .secret) }
      for one in Self.words where key.equals(one.key) { shown.note(one.word, value.text) }
      if key.equals("properties") { readProperties(value, body) }
      if key.equals("will") { readWill(value, body) }
      if key.equals("subscriptions") || key.equals("topicFilters") { readFilters(value, body) }
    }
  }

  private mutating func readCode(_ value: JSONElement, _ body: RawSpan) {
    guard let code = JSON.natural(body, value.range), let type = packet.type else { return }
    packet.reason = UInt8(truncatingIfNeeded: code)
    if type == .connack && code == MQTTReason.unacceptableVersion {
      packet.level = min(packet.level, MQTTLevel.v311)
    }
    let isOld = type == .connack && packet.level != MQTTLevel.v5
    if code >= (isOld ? 1 : 0x80) { shown.fail(value.range) }
    if code > 0 || type == .connack {
      let name = MQTTReason.name(packet.reason, in: type, level: packet.level)
      shown.note(name ?? MQTTReason.name(packet.reason) ?? "reason code", value.range)
    }
  }

  private mutating func readWill(_ will: JSONElement, _ body: RawSpan) {
    let topic = JSON.value(of: "topic", in: will.range, body)
    let payload = JSON.value(of: "payload", in: will.range, body)
    let count = JSON.value(of: "payloadBytes", in: will.range, body)
    if let topic, let sent = payload ?? count {
      (packet.willTopic, packet.willPayload, packet.flags) = (topic.text, sent.text, 4)
    }
    if let topic { shown.note("will", topic.text) }
    if let payload {
      shown.note("will payload", payload.text)
      shown.traits.insert(.isQuoted)
    }
    if let qos = JSON.value(of: "qos", in: will.range, body) { shown.note("will QoS", qos.range) }
    if let retain = JSON.value(of: "retain", in: will.range, body), retain.kind == .yes {
      shown.note("will retain", retain.range)
    }
  }

  private mutating func readPayload(_ value: JSONElement, _ body: RawSpan) {
    packet.payload = value.text
    if value.isEmptyContent { return }
    shown.payload = value.range
    if value.kind == .object {
      shown.traits.insert(.isBytes)
      return
    }
    let content = JSON.unescaped(body[value.text])
    if payloads.isJSON(content.span.bytes) {
      shown.payload = value.text
      shown.traits.insert(.isQuoted)
    } else if MQTTPayloads.hasControls(content.span.bytes) {
      shown.traits.insert(.isBytes)
    }
  }

  private mutating func readProperties(_ value: JSONElement, _ body: RawSpan) {
    var members = JSON.Members(of: value.range)
    while let member = members.next(body) {
      for property in MQTTProperty.allCases where body[member.key].equals(property.entry.key) {
        let content = member.value.text
        if property == .authenticationData { shown.note("authentication data", content, .secret) }
        packet.properties.sent |= property.bit
        if property == .responseTopic { packet.properties.responseTopic = content }
        if property == .correlationData { packet.properties.correlation = content }
        if property == .userProperty { readPairs(member.value, body) }
        if property != .userProperty && property != .payloadFormatIndicator {
          shown.note(property.entry.words, content)
        }
      }
    }
  }

  /// User properties, `[["name","value"]]`: values that their names call credentials.
  private mutating func readPairs(_ list: JSONElement, _ body: RawSpan) {
    var pairs = JSON.Members(ofArray: list.range)
    while let pair = pairs.next(body) {
      guard let (name, value) = JSON.pair(pair.value.range, body) else { continue }
      let words = body[name.text].copied() + [UInt8(ascii: "=")] + body[value.text].copied()
      if CredentialFinder.isAny(in: words.span.bytes, .text) {
        shown.note("credential", value.text, .secret)
      }
    }
  }

  /// The subscriptions of SUBSCRIBE, which are objects, or the filters of UNSUBSCRIBE.
  private mutating func readFilters(_ list: JSONElement, _ body: RawSpan) {
    var found = ContiguousArray<ByteRange>()
    var asked = ContiguousArray<ByteRange>()
    var elements = JSON.Members(ofArray: list.range)
    while let one = elements.next(body)?.value, found.count < mostFilters {
      guard one.kind == .object else {
        found.append(one.text)
        continue
      }
      guard let filter = JSON.value(of: "topicFilter", in: one.range, body) else { continue }
      found.append(filter.text)
      if let qos = JSON.value(of: "qos", in: one.range, body) { asked.append(qos.range) }
    }
    if found.count == 1 {
      shown.subject = found[0]
      if MQTTTopic.isPattern(body[shown.subject]) { shown.traits.insert(.isPattern) }
    } else {
      for one in found { shown.note("filters", one) }
    }
    for one in asked { shown.note("QoS", one) }
  }

  private mutating func readCodes(_ list: JSONElement, _ body: RawSpan) {
    var elements = JSON.Members(ofArray: list.range)
    while let value = elements.next(body)?.value {
      guard let type = packet.type, let code = JSON.natural(body, value.range), code < 256
      else { continue }
      let name = MQTTReason.name(UInt8(code), in: type, level: packet.level)
      shown.note(type == .suback && code < 3 ? "granted QoS" : name ?? "code", value.range)
      if code >= 0x80 {
        shown.fail(value.range)
        packet.reason = UInt8(code)
      }
    }
  }
}
