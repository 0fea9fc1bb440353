// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

@Suite("UBJSON and BJData") struct UBJSONTests {
  @Test(
    "the same in both",
    arguments: [
      (wire("Z"), "null"), (wire("T"), "true"), (wire("F"), "false"), (wire("i", 255), "-1"),
      (wire("U", 255), "255"), (wire("Si", 5, "hello"), "\"hello\""), (wire("SU", 0), "\"\""),
      (wire("Ca"), "\"a\""), (wire("C\""), #""\"""#), (wire("HU", 5, "-1.50"), "-1.50"),
      (wire("Hi", 20, "18446744073709551616"), "18446744073709551616"), (wire("[]"), "[]"),
      (wire("{}"), "{}"), (wire("[Z[]{}TFi", 1, "]"), "[null,[],{},true,false,1]"),
      (wire("{i", 3, "latU", 9, "U", 4, "longZ}"), #"{"lat":9,"long":null}"#),
      (wire("[#i", 3, "ZTF"), "[null,true,false]"), (wire("[#i", 0), "[]"),
      (wire("{#i", 1, "i", 1, "aT"), #"{"a":true}"#), (wire("{#i", 0), "{}"),
      (wire("[$i#i", 3, 1, 2, 255), "[1,2,-1]"), (wire("[$Z#i", 3), "[null,null,null]"),
      (wire("{$T#i", 2, "i", 1, "ai", 1, "b"), #"{"a":true,"b":true}"#),
      (wire("[$S#i", 2, "i", 1, "aU", 1, "b"), #"["a","b"]"#),
      (wire("[$C#i", 2, "ab"), #"["a","b"]"#),
      (wire("[$[#i", 2, "Z]$U#i", 0), #"[[null],"\u0000"]"#),
      (wire("[${#i", 1, "i", 1, "aZ}"), #"[{"a":null}]"#),
    ] as [([UInt8], String)])
  func both(octets: [UInt8], text: String) {
    let ubjson = Transcoded(octets, .ubjson)
    #expect(ubjson.text == text)
    #expect(ubjson.end == octets.count)
    #expect(ubjson.peculiarities == [])
    // But for bytes, which have another marker.
    let other = text.replacing(#""\u0000""#, with: "[]")
    #expect(Transcoded(octets, .bjdata).text == other)
  }

  @Test(
    "numbers of several bytes, the highest first or last",
    arguments: [
      ("I", "8000", "-32768"), ("I", "0102", "258"), ("l", "80000000", "-2147483648"),
      ("l", "00010000", "65536"), ("L", "8000000000000000", "-9223372036854775808"),
      ("L", "0020000000000000", "9007199254740992"), ("d", "3fc00000", "1.5"),
      ("D", "3fb999999999999a", "0.1"), ("D", "4059000000000000", "100.0"),
    ])
  func order(marker: String, digits: String, text: String) {
    let octets = hex(digits)
    #expect(Transcoded(wire(marker, octets), .ubjson).text == text)
    #expect(Transcoded(wire(marker, Array(octets.reversed())), .bjdata).text == text)
    #expect(Transcoded(wire("[$", marker, "#i", 1, octets), .ubjson).text == "[\(text)]")
  }

  @Test(
    "of BJData alone",
    arguments: [
      (wire("u", 0xFF, 0xFF), "65535"), (wire("m", 0, 0, 0, 0x80), "2147483648"),
      (wire("M", [UInt8](repeating: 255, count: 8)), "18446744073709551615"),
      (wire("h", 0x00, 0x3C), "1.0"), (wire("B", 200), "200"),
      (wire("[$B#i", 3, 1, 2, 3), #""\u0000AQID""#), (wire("[$U#i", 3, 1, 2, 3), "[1,2,3]"),
      (wire("[$u#i", 2, 1, 0, 0, 1), "[1,256]"), (wire("Su", 1, 0, "a"), "\"a\""),
    ] as [([UInt8], String)])
  func bjdata(octets: [UInt8], text: String) {
    #expect(Transcoded(octets, .bjdata).text == text)
    #expect(Transcoded(octets, .bjdata).end == octets.count)
    let isOther = octets[0] == UInt8(ascii: "[") && octets[2] == UInt8(ascii: "U")
    #expect((Transcoded(octets, .ubjson).fault == nil) == isOther)
  }

  @Test(
    "arrays of several dimensions",
    arguments: [
      (wire("[$U#[$U#i", 2, 2, 3, 1, 2, 3, 4, 5, 6), "[[1,2,3],[4,5,6]]"),
      (wire("[$U#[U", 2, "U", 1, "U", 2, "]", 1, 2, 3, 4), "[[[1,2]],[[3,4]]]"),
      (wire("[$i#[$U#U", 2, 1, 1, 9), "[[9]]"), (wire("[$U#[$U#i", 2, 0, 255), "[]"),
      (wire("[[$U#[$U#i", 2, 1, 1, 9, "Z]"), "[[[9]],null]"),
    ] as [([UInt8], String)])
  func dimensions(octets: [UInt8], text: String) {
    let reported = Transcoded(octets, .bjdata)
    #expect(reported.text == text, "\(reported)")
    #expect(reported.end == octets.count)
    #expect(reported.kinds == [.dimensions])
    #expect(Transcoded(octets, .ubjson).fault != nil)
  }

  @Test func dimensionsAreIntegers() {
    let octets = wire("[$d#[$d#B", 2, [UInt8](repeating: 0x58, count: 8))
    #expect(Transcoded(octets, .bjdata).fault == TranscodingFault(.unexpected, offset: 0))
  }

  @Test(
    "what JSON cannot say",
    arguments: [
      (wire("[N]"), "[]", .noOp, 1), (wire("NT"), "true", .noOp, 0),
      (wire("{Ni", 1, "aNT}"), #"{"a":true}"#, .noOp, 1),
      (wire("Hi", 3, "1.e"), "\"1.e\"", .notANumber, 0),
      (wire("Hi", 3, "NaN"), "\"NaN\"", .notANumber, 0),
      (wire("Hi", 0), "\"\"", .notANumber, 0), (wire("C", 200), #""\u0000yA==""#, .invalidUTF8, 1),
      (wire("Si", 2, 0xC3, 0x28), #""\u0000wyg=""#, .invalidUTF8, 3),
      (wire("Si", 1, 0), #""\u0000""#, .leadingNUL, 0),
      (wire("{i", 1, "aTi", 1, "aF}"), #"{"a":true,"a":false}"#, .duplicateKey, 5),
    ] as [([UInt8], String, Peculiarity.Kind, Int)])
  func peculiarities(octets: [UInt8], text: String, kind: Peculiarity.Kind, offset: Int) {
    for serializer in [Serializer.ubjson, .bjdata] {
      let reported = Transcoded(octets, serializer)
      #expect(reported.text == text)
      #expect(reported.peculiarities.first == Peculiarity(kind, offset: offset), "\(reported)")
    }
  }

  @Test(
    "what cannot be read",
    arguments: [
      (wire(), .incomplete, 0), (wire("x"), .unexpected, 0), (wire("]"), .unexpected, 0),
      (wire("["), .incomplete, 0), (wire("[T"), .incomplete, 2), (wire("[}"), .unexpected, 1),
      (wire("{]"), .unexpected, 1), (wire("{i", 1, "a}"), .unexpected, 4),
      (wire("{i", 1, "a"), .incomplete, 4), (wire("{T"), .unexpected, 1),
      (wire("I", 1), .incomplete, 0), (wire("S"), .incomplete, 0), (wire("Si"), .incomplete, 0),
      (wire("Si", 2, "a"), .incomplete, 0), (wire("Si", 200), .unexpected, 1),
      (wire("SL", [UInt8](repeating: 127, count: 8)), .overlong, 0), (wire("C"), .incomplete, 0),
      (wire("[$"), .incomplete, 0), (wire("[$i]"), .unexpected, 3), (wire("[$x#"), .unexpected, 2),
      (wire("[$N#i", 1), .unexpected, 2), (wire("[#T"), .unexpected, 2),
      (wire("[#l", 127, 127, 127, 127, "T"), .overlong, 0),
      (wire("[$U#L", [UInt8](repeating: 127, count: 8)), .overlong, 0),
      (wire("{$Z#L", [UInt8](repeating: 127, count: 8)), .overlong, 0),
      (wire("[#i", 255), .unexpected, 2), (wire("[[[[[Z]]]]]"), .tooDeep, 4),
      (wire("[$Z#L", [UInt8](repeating: 63, count: 8)), .overlong, 0),
      (wire("[$T#l", 127, 127, 127, 127), .overlong, 0),
    ] as [([UInt8], TranscodingFault.Problem, Int)])
  func faults(octets: [UInt8], problem: TranscodingFault.Problem, offset: Int) {
    for serializer in [Serializer.ubjson, .bjdata] {
      let reported = Transcoded(octets, serializer, maximumDepth: 4)
      #expect(reported.fault == TranscodingFault(problem, offset: offset), "\(reported)")
    }
  }

  @Test(
    "the order of bytes is found out",
    arguments: [
      (wire("[U", 48, "U", 1, "{}Si", 1, "a]"), nil), (wire("[U", 48, "I", 1, 0, "]"), .ubjson),
      (wire("[U", 48, "I", 0, 1, "]"), .bjdata),
      (wire("[U", 2, "L", hex("00144857 3c20607f"), "]"), .ubjson),
      (wire("[U", 2, "L", hex("7f60203c 57481400"), "]"), .bjdata),
      (wire("[U", 2, "u", 1, 1, "]"), .bjdata), (wire("[SI", 0, 1, "a]"), .ubjson),
      (wire("[SI", 1, 0, "a]"), .bjdata), (wire("["), nil),
      (wire("[U", 48, "d", 1, 2, 2, 1, "]"), nil),
    ] as [([UInt8], Serializer?)])
  func dialects(octets: [UInt8], serializer: Serializer?) {
    var transcoder = Transcoder(maximumDepth: 16, maximumBytes: 1 << 20)
    var text = TextBuffer()
    text.append("x")
    let found = transcoder.dialect(ofUBJSON: octets.span.bytes, &text)
    #expect(found == serializer)
    #expect(text.count == 1)
  }
}
