// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import Testing

/// Texts that say the same, and texts that do not.
@Suite struct JSONDigestTests {
  private func digest(_ text: String) -> UInt64 {
    let bytes = Array("[\(text)]".utf8)
    return JSONDigest.of(bytes.span.bytes, ByteRange(1, bytes.count - 1))
  }

  @Test(
    "the same in other words",
    arguments: [
      ("1", "1.0"), ("1", "1e0"), ("100", "1E2"), ("-5", "-5.0"), ("0", "-0"), ("0", "-0.0"),
      ("0.1", "1e-1"), ("0.1", "0.10000000149011612"), ("1e300", "1.0e+300"),
      ("123.456", "1.23456e2"), ("0.000001", "1e-6"), ("1234567.5", "12345675e-1"),
      ("999999999999999", "9.99999999999999e14"), ("0.10", "0.1"), ("007.0", "7"),
      (#""a \"b\" c""#, #""a \u0022b\u0022 c""#),
      ("18446744073709551615", "1.8446744073709552e19"), (#""a""#, #""\u0061""#),
      (#""😀""#, #""\ud83d\ude00""#), ("[1,2]", "[ 1 ,\n2 ]"),
      (#"{"a":1,"b":2}"#, #"{"b":2, "a":1}"#),
      (#"{"a":{"x":[1,{"y":2,"z":3}]}}"#, #"{"a":{"x":[1.0,{"z":3,"y":2}]}}"#),
      (#""\u0000AAE=""#, #""\u0000AAE""#), ("NaN", "null"), ("-Infinity", "null"),
    ])
  func same(one: String, other: String) { #expect(digest(one) == digest(other)) }

  @Test("each is another value") func different() {
    let texts = [
      "0", "1", "-1", "2", "0.5", "-0.5", "0.25", "1e300", "-1e300", "1e-300", "9007199254740993",
      "true", "false", "null", #""""#, #""0""#, #""true""#, #""a""#, #""b""#, #""a=""#, "[]", "{}",
      "[[]]", "[{}]", "[0]", "[1]", "[1,2]", "[2,1]", "[[1],2]", "[1,[2]]", "[1,1]", #"{"a":1}"#,
      #"{"a":2}"#, #"{"b":1}"#, #"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#, #"{"a":{"b":1}}"#,
      #"{"a":{},"b":1}"#, #"["a",1]"#, #"["a","1"]"#, #"[{"a":1},{"b":2}]"#, #"[{"b":2},{"a":1}]"#,
    ]
    #expect(Set(texts.map { digest($0) }).count == texts.count)
    #expect(digest("[]") == JSONDigest.emptyList && digest("{}") == JSONDigest.emptyObject)
  }
}
