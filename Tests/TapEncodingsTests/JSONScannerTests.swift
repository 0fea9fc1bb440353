// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEncodings
import TapTesting
import Testing

private func scan(_ bytes: [UInt8], depth: Int = 512) -> (JSONScanner, end: Int?) {
  var scanner = JSONScanner(maximumDepth: depth)
  let end = scanner.scan(bytes.span.bytes)
  return (scanner, end)
}

private func scan(_ text: String, depth: Int = 512) -> (JSONScanner, end: Int?) {
  scan(Array(text.utf8), depth: depth)
}

@Suite struct JSONScannerTests {
  @Test(arguments: [
    "[]", "{}", "\"\"", "0", "-0", "1", "-1", "1.5", "1e5", "1E+5", "1e-05", "0.0", "true", "false",
    "null", " \t\r\n1 \t\r\n", "[[]]", "[{}]", "{\"\":{}}", "[1,2]", "[ 1 , 2 ]",
    "{\"a\":1,\"a\":2}",
    "\"\\u0000\\ud800\\/\\b\\f\\n\\r\\t\\\\\\\"\"", "[1e999]", "{ \"a\" : [ ] }",
    "[null,[true],{\"b\":false}]",
    "\"\u{7F}\"", "\"日本\"", "123456789012345678901234567890", "[\"\\u00E9\"]",
  ])
  func valid(text: String) {
    let (scanner, end) = scan(text)
    #expect(scanner.problem == nil && scanner.isStrict)
    #expect(end == text.utf8.count && scanner.offset == text.utf8.count)
    #expect(Grammar.accepts(Array(text.utf8)), "the oracle itself")
  }

