// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The features that CONNACK says the server does not support, and packets that use them anyway
/// (MQTT 5.0 §3.2.2.3).
struct MQTTAvailability {
  /// A bit for each such property.
  private var lacking: UInt64 = 0
  private var maximumQoS: UInt8 = 2

  /// The server supports everything.
  var isComplete: Bool { lacking == 0 }

  private func lacks(_ property: MQTTProperty) -> Bool { lacking & property.bit != 0 }

  /// CONNACK.
  mutating func learn(_ properties: MQTTProperties) {
    lacking = properties.zeros & properties.sent
    if properties.has(.maximumQoS) {
      maximumQoS = properties.isZero(.maximumQoS) ? 0 : 1
      lacking |= MQTTProperty.maximumQoS.bit
    }
  }

  func judge(
    publish packet: MQTTPacket, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    if packet.qos > maximumQoS {
      context.report(
        .mqttNotAvailable, .warning, origin,
        "QoS \(packet.qos), and the server takes \(maximumQoS) at most",
        MQTTRule("", "3.2.2-11"), listener)
    }
    if packet.isRetained && lacks(.retainAvailable) {
      context.report(
        .mqttNotAvailable, .warning, origin,
        "RETAIN is set, and the server keeps no retained messages", MQTTRule("", "3.2.2-14"),
        listener)
    }
  }

  /// A filter of SUBSCRIBE.
  func judge(
    _ filter: RawSpan, of packet: MQTTPacket, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    var words: [StaticString] = []
    if filter.starts(with: "$share/") && lacks(.sharedSubscriptionAvailable) {
      words.append("shared subscriptions")
    }
    if MQTTTopic.isPattern(filter) && lacks(.wildcardSubscriptionAvailable) {
      words.append("wildcards in filters")
    }
    if packet.properties.has(.subscriptionIdentifier) && lacks(.subscriptionIdentifierAvailable) {
      words.append("subscription identifiers")
    }
    for one in words {
      context.report(
        .mqttNotAvailable, .warning, origin, "the server said that it takes no \(one)", .none,
        listener)
    }
  }
}
