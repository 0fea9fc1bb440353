// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What log lines say about one packet. What they do not say is nil, and stays out of the packet's
/// JSON.
struct MQTTLoggedPacket {
  struct Filter {
    var text: [UInt8]
    /// The requested QoS; nil when the line does not give it.
    var qos: Int?
  }

  private(set) var type: MQTTType
  var direction: Direction
  var client: [UInt8]?
  var filters: [Filter] = []
  /// Granted QoS, or failures, in the order of the filters.
  var codes: [Int] = []
  /// The JSON members of the properties, each after a comma.
  private var properties: [UInt8] = []
  /// Texts by field.
  private var texts: [MQTTLogField: [UInt8]] = [:]
  /// Numbers by field; 1 for `true`.
  private var numbers: [MQTTLogField: Int] = [:]

  /// The log has left out the rest of its payload.
  private(set) var isAbridged = false

  init(_ type: MQTTType, _ direction: Direction) {
    (self.type, self.direction) = (type, direction)
  }

  func number(_ field: MQTTLogField) -> Int? { numbers[field] }

  var topic: [UInt8]? { texts[.topic] }

  /// Nil when it has none. For messages of QoS 0, programs print an identifier that was not sent.
  var id: Int? {
    guard let id = numbers[.id], id > 0, type != .publish || numbers[.qos] != 0 else { return nil }
    return id
  }

  /// The protocol level as in CONNECT.
  var level: Int? {
    if let level = numbers[.level] { return level }
    return numbers[.version].map { $0 == 1 ? 3 : $0 == 2 ? 4 : $0 }
  }

  mutating func set(_ field: MQTTLogField, _ value: Int) { numbers[field] = value }

  mutating func set(payloadBeginning text: [UInt8]) {
    texts[.payload] = text + Array("…".utf8)
    isAbridged = true
  }

  mutating func set(_ field: MQTTLogField, _ value: RawSpan) {
    switch field {
    case .number, .word, .rest, .reason: break
    case .client: if !MQTTLogNotation.isNothing(value) { client = value.copied() }
    case .user, .password:
      if !MQTTLogNotation.isNothing(value) { texts[field] = value.copied() }
    case .escapedClient: client = MQTTLogNotation.bytes(value)
    case .escapedTopic: texts[.topic] = MQTTLogNotation.bytes(value)
    case .filter: filters.append(Filter(text: value.copied()))
    case .filters: filters = MQTTLogNotation.pythonFilters(value)
    case .emqxFilters: filters = MQTTLogNotation.emqxFilters(value)
    case .cocoaFilters: filters = MQTTLogNotation.cocoaFilters(value)
    case .authMethod:
      var text = TextBuffer(capacity: 64)
      text.append(byte: .comma)
      text.append("\"authenticationMethod\":")
      text.append(jsonString: value)
      properties = text.bytes.copied()
    case .properties: properties = MQTTLogProperties.read(value)
    case .codeName: numbers[.code] = MQTTLogNotation.code(named: value, type)
    case .accepted: if value.equals("accept") || value.equals("success") { numbers[.code] = 0 }
    case .type:
      let name = String(decoding: value.copied(), as: Unicode.UTF8.self).uppercased()
      if let named = MQTTType.allCases.first(where: { $0.name.description == name }) {
        type = named
      }
    case .object: set(object: value)
    case .payload:
      // Skip payloads that were not text.
      if value.firstIndex(of: "\u{FFFD}") == nil { texts[field] = value.copied() }
    case .rawPayload:
      if value.firstIndex(of: UInt8(ascii: "\\")) == nil { texts[.payload] = value.copied() }
    case .hexPayload:
      if let bytes = value.hexOctets() { texts[.payload] = bytes }
    case .homeAssistantPayload:
      let bytes = MQTTLogNotation.bytes(value)
      if bytes.count < MQTTLogProgram.mostOfHomeAssistant { texts[.payload] = bytes }
    case .printedPayload:
      texts[.payload] = MQTTLogNotation.bytes(MQTTLogNotation.bytes(value).span.bytes)
    case .publishFlags:
      // MQTT 5.0 §3.3.1
      guard let flags = MQTTLogNotation.number(value) else { return }
      (numbers[.dup], numbers[.qos], numbers[.retain]) = (flags >> 3 & 1, flags >> 1 & 3, flags & 1)
    case .connectFlags:
      // MQTT 5.0 §3.1.2.3
      guard let flags = MQTTLogNotation.number(value) else { return }
      (numbers[.clean], numbers[.will]) = (flags >> 1 & 1, flags >> 2 & 1)
      (numbers[.willQoS], numbers[.willRetain]) = (flags >> 3 & 3, flags >> 5 & 1)
    case .granted:
      if let code = MQTTLogNotation.number(value) { codes.append(code) }
    case .codes: codes = MQTTLogNotation.numbers(value)
    case .octets:
      if let bytes = MQTTLogNotation.octets(value) { texts[.payload] = bytes }
    case .filterQoS:
      if !filters.isEmpty { filters[filters.count - 1].qos = MQTTLogNotation.number(value) }
    default:
      if field.kind == .text {
        texts[field] = value.copied()
      } else {
        numbers[field] = MQTTLogNotation.number(value)
      }
    }
  }

