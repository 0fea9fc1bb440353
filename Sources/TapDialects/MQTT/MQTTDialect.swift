// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// MQTT 3.1, 3.1.1 and 5.0, over TCP or WebSocket.
public struct MQTTDialect: Dialect {
  public init() {}

  public var name: StaticString { "mqtt" }
  public var topics: [Topic] { MQTTGuide.topics }
  public var findings: [Explanation] { MQTTFindings.all }

  /// The registered name, and the one that MQTT 3.1 clients use.
  public func isNegotiated(_ opening: Opening) -> Bool {
    opening.subprotocol.elementsEqual("mqtt".utf8)
      || opening.subprotocol.elementsEqual("mqttv3.1".utf8)
  }

  public func recogniser(limits: Limits) -> any Recogniser { MQTTRecogniser() }

  public func narratedLog(limits: Limits) -> (any NarratedLog)? { MQTTLog(limits: limits) }

  public func streamRecogniser(limits: Limits) -> (any StreamRecogniser)? {
    MQTTStreamRecogniser(limits: limits)
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    MQTTLayer(opening, run)
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    MQTTOutline.append(message, bytes, to: &branches)
  }
}
