// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// MQTT 3.1, 3.1.1 and 5.0, over TCP or WebSocket.
public struct MQTTDialect: Dialect {
  public init() {}

  public var name: StaticString { "mqtt" }
  public var topics: [Topic] { MQTTGuide.topics }
  // An NDJSON has no packets: it is shown, not judged.
  public var findings: [Explanation] { MQTTFindings.all.map(\.foundOnce) }

  /// Where the server's answer was not captured, what the client offered decides, if it offered
  /// nothing else.
  public func isNegotiated(_ opening: Opening) -> Bool {
    if isName(opening.subprotocol) { return true }
    return opening.subprotocol.isEmpty && !opening.isFromStart && !opening.offered.isEmpty
      && opening.offered.allSatisfy(isName)
  }

  /// The registered name, and the one that MQTT 3.1 clients use.
  private func isName(_ subprotocol: [UInt8]) -> Bool {
    subprotocol.elementsEqual("mqtt".utf8) || subprotocol.elementsEqual("mqttv3.1".utf8)
  }

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    MQTTRecogniser()
  }

  /// A CONNECT, where another protocol is expected.
  public func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    guard delivery.kind == .binary, bytes.byteCount > 8, bytes.byte(at: 0) == 0x10,
      case .whole(let header) = MQTTHeader.read(bytes, at: 0)
    else { return false }
    return MQTTConnectForm.hasName(bytes.dropping(min(header.length, bytes.byteCount)))
  }

  public func narratedLogs(limits: Limits) -> [any NarratedLog] {
    [MQTTLog(limits: limits), EjabberdLog(limits: limits)]
  }

  public func streamRecogniser(limits: Limits) -> (any StreamRecogniser)? {
    MQTTStreamRecogniser(limits: limits)
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    MQTTLayer(opening, run)
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    MQTTOutline.append(message, bytes, to: &rows)
  }
}
