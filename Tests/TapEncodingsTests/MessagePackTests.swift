// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import Testing

@Suite("MessagePack") struct MessagePackTests {
  @Test(
    "every form of the specification",
    arguments: [
      ("c0", "null"), ("c2", "false"), ("c3", "true"), ("00", "0"), ("7f", "127"), ("ff", "-1"),
      ("e0", "-32"), ("cc80", "128"), ("cd0100", "256"), ("ce00010000", "65536"),
      ("cfffffffffffffffff", "18446744073709551615"), ("d080", "-128"), ("d18000", "-32768"),
      ("d280000000", "-2147483648"), ("d38000000000000000", "-9223372036854775808"),
      ("ca3fc00000", "1.5"), ("ca3dcccccd", "0.10000000149011612"), ("cb3fb999999999999a", "0.1"),
      ("cb8000000000000000", "-0.0"), ("cb41565cda00000000", "5862248.0"),
      ("a0", "\"\""), ("a161", "\"a\""), ("d90161", "\"a\""), ("da000161", "\"a\""),
      ("db0000000161", "\"a\""), ("a222 5c", #""\"\\""#), ("a3 010a7f", "\"\\u0001\\n\u{7F}\""),
      ("c400", #""\u0000""#), ("c403010203", #""\u0000AQID""#), ("c5000101", #""\u0000AQ==""#),
      ("c60000000101", #""\u0000AQ==""#), ("90", "[]"), ("93010203", "[1,2,3]"),
      ("dc0000", "[]"), ("dc000101", "[1]"), ("dd0000000201a162", "[1,\"b\"]"), ("80", "{}"),
      ("82a16101a16202", #"{"a":1,"b":2}"#), ("de0001a16190", #"{"a":[]}"#),
      ("df00000001a16180", #"{"a":{}}"#), ("92 9190 81a16191 c2", #"[[[]],{"a":[false]}]"#),
    ] as [(String, String)])
  func forms(octets: String, text: String) {
    let reported = Transcoded(hex(octets), .messagePack)
    #expect(reported.text == text)
    #expect(reported.end == hex(octets).count)
    #expect(reported.peculiarities == [])
  }

  @Test(
    "what JSON cannot say",
    arguments: [
      ("92 01 a2c328", #"[1,"\u0000wyg="]"#, .invalidUTF8, 3, 0),
      ("a3006162", #""\u0000ab""#, .leadingNUL, 0, 0),
      ("91 cb7ff8000000000000", "[NaN]", .nonFinite, 1, 0),
      ("91 cb7ff0000000000000", "[Infinity]", .nonFinite, 1, 0),
      ("91 caff800000", "[-Infinity]", .nonFinite, 1, 0),
      ("91 d40000", "[null]", .undefined, 1, 0),
      ("91 d405aa", #"["\u0000qg=="]"#, .extension, 1, 5),
      ("91 c70285aabb", #"["\u0000qrs="]"#, .extension, 1, 0x85),
      ("d6ff00000001", "1", .timestamp, 0, 0),
      ("d7ff 0000000400000002", "2.000000001", .timestamp, 0, 0),
      ("c70cff 1dcd6500 ffffffffffffffff", "-0.500000000", .timestamp, 0, 0),
      ("c70cff 3b9aca00 0000000000000001", #""\u0000O5rKAAAAAAAAAAAB""#, .extension, 0, 255),
      ("81 01 02", #"{"1":2}"#, .nonStringKey, 1, 0),
      ("81 c0 02", #"{"null":2}"#, .nonStringKey, 1, 0),
      ("81 cb7ff8000000000000 02", #"{"NaN":2}"#, .nonStringKey, 1, 0),
      ("81 c401ff 02", #"{"\u0000/w==":2}"#, .nonStringKey, 1, 0),
      ("81 92a16101 02", #"{"[\"a\",1]":2}"#, .nonStringKey, 1, 0),
      ("81 90 02", #"{"[]":2}"#, .nonStringKey, 1, 0),
      ("83 a16101 a16202 a16103", #"{"a":1,"b":2,"a":3}"#, .duplicateKey, 7, 0),
    ] as [(String, String, Peculiarity.Kind, Int, UInt64)])
  func peculiarities(
    octets: String, text: String, kind: Peculiarity.Kind, offset: Int, value: UInt64
  ) {
    let reported = Transcoded(hex(octets), .messagePack)
    #expect(reported.text == text)
    #expect(reported.peculiarities == [Peculiarity(kind, offset: offset, value: value)])
  }

  @Test(
    "what cannot be read",
    arguments: [
      ("", .incomplete, 0), ("91", .overlong, 0), ("92 01", .overlong, 0),
      ("91 cd01", .incomplete, 1), ("91 a3 6162", .incomplete, 1), ("9201c1", .unexpected, 2),
      ("ddffffffff", .overlong, 0), ("dfffffffff", .overlong, 0), ("dbffffffff", .overlong, 0),
      ("c6ffffffff", .overlong, 0), ("c9ffffffff00", .overlong, 0), ("d401", .incomplete, 0),
      ("c7", .incomplete, 0), ("c701", .incomplete, 0), ("81 01", .overlong, 0),
      ("91 91 91 91 91 01", .tooDeep, 4), ("92 919101 9191919101", .tooDeep, 7),
    ] as [(String, TranscodingFault.Problem, Int)])
  func faults(octets: String, problem: TranscodingFault.Problem, offset: Int) {
    let reported = Transcoded(hex(octets), .messagePack, maximumDepth: 4)
    #expect(reported.fault == TranscodingFault(problem, offset: offset))
    #expect(reported.text == nil)
  }

  @Test("nested a million deep, and never to the end of the stack") func depth() {
    let reported = Transcoded(
      [UInt8](repeating: 0x91, count: 1_000_000), .messagePack, maximumDepth: 512)
    #expect(reported.fault == TranscodingFault(.tooDeep, offset: 512))
    let deep = [UInt8](repeating: 0x91, count: 511) + [0x90]
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(Transcoded(deep, .messagePack, maximumDepth: 512).text == text)
  }

  @Test("keys in keys are bounded, as each level doubles the quotes") func keysInKeys() {
    #expect(Transcoded(hex("8181a161 01 02"), .messagePack).text == #"{"{\"a\":1}":2}"#)
    let deep = [UInt8](repeating: 0x81, count: 40) + [0x80] + [UInt8](repeating: 1, count: 40)
    #expect(Transcoded(deep, .messagePack).fault?.problem == .tooDeep)
  }

  @Test("what follows is not touched") func trailing() {
    #expect(Transcoded(hex("9101 ff"), .messagePack).end == 2)
  }
}
