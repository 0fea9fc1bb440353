// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapWebSocket

/// What provokes each finding: the bytes of the server, or of the client when they are masked.
struct Provocation: Sendable, CustomStringConvertible {
  var description: String
  var code: String
  var severity: Finding.Severity = .error
  var direction: Direction = .toClient
  var deflates = false
  var limit: Int?
  var bytes: [UInt8]
  /// Lost behind `bytes`, and what comes then.
  var missing: Int?
  var after: [UInt8] = []
}

@Suite struct FindingTests {
  static let all: [Provocation] = [
    .init(
      description: "RSV1 not negotiated", code: "websocket.reserved-bits", bytes: frame(0xC1, "a")),
    .init(
      description: "RSV2", code: "websocket.reserved-bits", deflates: true, bytes: frame(0xA1, "a")),
    .init(description: "RSV3", code: "websocket.reserved-bits", bytes: frame(0x92, "a")),
    .init(
      description: "RSV1 on a PING", code: "websocket.reserved-bits", deflates: true,
      bytes: frame(0xC9, "a")),
    .init(
      description: "RSV1 on a continuation", code: "websocket.reserved-bits", deflates: true,
      bytes: frame(0x41, Array(hello.prefix(3))) + frame(0xC0, Array(hello.dropFirst(3)))),
    .init(description: "opcode 3", code: "websocket.unknown-opcode", bytes: frame(0x83, "a")),
    .init(description: "opcode 11", code: "websocket.unknown-opcode", bytes: frame(0x8B, "a")),
    .init(
      description: "client without mask", code: "websocket.unmasked-client-frame",
      direction: .toServer, bytes: frame(0x81, "a")),
    .init(
      description: "server with mask", code: "websocket.masked-server-frame",
      bytes: frame(0x81, "a", mask: key)),
    .init(
      description: "the same key in four frames", code: "websocket.masking-key-reused",
      severity: .warning, direction: .toServer,
      bytes: frame(0x81, "a", mask: key) + frame(0x01, "b", mask: key) + frame(0x89, "", mask: key)
        + frame(0x80, "c", mask: key)),
    .init(
      description: "PING of 126", code: "websocket.bad-control-frame",
      bytes: frame(0x89, [UInt8](repeating: 97, count: 126))),
    .init(
      description: "PING in fragments", code: "websocket.bad-control-frame", bytes: frame(0x09, "a")
    ),
    .init(
      description: "3 in three octets", code: "websocket.bad-length",
      bytes: frame(0x81, wire("abc"), lengthOctets: 2)),
    .init(
      description: "nothing to continue", code: "websocket.unexpected-continuation",
      bytes: frame(0x80, "a")),
    .init(
      description: "interrupted", code: "websocket.interrupted-message",
      bytes: frame(0x01, "a") + frame(0x81, "b")),
    .init(description: "half a code", code: "websocket.bad-close", bytes: frame(0x88, [3])),
    .init(description: "1005 sent", code: "websocket.bad-close", bytes: frame(0x88, [3, 237])),
    .init(description: "999", code: "websocket.bad-close", bytes: frame(0x88, [3, 231])),
    .init(
      description: "reason no UTF-8", code: "websocket.bad-close",
      bytes: frame(0x88, [3, 232, 0xFF])),
    .init(
      description: "1002", code: "websocket.close-1002", severity: .warning,
      bytes: frame(0x88, wire(3, 234, "bad"))),
    .init(
      description: "data after CLOSE", code: "websocket.data-after-close",
      bytes: frame(0x88, [3, 232]) + frame(0x81, "a")),
    .init(
      description: "no UTF-8", code: "websocket.invalid-utf8", bytes: frame(0x81, [0x61, 0xFF])),
    .init(
      description: "no UTF-8 over two fragments", code: "websocket.invalid-utf8",
      bytes: frame(0x01, [0x61, 0xC3]) + frame(0x80, [0x28])),
    .init(
      description: "no deflate", code: "websocket.inflate-failed", deflates: true,
      bytes: frame(0xC1, [0x07])),
    .init(
      description: "no octets", code: "websocket.bad-compression", deflates: true,
      bytes: frame(0xC1, [])),
    // The deflate stream is broken, and so is what comes behind it.
    .init(
      description: "context not seen", code: "websocket.context-lost", severity: .warning,
      deflates: true, bytes: frame(0xC1, [0x07]) + frame(0xC1, helloAgain)),
    .init(
      description: "nothing to refer to", code: "websocket.inflate-failed", deflates: true,
      bytes: frame(0xC1, helloAgain)),
    .init(
      description: "too large", code: "websocket.message-too-large", severity: .warning, limit: 4,
      bytes: frame(0x81, "abcde")),
    .init(
      description: "too large in fragments", code: "websocket.message-too-large",
      severity: .warning, limit: 4, bytes: frame(0x01, "abc") + frame(0x80, "de")),
    .init(
      description: "too large inflated", code: "websocket.message-too-large", severity: .warning,
      deflates: true, limit: 4, bytes: frame(0xC1, hello)),
    .init(
      description: "hole in a message", code: "websocket.message-incomplete", severity: .warning,
      bytes: Array(frame(0x81, "abcdef").prefix(4)), missing: 2, after: wire("ef")),
    .init(
      description: "hole in a PING", code: "websocket.message-incomplete", severity: .warning,
      bytes: Array(frame(0x89, "abcdef").prefix(4)), missing: 2, after: wire("ef")),
    .init(
      description: "found again", code: "websocket.resynchronised", severity: .warning, bytes: [],
      missing: 5, after: wire("tail\"]") + frame(0x81, "[1,2]") + frame(0x81, "[3,4]")),
    .init(
      description: "never found again", code: "websocket.framing-lost", severity: .warning,
      bytes: [], missing: 5, after: wire("no frames at all")),
  ]

