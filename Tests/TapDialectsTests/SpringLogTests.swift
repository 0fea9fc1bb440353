// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

/// Lines of Spring's classes for STOMP, and what they are reported as.
@Suite("Spring's frames of STOMP") struct SpringLogTests {
  /// `session direction JSON`, a line for each frame.
  private func reported(_ lines: String, by name: String = "o.s.m.s.s.StompEncoder : ") -> [String]
  {
    var log = SpringLog(limits: Limits())
    var reported: ContiguousArray<Narration> = []
    for line in lines.split(separator: "\n") {
      let bytes = Array((name + line).utf8)
      if !log.isKnown { _ = log.look(at: bytes.span.bytes) }
      if log.isKnown { _ = log.read(bytes.span.bytes, Origin(), &reported) }
    }
    return reported.map {
      guard case .message(let json) = $0.event else { return "" }
      let arrow = $0.origin.direction == .toServer ? "→" : "←"
      return "\($0.connection) \(arrow) \(String(decoding: json, as: Unicode.UTF8.self))"
        .replacing(#","isPartial":true"#, with: "")
    }
  }

  @Test(arguments: [
    (
      "From client: SEND /app/chat session=a payload={\"n\": 1}",
      [
        #"a → {"command":"SEND","headers":[["destination","/app/chat"]],"#
          + #""body":"{\"n\": 1}"}"#
      ]
    ),
    (
      "From client: SEND /app/chat session=a payload=long...(truncated)",
      [#"a → {"command":"SEND","headers":[["destination","/app/chat"]],"body":null}"#]
    ),
    (
      "Processing SUBSCRIBE topic.chat id=sub-0 session=a",
      [
        #"a → {"command":"SUBSCRIBE","headers":[["destination","topic.chat"],["id","sub-0"]],"#
          + #""body":""}"#
      ]
    ),
    (
      "From client: CONNECT user=anna session=a\n"
        + "Encoding STOMP CONNECTED, headers={version=[1.2], heart-beat=[0,0]}",
      [
        #"a → {"command":"CONNECT","headers":[],"body":""}"#,
        #"a ← {"command":"CONNECTED","headers":[["version","1.2"],["heart-beat","0,0"]],"#
          + #""body":""}"#,
      ]
    ),
    (
      "Received CONNECTED heart-beat=[10000, 10000] session=a",
      [#"a ← {"command":"CONNECTED","headers":[["heart-beat","10000,10000"]],"body":""}"#]
    ),
    (
      "Received MESSAGE {destination=[/topic/x, y], subscription=[s]} session=a text/plain "
        + "payload=hi there",
      [
        #"a ← {"command":"MESSAGE","headers":[["destination","/topic/x, y"],"#
          + #"["subscription","s"]],"body":"hi there"}"#
      ]
    ),
  ])
  func frames(lines: String, expected: [String]) { #expect(reported(lines) == expected) }

  /// What receives from clients prints a frame first, the broker once more.
  @Test func oneFrameIsReportedOnce() {
    let lines = "From client: DISCONNECT session=a\nProcessing DISCONNECT session=a"
    #expect(reported(lines).count == 1)
  }

  /// What names no session is reported where only one can have it.
  @Test(arguments: [
    ("Encoding STOMP RECEIPT, headers={receipt-id=[7]}", "b"),
    ("Encoding STOMP RECEIPT, headers={receipt-id=[8]}", nil),
    ("Encoding STOMP MESSAGE, headers={message-id=[a-12]}", "a"),
    ("Encoding STOMP MESSAGE, headers={message-id=[c-12]}", nil),
    ("Encoding STOMP CONNECTED, headers={version=[1.2]}", nil),
    ("Encoding STOMP ERROR, headers={message=[no]}", nil),
  ])
  func whose(line: String, session: String?) {
    let before =
      "From client: CONNECT session=a\nFrom client: CONNECT session=b\n"
      + "From client: DISCONNECT receipt=7 session=b\n"
    let all = reported(before + line)
    #expect(all.count == (session == nil ? 3 : 4))
    if let session { #expect(all.last?.first.map(String.init) == session) }
  }

  @Test(arguments: [
    "Processing MESSAGE destination=/topic/x session=null payload=hi",
    "Processing ACK for order id=5 session=a", "Received MESSAGE from anna",
    "Received SEND /queue/a session=a", "Processing orders session=a",
    "From client: SEND /app/chat", "Encoding STOMP heartbeat", "Forwarding CONNECTIONS session=a",
  ])
  func otherLines(line: String) { #expect(reported(line).isEmpty) }

  /// Other programs have the same words.
  @Test func otherPrograms() {
    let line = "Processing SUBSCRIBE request id=5 session=abc"
    #expect(reported(line, by: "INFO shop - ").isEmpty && reported(line).count == 1)
  }
}
