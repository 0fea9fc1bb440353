// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

/// Messages of which only the beginning is there.
@Suite("Beginnings of serialized messages") struct BeginningTests {
  private static func text(_ octets: [UInt8], _ serializer: Serializer) -> String? {
    var transcoder = Transcoder(maximumDepth: 64, maximumBytes: 1 << 20)
    var buffer = TextBuffer(capacity: 64)
    guard transcoder.transcode(beginning: octets.span.bytes, serializer, into: &buffer) else {
      return buffer.count == 0 ? nil : "left behind"
    }
    return String(decoding: buffer.bytes.copied(), as: Unicode.UTF8.self)
  }

  /// `[36,5862354,{"ké":[true,null]},["hé"],{}]` in each.
  private static let messages: [(Serializer, [UInt8])] = [
    (
      .messagePack,
      wire(
        0x95, 36, 0xCE, 0, 0x59, 0x73, 0xD2, 0x81, 0xA3, "ké", 0x92, 0xC3, 0xC0, 0x91, 0xD9, 3,
        "hé", 0x80)
    ),
    (
      .cbor,
      wire(
        0x85, 0x18, 36, 0x1A, 0, 0x59, 0x73, 0xD2, 0xA1, 0x63, "ké", 0x82, 0xF5, 0xF6, 0x9F, 0x78,
        3, "hé", 0xFF, 0xA0)
    ),
    (
      .ubjson,
      wire("[i", 36, "l", 0, 0x59, 0x73, 0xD2, "{i", 3, "ké[TZ]}[SU", 3, "hé]{}]")
    ),
    (
      .bjdata,
      wire("[i", 36, "l", 0xD2, 0x73, 0x59, 0, "{i", 3, "ké[TZ]}[SU", 3, "hé]{}]")
    ),
  ]

  @Test("what stands before the cut is as it is in the whole", arguments: messages)
  func cuts(serializer: Serializer, octets: [UInt8]) throws {
    let whole = try #require(Transcoded(octets, serializer).text)
    #expect(whole == #"[36,5862354,{"ké":[true,null]},["hé"],{}]"#)
    for count in 0..<octets.count {
      let cut = try #require(Self.text(Array(octets[..<count]), serializer), "\(count)")
      let dots = try #require(cut.firstIndex(of: "…"))
      var known = cut[..<dots]
      // Where `…` stands for an element, it may be the end of the list as well.
      if known.last == "\"" { known = known.dropLast() }
      if known.last == "," { known = known.dropLast() }
      #expect(whole.hasPrefix(known), "\(count): \(cut)")
      var scanner = JSONScanner(maximumDepth: 64)
      let bytes = Array(cut.utf8)
      #expect(scanner.scan(bytes.span.bytes) == bytes.count && scanner.isStrict, "\(cut)")
    }
    // Nothing lacks of it.
    #expect(Self.text(octets, serializer) == nil)
  }

  @Test(
    "how it is closed",
    arguments: [
      ("94", #"["…"]"#), ("9420", #"[32,"…"]"#), ("942001", #"[32,1,"…"]"#),
      ("94200181", #"[32,1,{"…":"…"}]"#), ("94200181a16b", #"[32,1,{"k":"…"}]"#),
      ("94200180a5636f", #"[32,1,{},"co…"]"#), ("94200180d9ff", #"[32,1,{},"…"]"#),
      ("942001cf00", #"[32,1,"…"]"#), ("94200180a3c3", #"[32,1,{},"…"]"#),
      ("94200180c409aabb", #"[32,1,{},"…"]"#),
    ] as [(String, String)])
  func closed(octets: String, expected: String) {
    #expect(Self.text(hex(octets), .messagePack) == expected)
  }

  @Test(
    "what is no beginning is none",
    arguments: [
      (.messagePack, "94c1"), (.messagePack, "94a2ff"), (.cbor, "84ff"), (.cbor, "1c"),
      (.ubjson, "5b00"), (.ubjson, "5bffff"), (.messagePack, "8191818181"),
    ] as [(Serializer, String)])
  func none(serializer: Serializer, octets: String) {
    let text = Self.text(hex(octets), serializer)
    #expect(text == nil || text == #"["…"]"#, "\(text ?? "")")
  }
}
