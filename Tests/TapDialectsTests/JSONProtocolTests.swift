// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// The tables of published protocols against their own examples.
@Suite("JSON protocols") struct JSONProtocolTests {
  static let tables: [JSONProtocol] = Dialects.all.compactMap {
    ($0 as? JSONProtocolDialect)?.table
  }

  struct Example: Sendable, CustomTestStringConvertible {
    var table: JSONProtocol
    var kind: JSONKind
    var testDescription: String { "\(table.name) \(kind.name)" }
  }

  static let examples = tables.flatMap { table in
    table.kinds.filter { !$0.example.isEmpty }.map { Example(table: table, kind: $0) }
  }

  @Test("each example is read as its kind", arguments: examples)
  func example(_ one: Example) throws {
    let talk = WAMPConversation(JSONProtocolDialect(one.table), subprotocol: "")
    let reported = try #require(talk.say(one.kind.example, .unknown))
    #expect(reported.message.dialect.description == one.table.name.description)
    #expect(reported.name == one.kind.name.description)
    #expect(!reported.message.traits.contains(.isMalformed))
    #expect(reported.message.traits.contains(.isJSON))
  }

  @Test("no example of one is taken for another", arguments: examples)
  func only(_ one: Example) {
    let text = Array((one.kind.example + (one.table.separator == 0x1E ? "\u{1E}" : "")).utf8)
    // Its answers are lists that WAMP v1 has as well.
    if one.kind.name.description == "CALLRESULT" { return }
    for other in Dialects.all where other.name.description != one.table.name.description {
      let claim = other.claim(opening(""), text.span.bytes, .text)
      #expect(claim == .no || claim == .general, "\(other.name)")
    }
  }

  static let paths: [(path: JSONPath, text: String, value: String?)] = [
    ("a.b", #"{"a":{"b":7}}"#, "7"), ("a", #"{"a":1,"a":2}"#, "2"), ("a.b", #"{"a":7}"#, nil),
    ("[1]", "[1,[2]]", "[2]"), ("[2]", "[1]", nil), ("a[0].b", #"{"a":[{"b":null}]}"#, "null"),
    ("", "{}", "{}"), ("a>c", #"{"a":"{\"c\":\"x\"}"}"#, "x"), ("a>c", #"{"a":"c"}"#, nil),
    ("a>c", #"{"a":"{\"c\":1}"}"#, nil),
    ("q{", #"{"q":"query Q {\n  user(id: 1) { id } }"}"#, "user"),
    ("q{", #"{"q":"{"}"#, nil), ("q{", #"{"q":""}"#, nil),
  ]

  @Test("paths lead to values", arguments: paths)
  func leads(_ path: JSONPath, _ text: String, _ value: String?) {
    let bytes = Array(text.utf8)
    let kind: JSONElement.Kind = text.hasPrefix("[") ? .array : .object
    let whole = JSONElement(kind, ByteRange(0, bytes.count))
    let found = path.value(in: whole, bytes.span.bytes)
    let shown = found.map {
      let range = $0.kind == .string ? $0.content : $0.range
      return String(decoding: bytes[range.start..<range.end], as: Unicode.UTF8.self)
    }
    #expect(shown == value)
  }

  @Test("what is no name is not made one", arguments: ["\u{FF}", "a\\\"b", "a b", ""])
  func names(_ event: String) throws {
    let talk = WAMPConversation(JSONProtocolDialect(.pusher), subprotocol: "")
    let reported = try #require(talk.say("{\"event\":\"\(event)\",\"channel\":\"c\"}"))
    #expect(["event", "TEXT"].contains(reported.name))
  }

  /// What applications may send that speak none of these.
  static let others = [
    #"{"type":"ping"}"#, #"{"type":"error","message":"no"}"#, #"{"msg":"ping","name":"joe"}"#,
    #"{"msg":"error","name":"joe"}"#, #"{"join":"room1"}"#, #"{"id":3,"connect":true}"#,
    #"{"id":1,"method":"User.getProfile"}"#, #"{"id":1,"method":"add","params":[1]}"#,
    #"{"type":1,"target":"a"}"#, #"{"event":"tick","channel":"c"}"#, #"{"type":"welcome"}"#,
    #"{"execute":"now"}"#, #"{"event":"STOP","timestamp":1795802238}"#, #"{"return":{}}"#,
    #"{"type":"request","command":"x"}"#, #"{"type":"event","event":"x","id":1}"#,
    #"{"type":"success","id":1,"result":{}}"#, #"{"id":1,"method":"session.open","params":{}}"#,
    #"{"header":{"msg_type":"status"},"body":{}}"#, #"[0,1,"get",{}]"#, #"[1,1,null,{}]"#,
    #"[2,"1","heartbeat",{}]"#, #"["a","b"]"#,
  ]

  @Test("JSON of applications is not taken for a published protocol", arguments: others)
  func applications(_ text: String) {
    let bytes = Array(text.utf8)
    for table in Self.tables {
      let claim = JSONProtocolDialect(table).claim(opening(""), bytes.span.bytes, .text)
      #expect(claim == .no, "\(table.name)")
    }
  }

  @Test("a list is laid out by its elements") func outline() throws {
    let bytes = Array(#"[2,"7","Reset",{"type":"Soft"}]"#.utf8)
    let dialect = JSONProtocolDialect(.ocpp)
    let talk = WAMPConversation(dialect, subprotocol: "")
    let reported = try #require(talk.say(String(decoding: bytes, as: Unicode.UTF8.self)))
    var rows = ContiguousArray<OutlineRow>()
    dialect.outline(reported.message, bytes.span.bytes, into: &rows)
    #expect(
      rows.map(\.title.description) == ["messageTypeId", "messageId", "action", "payload"])
    #expect(rows.map(\.index) == [0, 1, 2, 3])
  }
}
