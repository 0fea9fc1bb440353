// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A program that speaks MQTT, and the forms of the lines that it logs: data only.
struct MQTTLogProgram: Sendable {
  /// As people call it.
  let title: StaticString
  let forms: [MQTTLogForm]
  /// Nothing comes behind DISCONNECT that says that the connection has ended.
  var endsWithDisconnect = true

  static let all: [MQTTLogProgram] = [.mosquitto]
}
