// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A packet that this program told before, read from its NDJSON, or that lines of a log name:
/// `{"mqtt":"PUBLISH","ids":{"packet":7},"body":{…}}`.
extension MQTTDecoder {
  /// What such a text begins with.
  static let replayed: StaticString = #"{"mqtt":""#

  /// Members of bodies that a line shows, and the words for them.
  private static let words: [(key: StaticString, word: StaticString)] = [
    ("clientId", "client"), ("keepAlive", "keep alive"), ("username", "user"),
    ("password", "password"),
  ]

  /// - Returns: where the body stands; nil where the text is not of that form.
  mutating func replay(_ text: RawSpan, level: UInt8) -> ByteRange? {
    reset(level: level)
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
    read(text[body])
    return body
  }

  private mutating func read(_ body: RawSpan) {
    traits = [.isText, .isJSON, .isCompact]
    isPlain = Self.isPrintable(body)
    if isPlain { traits.insert(.isPlain) }
    var at = 1
    while let member = JSON.next(body, &at, inObject: true) {
      let (key, range) = (body[member.key], member.value.range)
      if key.equals("topic"), member.value.kind == .string { subject = Self.content(range, body) }
      if key.equals("payload") { replayPayload(range, body) }
      if key.equals("payloadBytes") {
        (packet.payload, payload) = (range, range)
        traits.insert(.isBytes)
      }
      if key.equals("reasonCode"), let code = JSON.natural(body, range), let type = packet.type {
        packet.reason = UInt8(truncatingIfNeeded: code)
        let isOld = type == .connack && packet.level != MQTTLevel.v5
        if code >= (isOld ? 1 : 0x80) { traits.insert(.isFailure) }
        let name = MQTTReason.name(packet.reason, in: type, level: packet.level)
        if code > 0 || type == .connack {
          note(name ?? MQTTReason.name(packet.reason) ?? "reason code", range)
        }
      }
      if key.equals("reasonCodes") { replayCodes(range, body) }
      if key.equals("protocolVersion"), let version = JSON.natural(body, range) {
        packet.level = UInt8(truncatingIfNeeded: version)
        note(Self.version(packet.level), range)
      }
      if key.equals("cleanStart") {
        note(packet.level < MQTTLevel.v5 ? "clean session" : "clean start", range)
      }
      if key.equals("username"), Self.isJWT(body[Self.content(range, body)]) {
        note("user", Self.content(range, body), .secret)
      }
      if key.equals("qos"), let qos = JSON.natural(body, range), qos > 0 { note("QoS", range) }
      if key.equals("retain") || key.equals("dup"), body[range].equals("true") {
        note(key.equals("dup") ? "dup" : "retain", range)
      }
      if key.equals("password") { note("password", Self.content(range, body), .secret) }
      for one in Self.words where key.equals(one.key) {
        note(one.word, Self.content(range, body))
      }
      if key.equals("properties") { replayProperties(range, body) }
      if key.equals("will") { replayWill(range, body) }
      if key.equals("subscriptions") || key.equals("topicFilters") {
        replayFilters(range, body, isList: key.equals("topicFilters"))
      }
    }
  }

  /// Of a string, what is between the quotes.
  private static func content(_ range: ByteRange, _ body: RawSpan) -> ByteRange {
    guard range.count >= 2, body.byte(at: range.start) == 0x22 else { return range }
    return ByteRange(range.start + 1, range.end - 1)
  }

  private mutating func replayWill(_ range: ByteRange, _ body: RawSpan) {
    let topic = JSON.value(of: "topic", in: range, body)
    let payload = JSON.value(of: "payload", in: range, body)
    let count = JSON.value(of: "payloadBytes", in: range, body)
    if let topic, let sent = payload ?? count {
      packet.willTopic = Self.content(topic.range, body)
      packet.willPayload = Self.content(sent.range, body)
      packet.flags = 4
    }
    if let topic { note("will", Self.content(topic.range, body)) }
    if let payload { note("will payload", Self.content(payload.range, body)) }
    if let qos = JSON.value(of: "qos", in: range, body) { note("will QoS", qos.range) }
    if let retain = JSON.value(of: "retain", in: range, body), retain.kind == .yes {
      note("will retain", retain.range)
    }
  }

  private mutating func replayPayload(_ range: ByteRange, _ body: RawSpan) {
    packet.payload = Self.content(range, body)
    if range.count == 2 { return }
    payload = range
    if body.byte(at: range.start) == UInt8(ascii: "{") {
      traits.insert(.isBytes)
      return
    }
    let content = JSON.unescaped(body[Self.content(range, body)])
    if isJSON(content.span.bytes) {
      payload = Self.content(range, body)
      traits.insert(.isQuoted)
    } else if Self.hasControls(content.span.bytes) {
      traits.insert(.isBytes)
    }
  }