  @Test(arguments: [
    ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1,,2]", 3), ("[}", 1), ("{]", 1), ("[1}", 2),
    ("{\"a\":1]", 6), ("{\"a\" 1}", 5), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{1:2}", 1),
    ("{,}", 1),
    ("{\"a\",1}", 4), ("{a:1}", 1), ("[01]", 2), ("-01", 2), ("-a", 1), ("1.x", 2), ("1.e5", 2),
    ("1ex", 2), ("1e+x", 3), (".5", 0), ("+1", 0), ("tru]", 3), ("nulx", 3), ("True", 0),
    ("'a'", 0),
    ("\"a\tb\"", 2), ("\"a\nb\"", 2), ("\"\0\"", 1), ("\"\\x\"", 2), ("\"\\u12g4\"", 5),
    ("\"\\U0000\"", 2),
    ("-NaN", 1), ("nan", 1), ("inf", 0), ("[Infinitx]", 8), ("\u{FEFF}1", 0), ("]", 0),
    ("[\u{B}1]", 1), ("[\u{A0}1]", 1), ("[1;2]", 2), ("//", 0), ("[-]", 2),
  ])
  func invalid(text: String, offset: Int) {
    let (scanner, end) = scan(text)
    #expect(!Grammar.accepts(Array(text.utf8)), "the oracle itself")
    #expect(end == nil && scanner.problem == .unexpected)
    #expect(scanner.offset == offset)
    #expect(!scanner.isStrict)
  }

  /// A whole value, and then something else: the caller is reported where the value ended.
  @Test(arguments: [("[1]x,", 3), ("0x10", 1), ("1 2", 2), ("[]]", 2), ("{} {}", 3), ("\"a\"b", 3)])
  func trailing(text: String, end: Int) {
    let (scanner, found) = scan(text)
    #expect(found == end && scanner.offset == end && scanner.problem == nil)
  }

  @Test(arguments: [
    "", " ", "[", "{", "\"", "\"a", "\"\\", "\"\\u", "\"\\u12", "-", "1.", "1e", "1e-", "t", "tru",
    "nul",
    "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[[]", "N", "Infinit", "-Infini",
    "[ ",
  ])
  func incomplete(text: String) {
    let (scanner, end) = scan(text)
    #expect(end == nil && scanner.problem == .incomplete)
    #expect(scanner.offset == text.utf8.count)
  }

  @Test(arguments: [
    ("NaN", JSONElement.Kind.nonFinite), ("Infinity", .nonFinite), ("-Infinity", .nonFinite),
    ("1", .natural), ("-1", .number), ("1.0", .number), ("1e2", .number), ("true", .yes),
    ("false", .no), ("null", .null), ("\"\"", .string), ("{}", .object), ("[]", .array),
  ])
  func kinds(text: String, kind: JSONElement.Kind) {
    let (scanner, _) = scan("[7, \(text) ]")
    #expect(scanner.isArray && scanner.elements.count == 2)
    #expect(scanner.elements[1].kind == kind)
    #expect(scanner.elements[1].range == ByteRange(4, 4 + text.utf8.count))
    #expect(scanner.hasNonFinite == (kind == .nonFinite))
    #expect(scanner.isStrict == (kind != .nonFinite))
    let (alone, _) = scan(text)
    #expect(alone.isArray == (kind == .array))
    if kind != .array {
      #expect(alone.elements.list.map(\.kind) == [kind])
      #expect(alone.elements[0].range == ByteRange(0, text.utf8.count))
    }
    // The same when found by stepping through an object.
    let object = Array("{\"k\":\(text)}".utf8)
    let found = JSON.value(of: "k", in: ByteRange(0, object.count), object.span.bytes)
    #expect(found?.kind == kind)
  }

  @Test func randomDocuments() {
    var random = Seeded(21)
    for _ in 0..<600 {
      var members: [Document] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) { members.append(.random(&random)) }
      var text = Document()
      text.put("[")
      text.space(&random)
      var ranges: [ByteRange] = []
      for (index, member) in members.enumerated() {
        if index > 0 { text.put(",") }
        text.space(&random)
        let start = text.spaced.utf8.count
        text.spaced += member.spaced
        text.compact += member.compact
        ranges.append(ByteRange(start, text.spaced.utf8.count))
        text.space(&random)
      }
      text.put("]")
      let (scanner, end) = scan(text.spaced)
      #expect(end == text.spaced.utf8.count, "\(text.spaced)")
      #expect(scanner.elements.count == ranges.count)
      #expect(
        scanner.elements.list.map(\.range) == Array(ranges.prefix(JSONElements.kept)),
        "\(text.spaced)")
      #expect(scanner.hasSpace == (text.spaced != text.compact))
      #expect(scanner.hasUnplain == !text.spaced.unicodeScalars.allSatisfy(\.isASCII))
      #expect(!scan(text.compact).0.hasSpace)
      let bytes = Array(text.spaced.utf8)
      var compact = TextBuffer(capacity: 0)
      CompactJSON.append(bytes.span.bytes, to: &compact)
      #expect(String(decoding: compact.bytes.copied(), as: Unicode.UTF8.self) == text.compact)
    }
  }

  /// Whatever is done to a text, the verdict is the grammar's, and Foundation's where it has no
  /// opinions of its own (on exponents).
  @Test func randomMutations() {
    var random = Seeded(22)
    let alphabet = Array("[]{},:\"\\ 019.-+eEtfn/u\n".utf8)
    var verdicts = [0, 0]
    for _ in 0..<4000 {
      var bytes = Array(Document.random(&random).spaced.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        // A character cut in half is no business of this grammar.
        guard bytes[place] < 0x80 else { continue }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = alphabet.randomElement(using: &random)!
        case 1: bytes.insert(alphabet.randomElement(using: &random)!, at: place)
        default: bytes.remove(at: place)
        }
      }
      let text = String(decoding: bytes, as: Unicode.UTF8.self)
      let (scanner, end) = scan(bytes)
      let accepted = end == bytes.count && scanner.isStrict
      verdicts[accepted ? 1 : 0] += 1
      #expect(accepted == Grammar.accepts(bytes), "\(text)")
      let withoutWords = text.replacing("true", with: "").replacing("false", with: "")
      if withoutWords.contains(where: { "eE".contains($0) }) || bytes.isEmpty { continue }
      let foundation = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      #expect(accepted == (foundation != nil), "\(text)")
    }
    #expect(verdicts.allSatisfy { $0 > 500 }, "both verdicts were tried: \(verdicts)")
  }

  @Test func everyTruncationIsIncomplete() {
    let text =
      #" [1,-2.5e+3,"a\u00e9\n long enough for a word",{"k":[true,null],"":{}},[[]], NaN] "#
    let bytes = Array(text.utf8)
    let whole = text.dropLast().utf8.count
    for count in 0..<whole {
      let (scanner, end) = scan(Array(bytes[..<count]))
      #expect(end == nil && scanner.problem == .incomplete, "\(count)")
      #expect(scanner.offset == count)
    }
    #expect(scan(bytes).end == bytes.count)
  }

  @Test func startsWhereAsked() {
    let bytes = Array("garbage [1, 2] more".utf8)
    var scanner = JSONScanner(maximumDepth: 4)
    #expect(scanner.scan(bytes.span.bytes, from: 8) == 15)
    #expect(Array(scanner.elements.list.map(\.range)) == [ByteRange(9, 10), ByteRange(12, 13)])
    // Nothing of the last scan is left.
    #expect(scanner.scan(bytes.span.bytes, from: 15) == nil)
    #expect(scanner.elements.isEmpty && !scanner.isArray && scanner.problem == .unexpected)
  }

  /// What is not printable must be noticed wherever it stands: renderers pass plain text through.
  @Test(arguments: ["\u{7F}", "\u{80}", "é", "\u{9B}"])
  func unplainAtEveryPlace(odd: String) {
    for before in 0..<20 {
      for after in 0..<20 {
        let text =
          "[\"" + String(repeating: "a", count: before) + odd
          + String(repeating: "b", count: after) + "\",\"and more text behind it\"]"
        #expect(scan(text).0.hasUnplain, "\(before) before, \(after) after")
        #expect(scan(text.replacing("\"]", with: "\\n\"]")).0.hasUnplain)
      }
    }
    #expect(!scan("[\"plain ~ text\\u007f\",\"\"]").0.hasUnplain)
  }

  /// What some readers of JSON refuse must be noticed, too.
  @Test(arguments: [
    (#"["\ud800"]"#, true), (#"[{"\uDFFF":1}]"#, true), (#"["\\ud800"]"#, false),
    (#"["\ud7ff\u00d8"]"#, false), ("[1e309]", true), ("[1e99,0.5,1e308,1e-999]", false),
    ("[" + String(repeating: "9", count: 309) + "]", true), ("[12345678901234567890]", false),
    (String(repeating: "[", count: 99) + String(repeating: "]", count: 99), true),
    (String(repeating: "[", count: 60) + String(repeating: "]", count: 60), false),
  ])
  func whatNotAllTake(text: String, isNoticed: Bool) {
    #expect(scan(text).0.problem == nil)
    #expect(scan(text).0.hasUnplain == isNoticed)
  }
}

extension JSONElements {
  /// Those that are kept.
  fileprivate var list: [JSONElement] { (0..<min(count, Self.kept)).map { self[$0] } }
}
