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
    append(membersOf: ByteRange(0, bytes.byteCount), type, bytes, depth: 0, to: &rows)
  }

  private static func append(
    membersOf object: ByteRange, _ type: MQTTType?, _ bytes: RawSpan, depth: UInt8,
    to rows: inout ContiguousArray<OutlineRow>
  ) {
    var members = JSON.Members(of: object)
    while let member = members.next(bytes) {
      guard rows.count < Limits.standard.outlineLines else {
        return rows.append(.more(depth: depth))
      }
      let (key, value) = (bytes[member.key], member.value)
      let isObject = key.equals("properties") || key.equals("will")
      let areSubscriptions = key.equals("subscriptions")
      var row = OutlineRow(
        "", isObject || areSubscriptions ? .heading : .json, value.range, depth: depth)
      row.key = member.key
      row.meaning =
        key.equals("reasonCode") ? reason(bytes, value.range, type) : meaning(of: key)
      rows.append(row)
      if isObject && value.kind == .object {
        append(membersOf: value.range, type, bytes, depth: depth + 1, to: &rows)
      } else if areSubscriptions {
        append(elementsOf: value.range, "subscription", nil, bytes, to: &rows)
      } else if key.equals("reasonCodes") {
        append(elementsOf: value.range, "code", type, bytes, to: &rows)
      }
    }
  }

  /// - Parameter type: of the packet, if these are its reason codes.
  private static func append(
    elementsOf list: ByteRange, _ title: StaticString, _ type: MQTTType?, _ bytes: RawSpan,
    to rows: inout ContiguousArray<OutlineRow>
  ) {
    var elements = JSON.Members(ofArray: list)
    while let value = elements.next(bytes)?.value {
      guard rows.count < Limits.standard.outlineLines else {
        return rows.append(.more(depth: 1))
      }
      var row = OutlineRow(title, .json, value.range, depth: 1)
      row.meaning = reason(bytes, value.range, type)
      rows.append(row)
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
}