  private mutating func replayProperties(_ range: ByteRange, _ body: RawSpan) {
    let object = body.extracting(0..<range.end)
    var at = range.start + 1
    while let member = JSON.next(object, &at, inObject: true) {
      for property in MQTTProperty.allCases where body[member.key].equals(property.entry.key) {
        let content = Self.content(member.value.range, body)
        if property == .authenticationData { note("authentication data", content, .secret) }
        packet.properties.sent |= 1 << UInt64(property.rawValue)
        if property == .responseTopic { packet.properties.responseTopic = content }
        if property == .correlationData { packet.properties.correlation = content }
        if property != .userProperty && property != .payloadFormatIndicator {
          note(property.entry.words, content)
        }
      }
    }
  }

  private mutating func replayFilters(_ range: ByteRange, _ body: RawSpan, isList: Bool) {
    let list = body.extracting(0..<range.end)
    var found = ContiguousArray<ByteRange>()
    var asked = ContiguousArray<ByteRange>()
    var at = range.start + 1
    while let member = JSON.next(list, &at, inObject: false), found.count < most {
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
      subject = found[0]
      if MQTTTopic.isPattern(body[subject]) { traits.insert(.isPattern) }
    } else {
      for one in found { note("filters", one) }
    }
    for one in asked { note("QoS", one) }
  }

  private mutating func replayCodes(_ range: ByteRange, _ body: RawSpan) {
    let list = body.extracting(0..<range.end)
    var at = range.start + 1
    while let member = JSON.next(list, &at, inObject: false) {
      guard let type = packet.type, let code = JSON.natural(body, member.value.range), code < 256
      else { continue }
      let name = MQTTReason.name(UInt8(code), in: type, level: packet.level)
      note(
        type == .suback && code < 3 ? "granted QoS" : name ?? "code", member.value.range)
      if code >= 0x80 {
        traits.insert(.isFailure)
        packet.reason = UInt8(code)
      }
    }
  }
}

extension MQTTSession {
  /// Tells a packet that was told before.
  mutating func replay(_ text: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if tellEnd(text, delivery, listener) { return }
    if level == 0, Self.hasProperties(text) { level = MQTTLevel.v5 }
    guard let body = decoder.replay(text, level: level) else {
      return UnclaimedLayer.tell(
        text, delivery, mayHoldSecrets: true, carrier: "websocket", listener)
    }
    let type = decoder.packet.type
    if type == .connect { level = decoder.packet.level }
    var message = Message("mqtt", Symbol(type?.name ?? "RESERVED"), delivery.origin)
    message.traits = decoder.traits
    if isNarrated { message.traits.insert(.isNarrated) }
    message.subject = decoder.subject
    message.payload = decoder.payload
    declare(type, delivery.origin.direction, &message)
    declareUnnumbered(type, &message)
    declareReplayed(text[body], delivery.origin.direction, &message)
    if type == .connect { loggedWill = text[body][decoder.packet.willTopic].copied() }
    if type == .subscribe { keepFilters(message.first.key, text[body]) }
    if type == .suback { tellReplayedFilters(message.first.key, listener) }
    listener.message(message, text[body], decoder.notes.span)
  }

  /// Only MQTT 5 has properties.
  private static func hasProperties(_ text: RawSpan) -> Bool {
    guard let body = JSON.value(of: "body", in: ByteRange(0, text.byteCount), text) else {
      return false
    }
    return JSON.value(of: "properties", in: body.range, text) != nil
  }

  /// The filters of a SUBSCRIBE that was told before are the subject of its answer.
  mutating func tellReplayedFilters(_ key: UInt64, _ listener: any Listener) {
    guard let filters = replayedFilters.removeValue(forKey: key) else { return }
    listener.subject(filters.span.bytes)
  }

  /// What a message shares with others, by its JSON.
  private func declareReplayed(
    _ body: RawSpan, _ direction: Direction, _ message: inout Message
  ) {
    let packet = decoder.packet
    let isDown = direction == .toClient
    if packet.type == .connect, packet.hasWill {
      let key = Self.delivery(body[packet.willTopic], body[packet.willPayload])
      message.third = Link(.sends, "", key, space: Space.delivery, scope: .router)
    }
    guard packet.type == .publish, !decoder.subject.isEmpty else { return }
    let key = Self.delivery(body[decoder.subject], body[packet.payload])
    message.third = Link(
      isDown ? .delivers : .sends, "", key, space: Space.delivery, scope: .router)
    let correlation = body[packet.properties.correlation]
    if packet.properties.has(.responseTopic) {
      let asked = Self.exchange(body[packet.properties.responseTopic], correlation)
      message.second = Link(
        .opens, "", asked, space: isDown ? Space.askedByServer : Space.asked)
    } else if packet.properties.has(.correlationData) {
      let answered = Self.exchange(body[decoder.subject], correlation)
      message.second = Link(
        .answers, "", answered, space: isDown ? Space.asked : Space.askedByServer)
    }
  }

  /// Several filters are the subject of their answer.
  private mutating func keepFilters(_ key: UInt64, _ body: RawSpan) {
    if replayedFilters.count >= 1024 { return }
    var filters: [UInt8] = []
    var count = 0
    for note in decoder.notes where note.word.equals("filters") {
      if count > 0 { filters += Array(", ".utf8) }
      filters += JSON.unescaped(body[note.range])
      count += 1
    }
    if count > 1 && filters.count < 4096 { replayedFilters[key] = filters }
  }
}
