// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of a packet: its fields by key, and the properties one by one.
enum MQTTOutline {
  private static let meanings: [(StaticString, StaticString)] = [
    ("protocolName", "MQIsdp in MQTT 3.1"), ("protocolVersion", "3: 3.1, 4: 3.1.1, 5: 5.0"),
    ("cleanStart", "the session that was kept is dropped"),
    ("keepAlive", "seconds between two packets of the client at most; 0: off"),
    ("clientId", "the session belongs to it"), ("username", "user name"),
    ("password", "password"),
    ("will", "published by the server if the connection ends without DISCONNECT"),
    ("sessionPresent", "the server has kept a session of this client"),
    ("topic", "topic name"), ("qos", "0: at most once, 1: at least once, 2: exactly once"),
    ("retain", "kept for later subscribers; to a client: sent because it subscribed"),
    ("payloadBytes", "length of the application message, which the log does not have"),
    ("dup", "sent before with this packet identifier"), ("payload", "application message"),
    ("properties", "MQTT 5.0"), ("topicFilters", "what is unsubscribed"),
    ("reasonCodes", "one for each filter, in their order"),
    ("matchedFilters", "not sent: filters of this session that match the topic"),
  ]

  static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    guard message.traits.contains(.isJSON), bytes.byteCount > 1 else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    if message.first.isShown {
      var row = OutlineRow("packet", .heading, ByteRange())
      (row.link, row.meaning) = (1, "packet identifier")
      rows.append(row)
    }
    let type = MQTTType.allCases.first { message.name.equals(Symbol($0.name)) }
    var at = 1
    while let member = JSON.next(bytes, &at, inObject: true) {
      var row = OutlineRow("", .json, member.value.range)
      row.key = member.key
      let key = bytes[member.key]
      let range = member.value.range
      if key.equals("properties") || key.equals("will") {
        row.kind = .heading
        row.meaning = meaning(of: key)
        rows.append(row)
        appendMembers(bytes, range, depth: 1, to: &rows)
        continue
      }
      if key.equals("subscriptions") {
        row.kind = .heading
        rows.append(row)
        appendSubscriptions(bytes, range, to: &rows)
        continue
      }
      row.meaning =
        key.equals("reasonCode")
        ? reason(bytes, range, type) : meaning(of: key)
      rows.append(row)
      if key.equals("reasonCodes") { appendCodes(bytes, range, type, to: &rows) }
    }
  }

  private static func meaning(of key: RawSpan) -> StaticString {
    if let found = meanings.first(where: { key.equals($0.0) }) { return found.1 }
    for property in MQTTProperty.allCases where key.equals(property.entry.key) {
      return property.entry.meaning
    }
    return ""
  }

  /// The protocol level is not known here, but codes from 128 on, and names common to both
  /// versions, are unambiguous.
  private static func reason(
    _ bytes: RawSpan, _ range: ByteRange, _ type: MQTTType?
  ) -> StaticString {
    guard let type, let code = JSON.natural(bytes, range), code < 256 else { return "" }
    let isOld = type == .connack && 1...5 ~= code
    return MQTTReason.name(
      UInt8(code), in: type, level: isOld ? MQTTLevel.v311 : MQTTLevel.v5)
      ?? MQTTReason.name(UInt8(code)) ?? ""
  }

  private static func appendMembers(
    _ bytes: RawSpan, _ range: ByteRange, depth: UInt8,
    to rows: inout ContiguousArray<OutlineRow>
  ) {
    let object = bytes.extracting(0..<range.end)
    guard range.count > 2, object.byte(at: range.start) == UInt8(ascii: "{") else { return }
    var at = range.start + 1
    while let member = JSON.next(object, &at, inObject: true) {
      guard rows.count < Limits.standard.outlineLines else { return }
      var row = OutlineRow("", .json, member.value.range, depth: depth)
      row.key = member.key
      row.meaning = meaning(of: bytes[member.key])
      if bytes[member.key].equals("properties") {
        row.kind = .heading
        rows.append(row)
        appendMembers(bytes, member.value.range, depth: depth + 1, to: &rows)
      } else {
        rows.append(row)
      }
    }
  }

  private static func appendSubscriptions(
    _ bytes: RawSpan, _ range: ByteRange, to rows: inout ContiguousArray<OutlineRow>
  ) {
    var elements = JSON.Members(ofArray: range)
    while let member = elements.next(bytes) {
      guard rows.count < Limits.standard.outlineLines else {
        return rows.append(.more(depth: 1))
      }
      rows.append(OutlineRow("subscription", .json, member.value.range, depth: 1))
    }
  }

  private static func appendCodes(
    _ bytes: RawSpan, _ range: ByteRange, _ type: MQTTType?,
    to rows: inout ContiguousArray<OutlineRow>
  ) {
    var elements = JSON.Members(ofArray: range)
    while let member = elements.next(bytes) {
      guard rows.count < Limits.standard.outlineLines else {
        return rows.append(.more(depth: 1))
      }
      var row = OutlineRow("code", .json, member.value.range, depth: 1)
      row.meaning = reason(bytes, member.value.range, type)
      rows.append(row)
    }
  }
}
