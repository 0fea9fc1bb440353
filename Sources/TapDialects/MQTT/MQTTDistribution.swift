// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Which sessions receive a message (MQTT 5.0, 3.3, 3.8 to 3.11, 4.7 and 4.8).
extension MQTTDialect {
  public func distribution(of message: Message, _ bytes: RawSpan) -> Distribution? {
    let type = MQTTType.allCases.first { message.name.equals(Symbol($0.name)) }
    let all = ByteRange(0, bytes.byteCount)
    switch type {
    case .connect:
      var joined = Distribution(.joins)
      if let id = JSON.value(of: "clientId", in: all, bytes), id.kind == .string {
        joined.identity = [Distribution.Name("client", bytes[id.content].copied())]
      }
      if let properties = JSON.value(of: "properties", in: all, bytes),
        let most = JSON.value(of: "maximumPacketSize", in: properties.range, bytes)
      {
        joined.mostBytes = JSON.natural(bytes, most.range).map { Int(clamping: $0) }
      }
      return joined
    case .connack:
      var joined = Distribution(.joins)
      joined.isResumed = JSON.value(of: "sessionPresent", in: all, bytes)?.kind == .yes
      return joined
    case .disconnect: return Distribution(.leaves)
    case .publish:
      let isDown = message.origin.direction == .toClient
      var published = Distribution(isDown ? .delivers : .publishes)
      published.isRetained =
        isDown && JSON.value(of: "retain", in: all, bytes)?.kind == .yes
      published.quality = JSON.value(of: "qos", in: all, bytes).flatMap {
        JSON.natural(bytes, $0.range).map { UInt8(clamping: $0) }
      }
      return published
    case .subscribe:
      var asked = Distribution(.subscribes)
      Self.each("subscriptions", bytes) { one in
        guard one.kind == .object,
          let filter = JSON.value(of: "topicFilter", in: one.range, bytes)
        else { return }
        var read = Self.filter(bytes[filter.content].copied())
        read.refusesOwn = JSON.value(of: "noLocal", in: one.range, bytes)?.kind == .yes
        asked.filters.append(read)
      }
      return asked
    case .suback:
      var granted = Distribution(.grants)
      Self.each("reasonCodes", bytes) { code in
        let value = JSON.natural(bytes, code.range) ?? 0
        let text = value < 0x80 ? "" : "reason code \(value)"
        granted.refusals.append(Array(text.utf8))
        granted.qualities.append(UInt8(clamping: value))
      }
      return granted
    case .unsubscribe:
      var ended = Distribution(.unsubscribes)
      Self.each("topicFilters", bytes) {
        ended.filters.append(Self.filter(bytes[$0.content].copied()))
      }
      return ended
    default: return Distribution(.none)
    }
  }

  private static func each(
    _ key: StaticString, _ bytes: RawSpan, _ body: (JSONElement) -> Void
  ) {
    let all = ByteRange(0, bytes.byteCount)
    guard let list = JSON.value(of: key, in: all, bytes), list.kind == .array else { return }
    var elements = JSON.Members(ofArray: list.range)
    while let value = elements.next(bytes)?.value { body(value) }
  }

  private static func filter(_ text: [UInt8]) -> TopicFilter {
    let slash = UInt8(ascii: "/")
    var filter = TopicFilter(text)
    if text.starts(with: "$share/".utf8) {
      // $share/NAME/FILTER
      let parts = text.split(separator: slash, maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3 { filter.text = Array(parts[2]) }
      filter.isShared = true
    } else if let start = MQTTTopic.behindEMQXPrefix(text.span.bytes) {
      filter.text = Array(text.dropFirst(start))
      filter.isShared = text.starts(with: "$queue/".utf8)
    }
    if filter.text.contains(UInt8(ascii: "+")) || filter.text.contains(UInt8(ascii: "#")) {
      filter.form = .words(separator: slash, any: "+", rest: "#")
    }
    return filter
  }
}
