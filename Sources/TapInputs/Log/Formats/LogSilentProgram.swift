// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Programs whose logs name what was sent and have none of its bytes: nothing is made of these
/// lines but words on what the log is.
struct LogSilentProgram: Sendable {
  let title: StaticString
  /// What its lines name.
  let subject: StaticString
  /// Any of them stands on such a line.
  let marks: [StaticString]

  static let all: [LogSilentProgram] = [
    LogSilentProgram(
      title: "mosquitto", subject: "packets of MQTT",
      marks: [
        "New client connected from ", "Sending CONNACK to ", "Received PUBLISH from ",
        "Sending PUBLISH to ",
      ]),
    LogSilentProgram(
      title: "mosquitto_pub or mosquitto_sub", subject: "packets of MQTT",
      marks: [" received CONNACK (", " sending PUBLISH (d", " received PUBLISH (d"]),
    LogSilentProgram(
      title: "paho.mqtt.python", subject: "packets of MQTT",
      marks: ["Sending CONNECT (u", "Sending PUBLISH (d", "Received PUBLISH (d"]),
    LogSilentProgram(title: "MQTT.js", subject: "packets of MQTT", marks: ["mqttjs:client "]),
    LogSilentProgram(
      title: "RabbitMQ", subject: "connections",
      marks: ["accepting STOMP connection <", "accepting MQTT connection <"]),
  ]

  static func find(_ line: RawSpan) -> LogSilentProgram? {
    all.first { $0.marks.contains { LogMarks.last($0, in: line) != nil } }
  }
}