  /// RFC 6455 §5.6: fragments may cut a character; only the whole has to be UTF-8.
  @Test func characterOverTwoFragments() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x01, [0x61, 0xC3]) + frame(0x80, [0xA9]))
    talk.finish(.closed)
    #expect(talk.codes == [])
  }

  @Test(arguments: all) func isReportedOnce(_ provocation: Provocation) {
    var limits = Limits()
    if let limit = provocation.limit { limits.messageBytes = limit }
    let talk = WebSocketConversation(deflate: provocation.deflates ? .init() : nil, limits: limits)
    talk.send(provocation.direction, provocation.bytes)
    if let missing = provocation.missing { talk.gap(provocation.direction, missing) }
    talk.send(provocation.direction, provocation.after)
    talk.finish(.closed)
    let findings = talk.recorder.findings.filter { $0.code.name == provocation.code }
    #expect(findings.count == 1, "\(talk.recorder.findings.map(\.code.name))")
    #expect(findings.first?.severity == provocation.severity)
    #expect(findings.first?.text.isEmpty == false)
    #expect(talk.accounted == talk.fed)
  }

  @Test func everyCodeIsProvoked() throws {
    let here = URL(filePath: #filePath)
    let file = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/TapWebSocket/WebSocketFindings.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let codes = source.matches(of: /"(websocket\.[a-z0-9-]+)"/).map { String($0.1) }
    #expect(codes.count == 20)
    #expect(Set(Self.all.map(\.code)) == Set(codes))
  }

  @Test("keys that differ, if only now and then, are no matter", arguments: [1, 2, 3])
  func freshKeys(same: Int) {
    let talk = WebSocketConversation()
    for number in 0..<60 {
      talk.send(.toServer, frame(0x81, "a", mask: key(number / same)))
      talk.send(.toClient, frame(0x81, "b"))
    }
    #expect(talk.codes == [])
    for _ in 0..<9 { talk.send(.toServer, frame(0x81, "a", mask: [0, 0, 0, 0])) }
    #expect(talk.codes == ["websocket.masking-key-reused"])
  }

  @Test("four frames are the fewest", arguments: [[0, 0, 0, 0], [1, 2, 3, 4]])
  func fewest(mask: [UInt8]) {
    let talk = WebSocketConversation()
    for _ in 0..<3 { talk.send(.toServer, frame(0x81, "a", mask: mask)) }
    #expect(talk.codes == [])
    talk.send(.toServer, frame(0x81, "a", mask: mask))
    #expect(talk.codes == ["websocket.masking-key-reused"])
  }

  @Test func highestBitOfTheLength() {
    let talk = WebSocketConversation()
    talk.send(.toClient, [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 1] + wire("abc"))
    #expect(talk.codes == ["websocket.bad-length"])
    talk.finish(.closed)
    #expect(talk.codes == ["websocket.bad-length", "websocket.message-incomplete"])
    #expect(talk.accounted == talk.fed)
  }

  @Test func paddingIsReportedOnceForEachSide() {
    let talk = WebSocketConversation()
    for number in 0..<5 {
      talk.send(.toClient, frame(0x81, wire("abc"), lengthOctets: 8))
      talk.send(.toServer, frame(0x81, wire("abc"), mask: key(number), lengthOctets: 2))
    }
    #expect(talk.codes == ["websocket.bad-length", "websocket.bad-length"])
    #expect(talk.passed.count == 10)
  }

  @Test func sizesAndPlacesInTheText() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x81, "ok") + frame(0x83, "a"))
    #expect(talk.recorder.findings[0].text == "opcode 3 has no meaning")
    #expect(talk.recorder.findings[0].origin.offset == 4)
    talk.send(.toClient, Array(frame(0x81, "abcdef").prefix(5)))
    talk.finish(.endOfEvidence)
    #expect(
      talk.recorder.findings.last?.text
        == "the end of a message was not captured: 5 bytes of it are there, at least 3 are missing")
    #expect(talk.recorder.findings.last?.lostMessages == 1)
  }

  static let lost: [(what: String, frames: [[UInt8]], code: String)] = [
    ("too large", [frame(0x81, "0123456789")], "websocket.message-too-large"),
    (
      "interrupted", [frame(0x01, "ab"), frame(0x81, "cd")], "websocket.interrupted-message"
    ),
    ("no deflate stream", [frame(0xC1, [0xFF, 0xFF, 0xFF])], "websocket.inflate-failed"),
    ("no beginning", [frame(0x80, "ab")], "websocket.unexpected-continuation"),
  ]

  @Test("what is not passed up is a gap to the layer above", arguments: lost)
  func gaps(_ what: String, _ frames: [[UInt8]], _ code: String) {
    var limits = Limits()
    limits.messageBytes = 8
    let talk = WebSocketConversation(deflate: Opening.Deflate(), limits: limits)
    talk.send(.toClient, frame(0x81, "before"))
    for frame in frames { talk.send(.toClient, frame) }
    #expect(talk.codes == [code])
    #expect(talk.lent.gaps.map(\.delivery.origin.direction) == [.toClient])
    #expect(talk.lent.gaps.allSatisfy { $0.missing == nil })
  }
}
