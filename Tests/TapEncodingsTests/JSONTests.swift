// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

private func value(_ key: StaticString, _ object: String) -> String? {
  let bytes = Array(object.utf8)
  return JSON.value(of: key, in: ByteRange(0, bytes.count), bytes.span.bytes).map {
    String(decoding: bytes[$0.range.start..<$0.range.end], as: Unicode.UTF8.self)
  }
}

@Suite struct JSONTests {
  @Test(arguments: [
    ("0", 0 as UInt64?), ("1", 1), ("007", 7), ("9007199254740992", 9_007_199_254_740_992),
    ("9999999999999999999", 9_999_999_999_999_999_999), ("18446744073709551615", .max),
    ("18446744073709551616", nil), ("18446744073709551620", nil), ("99999999999999999999", nil),
    ("184467440737095516150", nil), ("000000000000000000000012", 12), ("", nil), ("-1", nil),
    ("1.0", nil), ("1a", nil), ("12345678901234567890a", nil),
  ])
  func natural(text: String, expected: UInt64?) {
    let bytes = Array("x\(text)y".utf8)
    #expect(JSON.natural(bytes.span.bytes, ByteRange(1, bytes.count - 1)) == expected)
  }

  /// Numbers of every length, at every distance from the end.
  @Test func scannedNaturals() {
    var random = Seeded(3)
    for length in 1...22 {
      for rest in 0...20 {
        let digits = (0..<length).map { _ in UInt8.random(in: 0x30...0x39, using: &random) }
        let bytes = Array("[[".utf8) + digits + [UInt8](repeating: 0x39, count: rest)
        let range = ByteRange(2, 2 + length)
        let expected = UInt64(String(decoding: digits, as: Unicode.UTF8.self))
        #expect(JSON.scannedNatural(bytes.span.bytes, range) == expected)
      }
    }
  }

  @Test(arguments: [
    ("1.0", 1 as UInt64?), ("1e9", 1_000_000_000), ("5.8e2", 580), ("0.0", 0), ("-0.0", 0),
    ("9007199254740992.0", 9_007_199_254_740_992), ("9.007199254740992e15", 9_007_199_254_740_992),
    ("9007199254740994.0", nil), ("0.5", nil), ("1.5", nil), ("-1.0", nil), ("1e400", nil),
    ("1e-400", nil), ("0e-400", 0), ("0e999999999999999999999", 0), ("123456789e-2", nil),
    ("9007199254740993.0", nil), ("4503599627370497.3", nil),
    ("0.00000000000000000000000001e26", 1),
    ("12.50e2", 1250), ("100e-2", 1),
    ("1e99999999999999999999", nil), ("1E+3", 1000),
  ])
  func integralFloat(text: String, expected: UInt64?) {
    let bytes = Array(text.utf8)
    #expect(JSON.integralFloat(bytes.span.bytes, ByteRange(0, bytes.count)) == expected)
  }

