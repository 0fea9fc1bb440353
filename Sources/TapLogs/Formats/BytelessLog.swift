// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Programs whose logs name what was sent and have none of its bytes: nothing is made of these
/// lines but words on what the log is.
struct BytelessLog: Sendable {
  let title: StaticString
  /// What its lines name.
  let subject: StaticString
  /// Any of them stands on such a line.
  let marks: [StaticString]

  static let all: [BytelessLog] = [
    BytelessLog(
      title: "RabbitMQ", subject: "connections",
      marks: ["accepting STOMP connection <", "accepting MQTT connection <"])
  ]

  static func find(_ line: RawSpan) -> BytelessLog? {
    all.first { $0.marks.contains { LogMarks.last($0, in: line) != nil } }
  }
}
