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
    _ message: Message, _ bytes: RawSpan, to branches: inout ContiguousArray<Branch>
  ) {
    guard message.traits.contains(.isJSON), bytes.byteCount > 1 else {
      return PlainOutline.append(message, bytes, to: &branches)
    }
    if message.first.isShown {
      var branch = Branch("packet", .heading, ByteRange())
      (branch.link, branch.meaning) = (1, "packet identifier")
      branches.append(branch)
    }
    let type = MQTTType.allCases.first { message.name.equals(Symbol($0.name)) }
    var at = 1
    while let member = JSON.next(bytes, &at, inObject: true) {
      var branch = Branch("", .json, member.value.range)
      branch.key = member.key
      let key = bytes[member.key]
      let range = member.value.range
      if key.equals("properties") || key.equals("will") {
        branch.kind = .heading
        branch.meaning = meaning(of: key)
        branches.append(branch)
        appendMembers(bytes, range, depth: 1, to: &branches)
        continue
      }
      if key.equals("subscriptions") {
        branch.kind = .heading
        branches.append(branch)
        appendSubscriptions(bytes, range, to: &branches)
        continue
      }
      branch.meaning =
        key.equals("reasonCode")
        ? reason(bytes, range, type) : meaning(of: key)
      branches.append(branch)
      if key.equals("reasonCodes") { appendCodes(bytes, range, type, to: &branches) }
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
    to branches: inout ContiguousArray<Branch>
  ) {
    let object = bytes.extracting(0..<range.end)
    guard range.count > 2, object.byte(at: range.start) == UInt8(ascii: "{") else { return }
    var at = range.start + 1
    while let member = JSON.next(object, &at, inObject: true) {
      guard branches.count < Limits.standard.outlineLines else { return }
      var branch = Branch("", .json, member.value.range, depth: depth)
      branch.key = member.key
      branch.meaning = meaning(of: bytes[member.key])
      if bytes[member.key].equals("properties") {
        branch.kind = .heading
        branches.append(branch)
        appendMembers(bytes, member.value.range, depth: depth + 1, to: &branches)
      } else {
        branches.append(branch)
      }
    }
  }

  private static func appendSubscriptions(
    _ bytes: RawSpan, _ range: ByteRange, to branches: inout ContiguousArray<Branch>
  ) {
    var elements = JSON.Members(ofArray: range)
    while let member = elements.next(bytes) {
      guard branches.count < Limits.standard.outlineLines else {
        return branches.append(.more(depth: 1))
      }
      branches.append(Branch("subscription", .json, member.value.range, depth: 1))
    }
  }

  private static func appendCodes(
    _ bytes: RawSpan, _ range: ByteRange, _ type: MQTTType?,
    to branches: inout ContiguousArray<Branch>
  ) {
    var elements = JSON.Members(ofArray: range)
    while let member = elements.next(bytes) {
      guard branches.count < Limits.standard.outlineLines else {
        return branches.append(.more(depth: 1))
      }
      var branch = Branch("code", .json, member.value.range, depth: 1)
      branch.meaning = reason(bytes, member.value.range, type)
      branches.append(branch)
    }
  }
}