  @Test(arguments: [
    (#"{"match":"prefix"}"#, #""prefix""# as String?), (#"{ "match" : 1 }"#, "1"), ("{}", nil),
    ("{ }", nil), (#"{"Match":1}"#, nil), (#"{"matc":1,"matchh":2}"#, nil),
    (#"{"\u006datch":1}"#, "1"), (#"{"m\u0061tch" :[1, {"match":2}]}"#, #"[1, {"match":2}]"#),
    (#"{"match":1,"match":2}"#, "2"), (#"{"a":{"match":1}}"#, nil), (#"{"a":[{"match":1}]}"#, nil),
    (#"{"a":"match","b":1}"#, nil), (#"{"a":{"match":1},"match":{"match":2}}"#, #"{"match":2}"#),
    (#"{"\"match":1,"x\\":2,"match":"]}\""}"#, #""]}\"""#),
    (#"{"a":"}","match":-1.5e3}"#, "-1.5e3"),
    (#"{"\u006Datch\u0000":1}"#, nil),
  ])
  func valueOfAKey(object: String, expected: String?) {
    #expect(value("match", object) == expected)
  }

  @Test func valueStaysInsideItsObject() {
    let bytes = Array(#"[{"a":1},{"match":2}]"#.utf8)
    #expect(JSON.value(of: "match", in: ByteRange(1, 8), bytes.span.bytes) == nil)
    #expect(JSON.value(of: "a", in: ByteRange(1, 8), bytes.span.bytes)?.range == ByteRange(6, 7))
  }

  @Test func steps() {
    let bytes = Array(#"{ "a" : [1,2] , "b":"x,}" ,"":null}"#.utf8)
    var at = 1
    var found: [String] = []
    while let member = JSON.next(bytes.span.bytes, &at, inObject: true) {
      let key = String(decoding: bytes[member.key.start..<member.key.end], as: Unicode.UTF8.self)
      let range = member.value.range
      found.append(
        "\(key)=\(String(decoding: bytes[range.start..<range.end], as: Unicode.UTF8.self))")
    }
    #expect(found == ["a=[1,2]", #"b="x,}""#, "=null"])
  }

  /// Brackets and quotes inside of strings end nothing, wherever a block of bytes ends.
  @Test func stepsOverContainers() {
    let inner = #"{"a":"]}\\\"[","b":[{},"\\"]}"#
    for padding in 0..<140 {
      let value = "[\"\(String(repeating: "x", count: padding))\",\(inner)]"
      let bytes = Array("[\(value),7]".utf8)
      var elements = JSON.Members(ofArray: ByteRange(0, bytes.count))
      #expect(elements.next(bytes.span.bytes)?.value.range == ByteRange(1, bytes.count - 3))
      #expect(elements.next(bytes.span.bytes)?.value.kind == .natural)
    }
  }

  @Test(arguments: [
    (#"plain"#, "plain"), (#"\n\r\t\b\f"#, "\n\r\t\u{8}\u{C}"), (#"\"\\\/"#, "\"\\/"),
    (#"\u00e9\u00E9"#, "éé"), (#"\ud83d\ude42"#, "🙂"), (#"a\uD83D\uDE42b"#, "a🙂b"),
    (#"\ud83d"#, "\u{FFFD}"), (#"\ude42"#, "\u{FFFD}"), (#"\ud83dA"#, "\u{FFFD}A"),
    (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\ud83d\ude42"#, "\u{FFFD}🙂"),
    (#"\u0000"#, "\0"), (#"\udbff\udfff"#, "\u{10FFFF}"), (#"\ud800\udc00"#, "\u{10000}"),
    ("é日", "é日"), (#"\uffff"#, "\u{FFFF}"),
  ])
  func unescaped(content: String, expected: String) {
    let bytes = Array(content.utf8)
    #expect(JSON.unescaped(bytes.span.bytes) == Array(expected.utf8))
  }

  @Test(arguments: [
    (" [ 1 , \"a b\" ]\n", #"[1,"a b"]"#), (#"["\\" , "\" , "]"#, #"["\\","\" , "]"#),
    ("[\"\u{7F}\u{202E}\u{9B}\"]", #"["\u007f\u202e\u009b"]"#), ("{\"a\" :\t1}", #"{"a":1}"#),
    ("[1]", "[1]"), ("  ", ""), (#"{"a":1,"a":1.50e+00}"#, #"{"a":1,"a":1.50e+00}"#),
  ])
  func compact(json: String, expected: String) {
    var text = TextBuffer(capacity: 0)
    let bytes = Array(json.utf8)
    CompactJSON.append(bytes.span.bytes, to: &text)
    #expect(String(decoding: text.bytes.copied(), as: Unicode.UTF8.self) == expected)
  }

  /// What is left of JSON for readers that take less than RFC 8259 allows; two levels deep here.
  @Test(arguments: [
    (#"["\ud83d\ude42","\u0041"]"#, nil as String?), (#"["\ud800"]"#, #"["\ufffd"]"#),
    (#"["\udc00\ud800"]"#, #"["\ufffd\ufffd"]"#),
    (#"["\uD800\ud83d\ude42"]"#, #"["\ufffd\ud83d\ude42"]"#),
    (#"["\ud83d\u0041"]"#, #"["\ufffd\u0041"]"#), (#"["\\ud800","\"\\"]"#, nil),
    (#"{"\udfff":"\ud800x"}"#, #"{"\ufffd":"\ufffdx"}"#), ("[1e308,-0.5,0e999,1e-999]", nil),
    ("[1e309,2]", "[null,2]"), ("[ -1E+400 ]", "[null]"), ("[1e99999999999999999999]", "[null]"),
    ("[[1],[[2]],[[]],3]", "[[1],[null],[null],3]"), (#"[{"a":{"b":"]}"}}]"#, #"[{"a":null}]"#),
    ("1e999", "null"), ("[\"\u{7F}\"]", #"["\u007f"]"#),
  ])
  func shared(json: String, expected: String?) {
    var text = TextBuffer(capacity: 0)
    let bytes = Array(json.utf8)
    let isAsSent = SharedJSON.append(bytes.span.bytes, nesting: 2, to: &text)
    #expect(isAsSent == (expected == nil || json.contains("\u{7F}")))
    #expect(String(decoding: text.bytes.copied(), as: Unicode.UTF8.self) == expected ?? json)
  }

  /// Integers pass a double where their digits do, with 309 of them.
  @Test(arguments: [(308, true), (309, false), (400, false), (5000, false)])
  func longIntegers(digits: Int, isAsSent: Bool) {
    var text = TextBuffer(capacity: 0)
    let bytes = [UInt8](repeating: 0x39, count: digits)
    #expect(SharedJSON.append(bytes.span.bytes, nesting: 2, to: &text) == isAsSent)
    #expect(text.count == (isAsSent ? digits : 4))
  }

  /// Reading values out of text that is no JSON must not crash, whatever comes of it.
  @Test func brokenTextDoesNotCrash() {
    let bytes = Array(#"{"a\u00e9":[1,{"b":"c\ud83d\ude42"}],"match":{"x":[]}}"#.utf8)
    for start in 0..<bytes.count {
      for end in start...bytes.count {
        let part = Array(bytes[start..<end])
        _ = JSON.unescaped(part.span.bytes)
        if part.count < 2 { continue }
        _ = JSON.value(of: "match", in: ByteRange(0, part.count), part.span.bytes)
        var text = TextBuffer(capacity: 0)
        CompactJSON.append(part.span.bytes, to: &text)
        _ = SharedJSON.append(part.span.bytes, nesting: 2, to: &text)
      }
    }
  }

  /// A container ends where its brackets do, whatever its strings hold and wherever they lie among
  /// the bytes that are looked at together.
  @Test(arguments: 0..<140)
  func endsOfContainers(length: Int) {
    let x = String(repeating: "x", count: length)
    let json = #"{"a":{"\#(x)\\":"\#(x)\"]}\#(x)","z":[1,{"q":"\\\\"},[]]},"b":7}"#
    let bytes = Array(json.utf8)
    let found = JSON.value(of: "b", in: ByteRange(0, bytes.count), bytes.span.bytes)
    #expect(found?.range == ByteRange(bytes.count - 2, bytes.count - 1))
  }
}