  // MARK: - JSON

  /// Writes `{"mqtt":"PUBLISH","ids":{"packet":7},"body":{…}}`.
  func write(to text: inout TextBuffer) {
    text.append("{")
    text.member("mqtt", word: type.name)
    if let id { text.object("ids") { $0.member("packet", id) } }
    text.object("body") { writeBody(to: &$0) }
    text.append("}")
  }

  private func writeBody(to text: inout TextBuffer) {
    switch type {
    case .connect:
      write("clientId", client, to: &text)
      write("protocolVersion", level, to: &text)
      write(flag: "cleanStart", .clean, to: &text)
      write("keepAlive", numbers[.keepAlive], to: &text)
      // If no line says whether there is a will, its QoS shows that there is one.
      if numbers[.will].map({ $0 == 1 }) ?? (numbers[.willQoS] != nil) {
        text.object("will") { writeWill(to: &$0) }
      }
      write("username", texts[.user], to: &text)
      write("password", texts[.password], to: &text)
    case .connack:
      write(flag: "sessionPresent", .present, to: &text)
      write("reasonCode", numbers[.code], to: &text)
    case .publish:
      write("topic", texts[.topic], to: &text)
      write("qos", numbers[.qos], to: &text)
      write(flag: "retain", .retain, to: &text)
      write(flag: "dup", .dup, to: &text)
      writePayload(texts[.payload], numbers[.bytes], to: &text)
    case .subscribe where !filters.isEmpty:
      text.list("subscriptions", of: filters) { filter, text in
        text.append("{")
        text.member("topicFilter", filter.text.span.bytes)
        write("qos", filter.qos, to: &text)
        text.append("}")
      }
    case .unsubscribe where !filters.isEmpty:
      text.list("topicFilters", of: filters) { $1.append(jsonString: $0.text.span.bytes) }
    case .subscribe, .unsubscribe: break
    case .suback, .unsuback:
      if codes.isEmpty { return }
      text.list("reasonCodes", of: codes) { $1.append(decimal: $0) }
    default:
      if let code = numbers[.code], code > 0 { text.member("reasonCode", code) }
    }
    if !properties.isEmpty {
      text.object("properties") { $0.append(properties.span.bytes.dropping(1)) }
    }
  }

  private func writeWill(to text: inout TextBuffer) {
    write("topic", texts[.willTopic], to: &text)
    writePayload(texts[.willPayload], numbers[.willBytes], to: &text)
    write("qos", numbers[.willQoS], to: &text)
    write(flag: "retain", .willRetain, to: &text)
  }

  /// The payload if the log has it, otherwise its length. An empty payload is known by its length.
  private func writePayload(_ payload: [UInt8]?, _ count: Int?, to text: inout TextBuffer) {
    if let payload, count ?? payload.count == payload.count {
      write("payload", payload, to: &text)
    } else if let count {
      if count == 0 {
        write("payload", [], to: &text)
      } else {
        text.member("payloadBytes", count)
      }
    }
  }

  private func write(_ name: StaticString, _ value: Int?, to text: inout TextBuffer) {
    if let value { text.member(name, value) }
  }

  private func write(flag name: StaticString, _ field: MQTTLogField, to text: inout TextBuffer) {
    if let value = numbers[field] { text.member(name, value != 0) }
  }

  private func write(_ name: StaticString, _ value: [UInt8]?, to text: inout TextBuffer) {
    guard let value else { return }
    text.key(name)
    MQTTLogNotation.append(value, to: &text)
  }
}
