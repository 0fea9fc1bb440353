// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import Testing

@Suite("CBOR") struct CBORTests {
  @Test(
    "RFC 8949, appendix A",
    arguments: [
      ("00", "0"), ("01", "1"), ("0a", "10"), ("17", "23"), ("1818", "24"), ("1819", "25"),
      ("1864", "100"), ("1903e8", "1000"), ("1a000f4240", "1000000"),
      ("1b000000e8d4a51000", "1000000000000"), ("1bffffffffffffffff", "18446744073709551615"),
      ("c249010000000000000000", "18446744073709551616"),
      ("3bffffffffffffffff", "-18446744073709551616"),
      ("c349010000000000000000", "-18446744073709551617"), ("20", "-1"), ("29", "-10"),
      ("3863", "-100"), ("3903e7", "-1000"), ("f90000", "0.0"), ("f98000", "-0.0"),
      ("f93c00", "1.0"), ("fb3ff199999999999a", "1.1"), ("f93e00", "1.5"),
      ("f97bff", "65504.0"), ("fa47c35000", "100000.0"), ("fa7f7fffff", "3.4028234663852886e+38"),
      ("fb7e37e43c8800759c", "1e+300"), ("f90001", "5.960464477539063e-08"),
      ("f90400", "6.103515625e-05"), ("f9c400", "-4.0"), ("fbc010666666666666", "-4.1"),
      ("f4", "false"), ("f5", "true"), ("f6", "null"), ("d9d9f7 01", "1"),
      ("40", #""\u0000""#), ("4401020304", #""\u0000AQIDBA==""#), ("60", "\"\""),
      ("6161", "\"a\""), ("6449455446", "\"IETF\""), ("62225c", #""\"\\""#), ("62c3bc", "\"ü\""),
      ("63e6b0b4", "\"水\""), ("64f0908591", "\"\u{10151}\""), ("80", "[]"), ("83010203", "[1,2,3]"),
      ("8301820203820405", "[1,[2,3],[4,5]]"),
      (
        "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]"
      ),
      ("a0", "{}"), ("a26161016162820203", #"{"a":1,"b":[2,3]}"#),
      ("826161a161626163", #"["a",{"b":"c"}]"#),
      (
        "a56161614161626142616361436164614461656145",
        #"{"a":"A","b":"B","c":"C","d":"D","e":"E"}"#
      ),
      ("5f42010243030405ff", #""\u0000AQIDBAU=""#), ("7f657374726561646d696e67ff", "\"streaming\""),
      ("9fff", "[]"), ("9f018202039f0405ffff", "[1,[2,3],[4,5]]"),
      ("9f01820203820405ff", "[1,[2,3],[4,5]]"), ("83018202039f0405ff", "[1,[2,3],[4,5]]"),
      ("83019f0203ff820405", "[1,[2,3],[4,5]]"),
      (
        "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]"
      ),
      ("bf61610161629f0203ffff", #"{"a":1,"b":[2,3]}"#),
      ("826161bf61626163ff", #"["a",{"b":"c"}]"#),
      ("bf6346756ef563416d7421ff", #"{"Fun":true,"Amt":-2}"#), ("bfff", "{}"), ("7fff", "\"\""),
      ("5fff", #""\u0000""#), ("7f60ff", "\"\""), ("c240", "0"), ("c340", "-1"),
      (
        "c25818 ffffffffffffffffffffffffffffffffffffffffffffffff",
        "6277101735386680763835789423207666416102355444464034512895"
      ),
    ] as [(String, String)])
  func appendixA(octets: String, text: String) {
    let reported = Transcoded(hex(octets), .cbor)
    #expect(reported.text == text)
    #expect(reported.end == hex(octets).count)
    #expect(reported.peculiarities == [])
  }

  @Test(
    "what JSON cannot say",
    arguments: [
      ("f97c00", "Infinity", .nonFinite, 0, 0), ("f97e00", "NaN", .nonFinite, 0, 0),
      ("f9fc00", "-Infinity", .nonFinite, 0, 0), ("fa7f800000", "Infinity", .nonFinite, 0, 0),
      ("fb7ff8000000000000", "NaN", .nonFinite, 0, 0), ("f7", "null", .undefined, 0, 0),
      ("f0", "null", .simpleValue, 0, 16), ("f8ff", "null", .simpleValue, 0, 255),
      ("c074323031332d30332d32315432303a30343a30305a", #""2013-03-21T20:04:00Z""#, .tag, 0, 0),
      ("c11a514b67b0", "1363896240", .tag, 0, 1),
      ("d74401020304", #""\u0000AQIDBA==""#, .tag, 0, 23),
      ("d818456449455446", #""\u0000ZElFVEY=""#, .tag, 0, 24),
      ("c48221196ab3", "[-2,27315]", .tag, 0, 4),
      ("c25f4101ff", #""\u0000AQ==""#, .tag, 0, 2), ("81c26161", #"["a"]"#, .tag, 1, 2),
      ("a201020304", #"{"1":2,"3":4}"#, .nonStringKey, 1, 0),
      ("a141ff02", #"{"\u0000/w==":2}"#, .nonStringKey, 1, 0),
      ("a2 6161 01 6161 02", #"{"a":1,"a":2}"#, .duplicateKey, 4, 0),
      ("bf 6161 01 7f6161ff 02ff", #"{"a":1,"a":2}"#, .duplicateKey, 4, 0),
      ("81 62c328", #"["\u0000wyg="]"#, .invalidUTF8, 2, 0),
      ("7f 61c3 61bc ff", #""\u0000w7w=""#, .invalidUTF8, 2, 0),
      ("620061", #""\u0000a""#, .leadingNUL, 0, 0),
      ("7f610061 61ff", #""\u0000a""#, .leadingNUL, 0, 0),
    ] as [(String, String, Peculiarity.Kind, Int, UInt64)])
  func peculiarities(
    octets: String, text: String, kind: Peculiarity.Kind, offset: Int, value: UInt64
  ) {
    let reported = Transcoded(hex(octets), .cbor)
    #expect(reported.text == text)
    #expect(reported.peculiarities.first == Peculiarity(kind, offset: offset, value: value))
    #expect(Set(reported.kinds).count == 1)
  }

  @Test(
    "RFC 8949, appendix F: not well-formed",
    arguments: [
      ("18", .incomplete, 0), ("19", .incomplete, 0), ("1a0102", .incomplete, 0),
      ("1b01020304050607", .incomplete, 0), ("38", .incomplete, 0), ("58", .incomplete, 0),
      ("98", .incomplete, 0), ("9a01ff00", .incomplete, 0), ("f8", .incomplete, 0),
      ("f900", .incomplete, 0), ("41", .incomplete, 0), ("61", .incomplete, 0),
      ("5affffffff00", .overlong, 0), ("5bffffffffffffffff010203", .overlong, 0),
      ("7affffffff00", .overlong, 0), ("7b7fffffffffffffff010203", .overlong, 0),
      ("81", .overlong, 0), ("818181818181818181", .overlong, 8), ("8200", .overlong, 0),
      ("a1", .overlong, 0), ("a20102", .overlong, 0), ("a100", .overlong, 0),
      ("a2000000", .overlong, 0), ("9bffffffffffffffff00", .overlong, 0),
      ("bbffffffffffffffff00", .overlong, 0), ("c0", .incomplete, 1), ("5f4100", .incomplete, 3),
      ("7f6100", .incomplete, 3), ("9f", .incomplete, 1), ("9f0102", .incomplete, 3),
      ("bf", .incomplete, 1), ("bf01020102", .incomplete, 5), ("819f", .incomplete, 2),
      ("9f9f9f9f9fffffff", .incomplete, 8), ("1c", .unexpected, 0), ("3d", .unexpected, 0),
      ("5e", .unexpected, 0), ("7c", .unexpected, 0), ("9d", .unexpected, 0),
      ("be", .unexpected, 0), ("dc", .unexpected, 0), ("fe", .unexpected, 0),
      ("f800", .unexpected, 0), ("f81f", .unexpected, 0), ("5f00ff", .unexpected, 1),
      ("5f21ff", .unexpected, 1), ("5f6100ff", .unexpected, 1), ("5f80ff", .unexpected, 1),
      ("5fc000ff", .unexpected, 1), ("7f4100ff", .unexpected, 1), ("5f5f4100ffff", .unexpected, 1),
      ("7f7f6100ffff", .unexpected, 1), ("ff", .unexpected, 0), ("81ff", .unexpected, 1),
      ("8200ff", .unexpected, 2), ("a1ff00", .unexpected, 1), ("a100ff", .unexpected, 2),
      ("9f81ff", .unexpected, 2), ("bf00ff", .unexpected, 2), ("bf000000ff", .unexpected, 4),
      ("1f", .unexpected, 0), ("3f", .unexpected, 0), ("df", .unexpected, 0),
      ("c0ff", .unexpected, 1), ("9fc0ff", .unexpected, 2), ("c25bffffffffffffffff", .overlong, 1),
    ] as [(String, TranscodingFault.Problem, Int)])
  func faults(octets: String, problem: TranscodingFault.Problem, offset: Int) {
    #expect(Transcoded(hex(octets), .cbor).fault == TranscodingFault(problem, offset: offset))
  }

  @Test("an integer of very many bytes stays bytes") func hugeInteger() {
    let reported = Transcoded(hex("c2590201") + [UInt8](repeating: 0xFF, count: 513), .cbor)
    #expect(reported.kinds == [.tag])
    #expect(reported.text?.hasPrefix(#""\u0000////"#) == true)
    let largest = Transcoded(hex("c2590200") + [UInt8](repeating: 0xFF, count: 512), .cbor)
    #expect(largest.text?.count == 1234)
    #expect(largest.peculiarities == [])
  }

  @Test("tags without end") func tags() {
    let reported = Transcoded([UInt8](repeating: 0xC1, count: 100_000) + [0x01], .cbor)
    #expect(reported.text == "1")
    #expect(reported.peculiarities.count == Transcoder.maximumPeculiarities)
  }
}
