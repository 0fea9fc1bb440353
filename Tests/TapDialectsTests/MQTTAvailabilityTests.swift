// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// What the server does not take.
@Suite("Availability in MQTT") struct MQTTAvailabilityTests {
  /// A server whose CONNACK has this property, of one byte.
  private func server(_ property: MQTTProperty, _ value: UInt32) -> MQTTAvailability {
    var properties = MQTTProperties()
    properties.keep(MQTTPropertyValue(property: property, number: value))
    var availability = MQTTAvailability()
    availability.learn(properties)
    return availability
  }

  @Test(
    "PUBLISH",
    arguments: [
      (.maximumQoS, 0, 0, 0), (.maximumQoS, 0, 1 << 1, 1), (.maximumQoS, 1, 1 << 1, 0),
      (.maximumQoS, 1, 2 << 1, 1), (.retainAvailable, 0, 0, 0), (.retainAvailable, 0, 1, 1),
      (.retainAvailable, 1, 1, 0), (.wildcardSubscriptionAvailable, 0, 1 | 2 << 1, 0),
    ] as [(MQTTProperty, UInt32, UInt8, Int)])
  func publish(property: MQTTProperty, value: UInt32, flags: UInt8, count: Int) {
    let recorder = Recorder()
    var packet = MQTTPacket(.publish)
    packet.first |= flags
    server(property, value).judge(
      publish: packet, mqttOrigin(.toServer), mqttContext(), recorder)
    #expect(recorder.mqttFindings == [String](repeating: "warning qos-not-available", count: count))
  }

  @Test(
    "filters of SUBSCRIBE",
    arguments: [
      (.sharedSubscriptionAvailable, "$share/g/a", false, 1),
      (.sharedSubscriptionAvailable, "a/+", true, 0),
      (.wildcardSubscriptionAvailable, "a/+", false, 1),
      (.wildcardSubscriptionAvailable, "a/#", false, 1),
      (.wildcardSubscriptionAvailable, "a", true, 0),
      (.subscriptionIdentifierAvailable, "a", true, 1),
      (.subscriptionIdentifierAvailable, "a", false, 0),
    ] as [(MQTTProperty, String, Bool, Int)])
  func subscribe(property: MQTTProperty, filter: String, hasID: Bool, count: Int) {
    let recorder = Recorder()
    var packet = MQTTPacket(.subscribe, id: 7)
    if hasID {
      packet.properties.keep(MQTTPropertyValue(property: .subscriptionIdentifier, number: 1))
    }
    let bytes = Array(filter.utf8)
    for value in [0, 1] as [UInt32] {
      server(property, value).judge(
        bytes.span.bytes, of: packet, mqttOrigin(.toServer), mqttContext(), recorder)
    }
    #expect(recorder.mqttFindings == [String](repeating: "warning qos-not-available", count: count))
  }

  @Test("a server that says nothing takes everything") func complete() {
    #expect(MQTTAvailability().isComplete)
    #expect(!server(.retainAvailable, 0).isComplete)
    #expect(server(.retainAvailable, 1).isComplete)
  }
}
