// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTesting
import Testing

/// Escaping, written once more, slowly: by Swift's own idea of what UTF-8 is.
private func slowly(_ bytes: [UInt8], inJSON: Bool) -> String {
  var out = ""
  var at = 0
  while at < bytes.count {
    let whole = (1...4).lazy.filter { at + $0 <= bytes.count }.compactMap { count in
      String(validating: bytes[at..<at + count], as: Unicode.UTF8.self)
    }.first
    guard let scalar = whole?.unicodeScalars.first else {
      out += inJSON ? "\u{FFFD}" : "\\x" + hex(UInt32(bytes[at]), 2)
      at += 1
      continue
    }
    at += scalar.utf8.count
    if !isUnseen(scalar) {
      out.unicodeScalars.append(scalar)
    } else if inJSON {
      for unit in UTF16.encode(scalar)! { out += "\\u" + hex(UInt32(unit), 4) }
    } else {
      switch scalar {
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x100: out += "\\x" + hex(scalar.value, 2)
      default: out += "\\u{" + hex(scalar.value, scalar.value > 0xFFFF ? 6 : 4) + "}"
      }
    }
  }
  return out
}

/// What nobody sees, as Unicode has it.
private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
  let properties = scalar.properties
  let isAnnotation = (0xFFF9...0xFFFB).contains(scalar.value)
  return properties.isBidiControl || properties.isDefaultIgnorableCodePoint || isAnnotation
    || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
}

private func hex(_ value: UInt32, _ width: Int) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: width - digits.count) + digits
}

