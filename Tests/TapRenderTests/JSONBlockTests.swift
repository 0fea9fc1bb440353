// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTesting
import Testing

@testable import TapRender

private func block(_ json: String, width: Int = 30, indent: Int = 2) -> [String] {
  var text = TextBuffer(capacity: 0)
  let block = JSONBlock(width: width, isJSON: true)
  block.appendLines(Array(json.utf8).span.bytes, indent: indent, to: &text)
  return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
}

@Suite struct JSONBlockTests {
  @Test(
    arguments: [
      ("[]", ["  []"]), ("7", ["  7"]), (#""a,b""#, [#"  "a,b""#]),
      (#" { "a" : [ 1 , 2 ] } "#, [#"  {"a": [1, 2]}"#]),
      (
        #"{"name":"a rather long name","n":1}"#,
        ["  {", #"    "name": "a rather long name","#, #"    "n": 1"#, "  }"]
      ),
      (
        #"[1,22,333,4444,55555,666666,7777777,{"a":1},8]"#,
        [
          "  [", "    1, 22, 333, 4444, 55555,", "    666666, 7777777,", #"    {"a": 1},"#, "    8",
          "  ]",
        ]
      ),
      (
        #"[{"key":"aaaaaaaaaaaaaaaaaaaaaaaaaa"}]"#,
        ["  [", "    {", #"      "key": "aaaaaaaaaaaaaaaaaaaaaaaaaa""#, "    }", "  ]"]
      ),
      (#"["\"]","\\"]"#, [#"  ["\"]", "\\"]"#]),
    ] as [(String, [String])])
  func layout(_ json: String, _ lines: [String]) { #expect(block(json) == lines) }

  @Test func cutsOnlyWhereItShall() {
    let long = "[\"" + String(repeating: "x", count: 60) + "\"]"
    #expect(block(long).contains { $0.count > 60 })
  }

  /// Bytes that belong to no character take no column as they were sent, and are shown all the
  /// same.
  @Test func losesNoBytes() {
    let list = Array("[\"a\",\"".utf8) + [UInt8](repeating: 0x80, count: 500) + Array("\",1]".utf8)
    var text = TextBuffer(capacity: 0)
    let block = JSONBlock(width: 30, isJSON: false)
    let columns = block.appendFlat(list.span.bytes, limit: 30, to: &text)
    let isEmpty = text.isEmpty
    #expect(columns == nil && isEmpty)
    block.appendLines(list.span.bytes, indent: 0, to: &text)
    let shown = String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
    #expect(shown.split(separator: "\\x80", omittingEmptySubsequences: false).count == 501)
    #expect(shown.hasSuffix("\",\n  1\n]\n"))
  }

  private func value(_ random: inout Seeded, depth: Int) -> Any {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &random) {
    case 0: return Int.random(in: -1000...100_000, using: &random)
    case 1: return ["", "a", "\"\\{}[],: ", "ÄÖ漢🙂", "\n\u{7}"].randomElement(using: &random)!
    case 2: return Bool.random(using: &random)
    case 3: return NSNull()
    case 4:
      return (0..<Int.random(in: 0...5, using: &random)).map { _ in
        value(&random, depth: depth + 1)
      }
    default:
      var object: [String: Any] = [:]
      for index in 0..<Int.random(in: 0...4, using: &random) {
        object["key \(index),"] = value(&random, depth: depth + 1)
      }
      return object
    }
  }

  /// Whatever the width, it is the same JSON.
  @Test func roundTrip() throws {
    var random = Seeded(5)
    for round in 0..<400 {
      let value = [value(&random, depth: 0)]
      let options: JSONSerialization.WritingOptions = round & 1 == 0 ? [] : .prettyPrinted
      let sent = try JSONSerialization.data(withJSONObject: value, options: options)
      let lines = block(String(decoding: sent, as: Unicode.UTF8.self), width: 20 + round % 80)
      let shown = Data(lines.joined(separator: "\n").utf8)
      let read = try JSONSerialization.jsonObject(with: shown) as? NSArray
      #expect(read == value as NSArray, "\(String(decoding: sent, as: Unicode.UTF8.self))")
    }
  }

  /// However deep and long, the text stays within a few times what was sent.
  @Test(arguments: [
    String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
    "[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]",
    "[" + Array(repeating: "[1,[]]", count: 5000).joined(separator: ",") + "]",
  ]) func growth(_ json: String) {
    let size = block(json, width: 80).reduce(0) { $0 + $1.utf8.count + 1 }
    #expect(size < 45 * json.utf8.count)
  }
}
