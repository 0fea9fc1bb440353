// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Programs whose logs name what was sent and have none of its bytes, or few. Their lines only
/// serve to tell what the log is.
struct BytelessLog: Sendable {
  let title: StaticString
  /// The plural of what its lines name: “connections”.
  let subject: StaticString
  /// Any of them stands on such a line.
  let marks: [StaticString]
  /// With other settings, bytes stand below such a line, behind a blank one.
  var mayHaveBytesBelow = false
  /// Some bytes stand on other lines, in forms that are not all read.
  var hasSomeBytes = false
  /// How to get the bytes.
  var remedy: StaticString = "capture these (wamptap -i)"

  static let all: [BytelessLog] = [
    BytelessLog(
      title: "RabbitMQ", subject: "connections",
      marks: ["accepting STOMP connection <", "accepting MQTT connection <"]),
    BytelessLog(
      title: "tcpdump", subject: "packets", marks: [": Flags [P.], seq "],
      remedy: "let tcpdump write them (-w), or print them (-X)"),
    BytelessLog(
      title: "mitmdump", subject: "messages",
      marks: [
        "-> WebSocket text message ->", "<- WebSocket text message <-",
        "-> WebSocket binary message ->", "<- WebSocket binary message <-",
      ], mayHaveBytesBelow: true,
      remedy: "let mitmdump print them (--set flow_detail=3), or read the flows that it writes (-w)"
    ),
    // As JSON, for Elasticsearch and as PDML.
    BytelessLog(
      title: "tshark", subject: "packets",
      marks: [
        "\"_index\": \"packets-", "{\"index\":{\"_index\":\"packets-", "<pdml version=",
      ],
      hasSomeBytes: true, remedy: "read the capture itself"),
  ]

  /// The program that a line shows, without looking at the next.
  static func find(_ line: RawSpan) -> BytelessLog? {
    all.first { !$0.mayHaveBytesBelow && $0.isMarked(line) }
  }

  /// The program that a line shows, together with the one below it.
  static func find(_ line: RawSpan, above next: RawSpan) -> BytelessLog? {
    if LoggedBlock.isBlank(next) { return nil }
    return all.first { $0.mayHaveBytesBelow && $0.isMarked(line) }
  }

  private func isMarked(_ line: RawSpan) -> Bool {
    marks.contains { LogMarks.last($0, in: line) != nil }
  }
}