private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct EscapingTests {
  @Test(arguments: [
    ("a\nb\r\t", #"a\nb\r\t"#, #"a\u000ab\u000d\u0009"#),
    ("\u{1B}[31mred\u{7F}", #"\x1b[31mred\x7f"#, #"\u001b[31mred\u007f"#),
    ("\u{9B}31m\u{85}", #"\x9b31m\x85"#, #"\u009b31m\u0085"#),
    ("\u{202E}txt\u{2066}\u{61C}", #"\u{202e}txt\u{2066}\u{061c}"#, #"\u202etxt\u2066\u061c"#),
    ("\u{FEFF}\u{2028}", #"\u{feff}\u{2028}"#, #"\ufeff\u2028"#),
    ("a\u{200B}\u{AD}b\u{2060}", #"a\u{200b}\xadb\u{2060}"#, #"a\u200b\u00adb\u2060"#),
    ("\u{E0041}\u{E0100}", #"\u{0e0041}\u{0e0100}"#, #"\udb40\udc41\udb40\udd00"#),
    ("\u{3164}\u{115F}\u{FFF9}", #"\u{3164}\u{115f}\u{fff9}"#, #"\u3164\u115f\ufff9"#),
    ("日\u{200D}本\u{FE0F}", #"日\u{200d}本\u{fe0f}"#, #"日\u200d本\ufe0f"#),
    ("a\u{FE0F}1\u{FE0F}", #"a\u{fe0f}1\u{fe0f}"#, #"a\ufe0f1\ufe0f"#),
    ("👩‍👧 ❤️‍🔥 ❤️ 👍🏽", "👩‍👧 ❤️‍🔥 ❤️ 👍🏽", "👩‍👧 ❤️‍🔥 ❤️ 👍🏽"),
    ("👩\u{200D}", #"👩\u{200d}"#, #"👩\u200d"#),
    ("👩\u{200D}\u{200D}👧", #"👩\u{200d}\u{200d}👧"#, #"👩\u200d\u200d👧"#),
    ("❤\u{FE0F}\u{FE0F}", #"❤️\u{fe0f}"#, #"❤️\ufe0f"#),
    ("❤\u{FE00}\u{E0100}", #"❤\u{fe00}\u{0e0100}"#, #"❤\ufe00\udb40\udd00"#),
    ("naïve 日本 🙂", "naïve 日本 🙂", "naïve 日本 🙂"),
    (#"back\slash "quote""#, #"back\slash "quote""#, #"back\slash "quote""#),
    ("\0", #"\x00"#, #"\u0000"#),
  ])
  func table(text: String, plain: String, json: String) {
    let bytes = utf8(text)
    #expect(written { $0.append(escaping: bytes.span.bytes) } == plain)
    #expect(written { $0.append(escaping: text) } == plain)
    #expect(written { $0.append(escapingJSON: bytes.span.bytes) } == json)
  }

  /// Every byte, alone and at every place of a word of plain ones.
  @Test func everyByteAtEveryPlace() {
    for byte in UInt8.min ... .max {
      for place in 0..<17 {
        let bytes = [UInt8](repeating: 0x61, count: place) + [byte] + utf8("bcdefghij")
        #expect(written { $0.append(escaping: bytes.span.bytes) } == slowly(bytes, inJSON: false))
        #expect(
          written { $0.append(escapingJSON: bytes.span.bytes) } == slowly(bytes, inJSON: true))
      }
    }
  }

  @Test func randomBytes() {
    var random = Seeded(8)
    for _ in 0..<3000 {
      let bytes = Self.mixture(&random)
      #expect(written { $0.append(escaping: bytes.span.bytes) } == slowly(bytes, inJSON: false))
      #expect(written { $0.append(escapingJSON: bytes.span.bytes) } == slowly(bytes, inJSON: true))
    }
  }

  /// The answer is valid JSON for any bytes, and means the same text when that was UTF-8.
  @Test func jsonStringsAreJSON() throws {
    var random = Seeded(9)
    for round in 0..<3000 {
      let bytes = round < 256 ? [UInt8(round)] : Self.mixture(&random)
      let text = written { $0.append(jsonString: bytes.span.bytes) }
      #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F })
      let parsed = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
          as? String)
      let meant = String(validating: bytes, as: Unicode.UTF8.self) ?? replaced(bytes)
      #expect(Array(parsed.unicodeScalars) == Array(meant.unicodeScalars))
      #expect(written { $0.append(jsonString: meant) } == text)
    }
    #expect(written { $0.append(jsonString: #"a"b\c"#) } == #""a\"b\\c""#)
  }

  /// Text in quotes means the same text, and what is no UTF-8 is refused where it begins.
  @Test func quotedTextIsJSON() throws {
    var random = Seeded(10)
    for round in 0..<3000 {
      let bytes = round < 256 ? [UInt8(round)] : Self.mixture(&random)
      var invalid: Int?
      let text = written { invalid = JSONString.append(bytes.span.bytes, to: &$0) }
      guard let meant = String(validating: bytes, as: Unicode.UTF8.self) else {
        #expect(invalid == UTF8.firstInvalid(in: bytes.span.bytes) && text.isEmpty)
        continue
      }
      let parsed = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
          as? String)
      #expect(invalid == nil && Array(parsed.unicodeScalars) == Array(meant.unicodeScalars))
    }
  }

  /// As far as it goes, the text is what the string means, with the line ends of a plain field.
  @Test(arguments: [
    (#"a\"b\\c\/d"#, #"a"b\c/d"#, 10),
    (
      #"{\"t\":56.8}, and more than sixteen"#,
      #"{"t":56.8}, and more than sixteen"#, 35
    ), (#"one\ntwo\tthree"#, #"one\ntwo\tthree"#, 15),
    (#"a\u0041"#, "a", 1), ("Grüße", "Gr", 2), (#"end\"#, "end", 3), ("", "", 0),
  ])
  func unquotes(content: String, plain: String, end: Int) {
    let bytes = utf8(content)
    var stopped = 0
    #expect(written { stopped = JSONString.unquotePlain(bytes.span.bytes, to: &$0) } == plain)
    #expect(stopped == end)
  }

  @Test func unseenAreThoseOfUnicode() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if TapBytes.UTF8.isUnseen(value) != isUnseen(scalar) {
        Issue.record("U+\(String(value, radix: 16)) is\(isUnseen(scalar) ? "" : " not") unseen")
      }
    }
  }

  /// One U+FFFD for each byte that belongs to no code point.
  private func replaced(_ bytes: [UInt8]) -> String {
    var out = ""
    var at = 0
    while at < bytes.count {
      let whole = (1...4).lazy.filter { at + $0 <= bytes.count }.compactMap { count in
        String(validating: bytes[at..<at + count], as: Unicode.UTF8.self)
      }.first
      out += whole ?? "\u{FFFD}"
      at += whole?.utf8.count ?? 1
    }
    return out
  }

  /// Plain runs, whole characters, controls and stray bytes.
  private static func mixture(_ random: inout Seeded) -> [UInt8] {
    let pieces: [[UInt8]] = [
      utf8("plain text"), utf8("é"), utf8("日"), utf8("🙂"), utf8("\u{202E}"), utf8("\u{9B}"),
      utf8("\u{200B}"), utf8("\u{E0041}"),
      utf8("\u{1B}"), utf8("\""), utf8("\\"), [0xE2, 0x82], [0xF0, 0x9F, 0x99], [0xC0, 0xAF],
      [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      bytes +=
        Int.random(in: 0..<4, using: &random) == 0
        ? octets(2, &random) : pieces.randomElement(using: &random)!
    }
    return bytes
  }
}
