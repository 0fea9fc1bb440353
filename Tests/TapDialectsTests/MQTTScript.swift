// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

@testable import TapDialects

/// A connection of MQTT for rules that are tested alone: all of it was captured, and both sides
/// have begun.
func mqttContext(level: UInt8 = MQTTLevel.v5) -> MQTTSessionContext {
  var context = MQTTSessionContext(knowsAll: true)
  (context.hasConnect, context.hasConnack, context.level) = (true, true, level)
  return context
}

/// `12.5` seconds into the capture.
func mqttOrigin(_ direction: Direction, second: Double = 0) -> Origin {
  Origin(
    time: Instant(nanoseconds: 1_000_000_000 + Int64(second * 1_000_000_000)),
    direction: direction)
}

extension MQTTPacket {
  init(_ type: MQTTType, id: UInt16? = nil, qos: UInt8 = 0, level: UInt8 = MQTTLevel.v5) {
    self.init()
    (self.type, self.id, self.level) = (type, id, level)
    first = type.rawValue << 4 | qos << 1
  }
}

extension Recorder {
  /// `warning ack-unknown`.
  var mqttFindings: [String] { findings.map { "\($0.severity) \($0.code.name.dropFirst(5))" } }
}
