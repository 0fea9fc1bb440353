// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapRender

/// What a key of the contract may hold (product.md, "NDJSON, version 1").
private let schema: [String: [String: String]] = [
  "opened": [
    "event": "s", "state": "s", "connection": "i", "time": "s?", "client": "s", "server": "s",
    "url": "s?", "subprotocol": "s?", "extensions": "a", "origin": "o",
  ],
  "message": [
    "event": "s", "index": "i", "connection": "i?", "time": "s?", "direction": "s",
    "protocol": "s", "name": "s", "ids": "o", "subject": "s-", "answers": "i-", "carries": "i-",
    "latency": "n-", "latencyAtMost": "n-", "body": "*", "raw": "*-", "origin": "o",
  ],
  "finding": [
    "event": "s", "code": "s", "severity": "s", "text": "s", "security": "b-", "connection": "i?",
    "time": "s?", "messages": "a", "origin": "o",
  ],
  "closed": [
    "event": "s", "state": "s", "connection": "i", "time": "s?", "by": "s?", "code": "i?",
    "reason": "s?", "reset": "b-",
  ],
]

/// Parses one line and checks its keys and types; nil, with an issue, where it breaks the contract.
private func checked(_ line: String, _ kind: String) throws -> [String: Any] {
  #expect(line.hasSuffix("}\n") && line.filter { $0 == "\n" }.count == 1)
  let object = try #require(
    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  let keys = schema[kind]!
  for key in object.keys where keys[key] == nil { Issue.record("unknown key \(key) in \(line)") }
  for (key, type) in keys {
    guard let value = object[key] else {
      if !type.hasSuffix("-") { Issue.record("\(key) is missing in \(line)") }
      continue
    }
    if value is NSNull && (type.hasSuffix("?") || type == "*") { continue }
    let fits =
      switch type.first! {
      case "s": value is String
      case "i": (value as? NSNumber).map { Double($0.int64Value) == $0.doubleValue } ?? false
      case "n": value is NSNumber
      case "b": value as? Bool != nil
      case "a": value is [Any]
      case "o": value is [String: Any]
      default: true
      }
    if !fits { Issue.record("\(key) has the wrong type in \(line)") }
  }
  return object
}

@Suite struct NDJSONTests {
  private func page() -> Page { Page(NDJSONRenderer(inputs: ["chat.pcapng", "a\"b"])) }

