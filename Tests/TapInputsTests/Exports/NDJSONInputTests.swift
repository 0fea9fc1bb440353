// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct NDJSONInputTests {
  private func message(_ index: Int, _ body: String, _ connection: String = "1") -> String {
    #"{"event":"message","index":\#(index),"connection":\#(connection),"time":null,"#
      + #""direction":"toServer","protocol":"wamp","name":"CALL","ids":{},"body":\#(body),"#
      + #""origin":{"input":"x"}}"#
  }

  private func carried(_ name: String, _ body: String) -> String {
    #"{"event":"message","index":1,"connection":1,"time":null,"direction":"toClient","#
      + #""protocol":"websocket","name":"\#(name)","ids":{},"body":\#(body),"origin":{}}"#
  }

  private let opened =
    #"{"event":"connection","state":"opened","connection":1,"time":null,"client":null,"#
    + #""server":null,"url":"ws://a/","subprotocol":null,"extensions":[],"origin":{}}"#

  private func lines(_ texts: String...) -> SinkRecorder {
    read(Array(texts.joined(separator: "\n").utf8))
  }

  @Test func everything() {
    let sink = read(Exports.ndjson)
    #expect(
      sink.lines.map { $0.replacing(/\ at \d+/, with: "") } == [
        "opened 1 webSocket ws://a.example/ws wamp.2.msgpack",
        #"message of 1 toServer text [1,"r\u00e9alm",{"n":1.50}]"#,
        "control 9 of 1 toClient [0, 1, 2]",
        "control 8 of 1 toServer [3, 232, 98, 34, 121, 101]", "closed 1 1000",
      ])
    let origin = sink.messages[0].delivery.origin
    #expect(origin.time.nanoseconds == 1_795_234_500_000_002_000)
    #expect(origin.precision == 6 && origin.record == 2)
  }

  @Test(arguments: [
    ("TEXT", #""a\"b""#, "text", "a\"b"), ("BINARY", #"{"base64":"YWI="}"#, "binary", "ab"),
    // Bytes that are no UTF-8 are still a message of text.
    ("TEXT", #"null,"raw":{"base64":"YWI="}"#, "text", "ab"),
    ("BINARY", #""<not decoded, 4 bytes>""#, "withheld", "<not decoded, 4 bytes>"),
    ("UNKNOWN", #"null,"raw":"[1,""#, "text", "[1,"),
    // A message that was read although a byte of it is no UTF-8.
    ("EVENT", #"null,"raw":{"base64":"WzM2LCLpIl0="}"#, "brokenText", "[36,\"\u{FFFD}\"]"),
    // Bytes that the first run did not know.
    ("TEXT", #"null,"raw":"[1,··""#, "partialText", "[1,··"),
  ])
  func bodies(name: String, body: String, kind: String, text: String) {
    let sink = lines(opened, carried(name, body))
    #expect(sink.lines.last == "message of 1 toClient \(kind) at \(opened.utf8.count + 1) \(text)")
  }

  /// As they stand, and without a conversation.
  @Test func pasted() {
    let sink = lines(message(1, "[48,1]", "null"))
    #expect(sink.lines == ["message text at 0 [48,1]"])
  }

  @Test func filtered() {
    // No line of the connection, and three messages less.
    let sink = lines(message(4, "[1]"), message(5, "[2]"))
    #expect(sink.codes == ["ndjson.messages-missing"])
    #expect(sink.findings[0].lostMessages == 3)
    #expect(sink.lines.filter { $0.hasPrefix("opened") }.count == 1)
    #expect(lines(opened, message(1, "[1]"), message(3, "[2]")).lines.contains("gap -1 toServer"))
    // Another run behind the first.
    #expect(lines(message(1, "[1]"), message(2, "[2]"), message(1, "[3]")).codes.isEmpty)
  }

  @Test(arguments: ["tcp.gap", "websocket.context-lost", "websocket.handshake-missing"])
  func lossesOfTheFirstRun(code: String) {
    let finding =
      #"{"event":"finding","code":"\#(code)","severity":"warning","text":"…","connection":1,"#
      + #""time":null,"messages":[],"origin":{}}"#
    let sink = lines(opened, finding, message(1, "[1]"))
    #expect(
      sink.lines.dropFirst().prefix(2) == ["gap -1 toServer", "gap -1 toClient"])
    #expect(sink.lines.count { $0.hasPrefix("gap") } == 2)
    #expect(sink.codes == ["ndjson.findings-not-repeated"])
    #expect(sink.findings[0].text.hasSuffix("not found again: \(code)"))
    #expect(
      !lines(opened, finding.replacing(code, with: "wamp.revoked")).lines.contains {
        $0.hasPrefix("gap")
      })
  }

  /// What the first run could assign to no connection may be of a session over HTTP, and of no other
  /// connection.
  @Test(arguments: [
    ("ws://a/", "sockjs.body-incomplete", false), ("http://a/", "sockjs.body-incomplete", true),
    ("http://a/", "tcp.midstream", false), ("http://a/", "tls.handshake-missing", false),
  ])
  func lossesWithoutConnection(url: String, code: String, isGap: Bool) {
    let finding =
      #"{"event":"finding","code":"\#(code)","severity":"note","text":"…","connection":null,"#
      + #""time":null,"messages":[],"origin":{}}"#
    let sink = lines(opened.replacing("ws://a/", with: url), finding, message(1, "[1]"))
    #expect(sink.lines.count { $0.hasPrefix("gap") } == (isGap ? 2 : 0))
  }

  @Test func summary() {
    let sink = lines(
      opened,
      #"{"event":"summary","connections":1,"messages":1,"lost":{"bytes":700,"messages":3},"#
        + #""counts":{}}"#)
    #expect(sink.codes == ["ndjson.lost"])
    #expect(sink.findings[0].lostBytes == 700 && sink.findings[0].lostMessages == 3)
    #expect(sink.lines[1] == "closed 1 0")
  }

  /// As jq prints them without -c, and behind what the program says on standard error.
  @Test func otherLayouts() {
    let plain = lines(opened, message(1, "[33,1,5]"), message(2, "[50,1,{}]"))
    let pretty = [opened, message(1, "[33,1,5]"), message(2, "[50,1,{}]")].map { line in
      let object = try! JSONSerialization.jsonObject(with: Data(line.utf8))
      let data = try! JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
      return String(decoding: data, as: Unicode.UTF8.self)
    }
    let said = "wamptap: app.log: log of wampy.js, 2 messages in 4 lines"
    for layout in [
      pretty, [said, said, opened, message(1, "[33,1,5]"), said, message(2, "[50,1,{}]")],
    ] {
      let text = layout.joined(separator: "\n") + "\n"
      let sink = lines(text)
      #expect(sink.codes.isEmpty)
      #expect(sink.messages.count == 2 && read([Array(text.utf8)]).kind == "ndjson")
      #expect(sink.lines.count == plain.lines.count)
    }
    // The second is cut, and the third is read.
    let lacking = pretty[1].dropLast(3) + "\n"
    let sink = lines(pretty[0], String(lacking), pretty[2])
    #expect(sink.codes == ["export.damaged", "ndjson.messages-missing"])
    #expect(sink.messages.count == 1)
  }

  @Test func findingsAboutTheEvidence() {
    let finding =
      #"{"event":"finding","code":"tls.no-secrets","severity":"warning","text":"…","#
      + #""connection":null,"time":null,"messages":[],"origin":{}}"#
    let text = lines(opened, finding, finding, message(1, "[1]")).findings.map(\.text)
    #expect(text.count == 1 && text[0].hasSuffix(": tls.no-secrets (2)"))
    let note = finding.replacing("\"warning\"", with: "\"note\"")
    #expect(lines(opened, note, message(1, "[1]")).findings.isEmpty)
    let anew = finding.replacing("tls.no-secrets", with: "wamp.revoked")
    #expect(lines(opened, anew, message(1, "[1]")).findings.isEmpty)
  }

  @Test func brokenLines() {
    let sink = lines(opened, "! wamptap: a complaint", "", message(1, "[1]"), #"{"event":"mess"#)
    #expect(sink.codes == ["export.damaged", "export.truncated"])
    #expect(sink.findings.map(\.origin.record) == [2, 5])
    #expect(sink.findings[0].origin.offset == UInt64(opened.utf8.count + 1))
    #expect(sink.messages.map(\.bytes) == [Array("[1]".utf8)])
  }

  @Test(arguments: [
    #"{"event":"message","text":"hi"}"#, #"{"event":"login","connection":1,"state":"x"}"#,
    #"["event"]"#, #"{"event":{"connection":1}}"#,
  ])
  func notOurs(text: String) {
    #expect(read([Array(text.utf8)]).kind != "ndjson")
  }

  @Test func keysInAnyOrder() {
    let line =
      #" {"body" : [48, 1], "counts":1,"protocol":"wamp","name":"CALL","direction":"toClient","#
      + #""connection":null,"event":"message"} "#
    #expect(lines(line).lines == ["message text at 0 [48, 1]"])
  }

  @Test("connections that are never closed are bounded")
  func evicted() {
    var limits = Limits()
    limits.connections = 8
    let all = (1...9).map {
      opened.replacingOccurrences(of: #""connection":1"#, with: #""connection":\#($0)"#)
    }
    let file = Array(all.joined(separator: "\n").utf8)
    let sink = read([file], limits: limits).sink
    #expect(sink.codes == ["export.connections-evicted"])
    #expect(sink.findings[0].evicted == 1)
    #expect(sink.lines.filter { $0.hasPrefix("closed 1 ") }.count == 1)
    #expect(sink.lines.filter { $0.hasPrefix("opened ") }.count == 9)
  }
}
