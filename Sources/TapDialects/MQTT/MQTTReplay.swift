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
    let content = text[ByteRange(name.range.start + 1, name.range.end - 1)]
    packet.type = MQTTType.allCases.first { content.equals($0.name) }
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
    if MQTTText.isPrintable(body) { shown.traits.insert(.isPlain) }
    var at = 1
    while let member = JSON.next(body, &at, inObject: true) {
      let (key, range) = (body[member.key], member.value.range)
      if key.equals("topic"), member.value.kind == .string {
        shown.subject = Self.content(range, body)
      }
      if key.equals("payload") { readPayload(range, body) }
      if key.equals("payloadBytes") {
        (packet.payload, shown.payload) = (range, range)
        shown.traits.insert(.isBytes)
      }
      if key.equals("reasonCode"), let code = JSON.natural(body, range), let type = packet.type {
        packet.reason = UInt8(truncatingIfNeeded: code)
        if type == .connack && code == MQTTReason.unacceptableVersion {
          packet.level = min(packet.level, MQTTLevel.v311)
        }
        let isOld = type == .connack && packet.level != MQTTLevel.v5
        if code >= (isOld ? 1 : 0x80) { shown.traits.insert(.isFailure) }
        let name = MQTTReason.name(packet.reason, in: type, level: packet.level)
        if code > 0 || type == .connack {
          shown.note(name ?? MQTTReason.name(packet.reason) ?? "reason code", range)
        }
      }
      if key.equals("reasonCodes") { readCodes(range, body) }
      if key.equals("protocolVersion"), let version = JSON.natural(body, range) {
        packet.level = UInt8(truncatingIfNeeded: version)
        shown.note(MQTTLevel.words(packet.level), range)
      }
      if key.equals("cleanStart") {
        shown.note(packet.level < MQTTLevel.v5 ? "clean session" : "clean start", range)
      }
      if key.equals("username"), MQTTConnectDecoder.isJWT(body[Self.content(range, body)]) {
        shown.note("user", Self.content(range, body), .secret)
      }
      if key.equals("qos"), let qos = JSON.natural(body, range), qos > 0 {
        shown.note("QoS", range)
      }
      if key.equals("retain") || key.equals("dup"), body[range].equals("true") {
        shown.note(key.equals("dup") ? "dup" : "retain", range)
      }
      if key.equals("password") { shown.note("password", Self.content(range, body), .secret) }
      for one in Self.words where key.equals(one.key) {
        shown.note(one.word, Self.content(range, body))
      }
      if key.equals("properties") { readProperties(range, body) }
      if key.equals("will") { readWill(range, body) }
      if key.equals("subscriptions") || key.equals("topicFilters") {
        readFilters(range, body, isList: key.equals("topicFilters"))
      }
    }
  }

  /// The content of a string, without its quotes.
  private static func content(_ range: ByteRange, _ body: RawSpan) -> ByteRange {
    guard range.count >= 2, body.byte(at: range.start) == .quote else { return range }
    return ByteRange(range.start + 1, range.end - 1)
  }

  private mutating func readWill(_ range: ByteRange, _ body: RawSpan) {
    let topic = JSON.value(of: "topic", in: range, body)
    let payload = JSON.value(of: "payload", in: range, body)
    let count = JSON.value(of: "payloadBytes", in: range, body)
    if let topic, let sent = payload ?? count {
      packet.willTopic = Self.content(topic.range, body)
      packet.willPayload = Self.content(sent.range, body)
      packet.flags = 4
    }
    if let topic { shown.note("will", Self.content(topic.range, body)) }
    if let payload {
      shown.note("will payload", Self.content(payload.range, body))
      shown.traits.insert(.isQuoted)
    }
    if let qos = JSON.value(of: "qos", in: range, body) { shown.note("will QoS", qos.range) }
    if let retain = JSON.value(of: "retain", in: range, body), retain.kind == .yes {
      shown.note("will retain", retain.range)
    }
  }

  private mutating func readPayload(_ range: ByteRange, _ body: RawSpan) {
    packet.payload = Self.content(range, body)
    if range.count == 2 { return }
    shown.payload = range
    if body.byte(at: range.start) == UInt8(ascii: "{") {
      shown.traits.insert(.isBytes)
      return
    }
    let content = JSON.unescaped(body[Self.content(range, body)])
    if payloads.isJSON(content.span.bytes) {
      shown.payload = Self.content(range, body)
      shown.traits.insert(.isQuoted)
    } else if MQTTPayloads.hasControls(content.span.bytes) {
      shown.traits.insert(.isBytes)
    }
  }

  private mutating func readProperties(_ range: ByteRange, _ body: RawSpan) {
    var members = JSON.Members(of: range)
    while let member = members.next(body) {
      for property in MQTTProperty.allCases where body[member.key].equals(property.entry.key) {
        let content = Self.content(member.value.range, body)
        if property == .authenticationData { shown.note("authentication data", content, .secret) }
        packet.properties.sent |= 1 << UInt64(property.rawValue)
        if property == .responseTopic { packet.properties.responseTopic = content }
        if property == .correlationData { packet.properties.correlation = content }
        if property == .userProperty { readPairs(member.value.range, body) }
        if property != .userProperty && property != .payloadFormatIndicator {
          shown.note(property.entry.words, content)
        }
      }
    }
  }

  /// User properties, `[["name","value"]]`: values that their names call credentials.
  private mutating func readPairs(_ range: ByteRange, _ body: RawSpan) {
    var pairs = JSON.Members(ofArray: range)
    while let pair = pairs.next(body) {
      var texts = JSON.Members(ofArray: pair.value.range)
      guard let name = texts.next(body), let value = texts.next(body) else { continue }
      let content = Self.content(value.value.range, body)
      let words = body[Self.content(name.value.range, body)].copied() + [UInt8(ascii: "=")]
      if CredentialFinder.isAny(in: (words + body[content].copied()).span.bytes, .text) {
        shown.note("credential", content, .secret)
      }
    }
  }

  private mutating func readFilters(_ range: ByteRange, _ body: RawSpan, isList: Bool) {
    let list = body.extracting(0..<range.end)
    var found = ContiguousArray<ByteRange>()
    var asked = ContiguousArray<ByteRange>()
    var at = range.start + 1
    while let member = JSON.next(list, &at, inObject: false), found.count < mostFilters {
      if isList {
        found.append(Self.content(member.value.range, body))
      } else if let filter = JSON.value(of: "topicFilter", in: member.value.range, body) {
        found.append(Self.content(filter.range, body))
        if let qos = JSON.value(of: "qos", in: member.value.range, body) {
          asked.append(qos.range)
        }
      }
    }
    if found.count == 1 {
      shown.subject = found[0]
      if MQTTTopic.isPattern(body[shown.subject]) { shown.traits.insert(.isPattern) }
    } else {
      for one in found { shown.note("filters", one) }
    }
    for one in asked { shown.note("QoS", one) }
  }

  private mutating func readCodes(_ range: ByteRange, _ body: RawSpan) {
    var elements = JSON.Members(ofArray: range)
    while let member = elements.next(body) {
      guard let type = packet.type, let code = JSON.natural(body, member.value.range), code < 256
      else { continue }
      let name = MQTTReason.name(UInt8(code), in: type, level: packet.level)
      shown.note(
        type == .suback && code < 3 ? "granted QoS" : name ?? "code", member.value.range)
      if code >= 0x80 {
        shown.traits.insert(.isFailure)
        packet.reason = UInt8(code)
      }
    }
  }
}