  /// A key that is there twice would hide one of the two.
  @Test func severalIDsOfAKind() throws {
    var page = page()
    let line = page.message(#"{"subs":["s1","s2",3],"id":7}"#, "ready", [link("request", 1)]) {
      $0.ids = [("subscription", "s1"), ("subscription", "s2"), ("subscription", "3"), ("id", "7")]
    }
    #expect(line.contains(#","ids":{"request":1,"subscription":["s1","s2",3],"id":7},"#))
    _ = try checked(line, "message")
    let single = page.message(#"{"subs":["s1"]}"#, "ready") { $0.ids = [("subscription", "s1")] }
    #expect(single.contains(#","ids":{"subscription":"s1"},"#))
  }

  @Test func message() throws {
    var page = page()
    let line = page.message(
      "[33,11,5862354]", "SUBSCRIBED", [link("request", 11), link("subscription", 5_862_354)]
    ) {
      $0.subject = "com.chat.message"
      $0.time = 1_700_000_000_123_456_000
      $0.direction = .toClient
      $0.latency = 3_120_000
      $0.answers = 3
      $0.record = 17
    }
    #expect(
      line == #"{"event":"message","index":1,"connection":1,"time":"2023-11-14T22:13:20.123456Z","#
        + #""direction":"toClient","protocol":"wamp","name":"SUBSCRIBED","#
        + #""ids":{"request":11,"subscription":5862354},"subject":"com.chat.message","answers":3,"#
        + #""latency":0.00312,"body":[33,11,5862354],"#
        + #""origin":{"input":"chat.pcapng","packet":17}}"# + "\n")
    _ = try checked(line, "message")
  }

  @Test(
    arguments: [
      (0, 6, #""latencyAtMost":0.000001,"#), (0, 9, #""latencyAtMost":0.000000001,"#),
      (0, 3, #""latencyAtMost":0.001,"#), (0, 0, #""latencyAtMost":1.0,"#),
      (2_000_000_000, 6, #""latency":2.0,"#), (1, 9, #""latency":0.000000001,"#),
      (10_500_000_000, 6, #""latency":10.5,"#), (-1, 6, #""ids":{},"body""#),
    ] as [(Int64, UInt8, String)])
  func latency(nanoseconds: Int64, precision: UInt8, part: String) throws {
    var page = page()
    let line = page.message("[1]", "X") {
      $0.precision = precision
      $0.latency = nanoseconds
    }
    #expect(line.contains(part), "\(line)")
    _ = try checked(line, "message")
  }

  @Test func everyBodyIsJSON() throws {
    var random = Seeded(41)
    for round in 0..<1500 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        round % 2 == 0
          ? UInt8.random(in: 0...255, using: &random)
          : UInt8.random(in: 0x20..<0x80, using: &random)
      }
      let isText = String(validating: bytes, as: Unicode.UTF8.self) != nil
      var page = page()
      for (name, dialect, traits) in [
        ("TEXT", "websocket", isText ? Message.Traits.isText : []), ("BINARY", "websocket", []),
        ("UNKNOWN", "wamp", .isText),
      ] as [(StaticString, StaticString, Message.Traits)] {
        let line = page.message(bytes, name) {
          $0.subject = String(decoding: bytes, as: Unicode.UTF8.self)
          $0.traits = traits
          $0.dialect = dialect
        }
        let object = try checked(line, "message")
        let body = object[object["raw"] == nil ? "body" : "raw"]
        if let text = body as? String {
          #expect(Array(text.utf8) == bytes)
        } else {
          let base64 = try #require((body as? [String: Any])?["base64"] as? String)
          #expect(Data(base64Encoded: base64) == Data(bytes))
        }
      }
    }
  }

  @Test func otherEvents() throws {
    var page = page()
    let origin = Origin(time: Instant(nanoseconds: 0), record: 4, input: 1, precision: 9)
    let opened = try checked(
      page.write { $0.opened(chat(), connection: 2, Delivery(origin), into: &$1) }, "opened")
    #expect(
      opened["state"] as? String == "opened" && opened["client"] as? String == "10.0.0.7:51234")
    #expect(opened["time"] as? String == "1970-01-01T00:00:00.000000000Z")
    #expect((opened["origin"] as? [String: Any])?["input"] as? String == "a\"b")
    let bare = try checked(
      page.write { $0.opened(chat(url: ""), connection: 2, Delivery(Origin()), into: &$1) },
      "opened")
    #expect(bare["url"] is NSNull && bare["time"] is NSNull)
    var finding = Finding("wamp.x", .warning, origin, "a \"quoted\"\n\u{1B} text")
    finding.isSecurity = true
    let reported = try checked(
      page.write { $0.finding(finding, connection: 0, messages: [1, 17], into: &$1) }, "finding")
    #expect(reported["messages"] as? [Int] == [1, 17] && reported["connection"] is NSNull)
    #expect(reported["text"] as? String == finding.text && reported["security"] as? Bool == true)
    for (closing, state, by, code) in [
      (Closing(by: .toServer, code: 1000, reason: wire("bye")), "closed", "client", 1000),
      (Closing(by: .toClient, isReset: true), "closed", "server", nil),
      (Closing(isUnfinished: true), "unfinished", nil, nil),
    ] as [(Closing, String, String?, Int?)] {
      let closed = try checked(
        page.write { $0.closed(closing, connection: 2, Delivery(origin), into: &$1) }, "closed")
      #expect(closed["state"] as? String == state && closed["by"] as? String == by)
      #expect(closed["code"] as? Int == code)
      #expect(closed["reason"] as? String == (code == nil ? nil : "bye"))
    }
  }

  @Test func closeFrames() throws {
    var page = page()
    let bytes = wire(3, 232, "bye")
    let line = page.message(bytes, "CLOSE", [link("code", 1000, .shows)]) {
      $0.reason = "bye"
      $0.traits = .bodyInNotes
      $0.dialect = "websocket"
    }
    #expect(line.contains(#""ids":{},"body":{"code":1000,"reason":"bye"},"origin""#))
    let empty = page.message([UInt8](), "CLOSE") {
      $0.traits = .bodyInNotes
      $0.dialect = "websocket"
    }
    #expect(empty.contains(#""body":{"code":null,"reason":""}"#))
  }
}

@Suite struct TimeTests {
  private func utc(_ nanoseconds: Int64, _ precision: UInt8) -> String {
    var time = TimeText()
    var text = TextBuffer(capacity: 0)
    time.append(utc: Instant(nanoseconds: nanoseconds), precision: precision, to: &text)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }

  @Test func likeFoundation() {
    let formatter = ISO8601DateFormatter()
    var random = Seeded(51)
    for _ in 0..<1500 {
      // 1677 to 2262: all that 64 bits of nanoseconds can say.
      let second = Int64.random(in: -9_223_372_036...9_223_372_035, using: &random)
      let date = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
      #expect(utc(second * 1_000_000_000, 0) == date)
    }
  }

  @Test(
    arguments: [
      (-1, 9, "1969-12-31T23:59:59.999999999Z"), (-1, 6, "1969-12-31T23:59:59.999999Z"),
      (-1, 3, "1969-12-31T23:59:59.999Z"), (-1, 0, "1969-12-31T23:59:59Z"),
      (951_782_400_000_000_000, 6, "2000-02-29T00:00:00.000000Z"),
      (4_107_542_400_000_000_000, 0, "2100-03-01T00:00:00Z"),
      (1_234_567_891, 1, "1970-01-01T00:00:01.2Z"),
      (1_234_567_891, 7, "1970-01-01T00:00:01.2345678Z"),
      (.max, 9, "2262-04-11T23:47:16.854775807Z"), (.min + 1, 9, "1677-09-21T00:12:43.145224193Z"),
    ] as [(Int64, UInt8, String)])
  func digits(nanoseconds: Int64, precision: UInt8, expected: String) {
    #expect(utc(nanoseconds, precision) == expected)
  }

  @Test(
    arguments: [
      (0, 6, 3, "  0.000000"), (12_345_000, 6, 3, "  0.012345"),
      (-1_500_000_000, 6, 3, " -1.500000"),
      (123_456_000_000_000, 6, 3, "123456.000000"), (1, 9, 0, "0.000000001"),
      (999, 6, 0, "0.000000"),
      (1_999_000_000, 0, 3, "  1"), (-1, 9, 3, " -0.000000001"),
    ] as [(Int64, UInt8, Int, String)])
  func seconds(nanoseconds: Int64, precision: UInt8, columns: Int, expected: String) {
    var text = TextBuffer(capacity: 0)
    TimeText.append(seconds: nanoseconds, precision: precision, columns: columns, to: &text)
    #expect(String(decoding: text.bytes.copied(), as: Unicode.UTF8.self) == expected)
  }
}
