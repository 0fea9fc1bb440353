// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TapFilter

@Suite("Regular expressions") struct PatternTests {
  @Test(
    "are found in texts",
    arguments: [
      ("abc", "xabcx", true), ("abc", "xabx", false), ("^abc$", "abc", true),
      ("^abc$", "abcd", false), ("a.c", "aéc", true), ("^...$", "éžß", true),
      ("^..$", "éžß", false), ("a|b", "xb", true), ("^(a|b)+$", "abba", true),
      ("^(a|b)+$", "abca", false), (#"\d{3,4}"#, "a12b", false), (#"\d{3,4}"#, "a123b", true),
      (#"^\d{2}$"#, "123", false), (#"\bcat\b"#, "a cat.", true), (#"\bcat\b"#, "concat", false),
      (#"\Bcat"#, "concat", true), ("[^a-c]", "abc", false), ("[^a-c]", "abd", true),
      ("[]x]", "]", true), ("[é]", "xé", true), ("[^\"]é", "xé", true), ("", "", true),
      ("^$", "x", false), ("a*", "", true), ("(a*)*b", "aaaab", true), ("a{0}b", "b", true),
      (#"[\w.]+@[\w.]+\.\w+"#, "write to jane.doe@example.org now", true),
      (#"\x41"#, "A", true), (#"\$1\.50"#, "is $1.50", true), ("a+?b", "aab", true),
    ])
  func found(_ pattern: String, _ text: String, _ isFound: Bool) throws {
    let pattern = try Pattern(Array(pattern.utf8), ignoresCase: false)
    let bytes = Array(text.utf8)
    let isMatch = pattern.matches(bytes.span.bytes)
    #expect(isMatch == isFound)
  }

  @Test("ignore case only where they are reported to")
  func cases() throws {
    let text = Array("Crossbar".utf8)
    for (pattern, ignoresCase, isFound) in [
      ("crossBAR", false, false), ("crossBAR", true, true), ("[a-c]rossb", true, true),
    ] {
      let machine = try Pattern(Array(pattern.utf8), ignoresCase: ignoresCase)
      let isMatch = machine.matches(text.span.bytes)
      #expect(isMatch == isFound)
    }
  }

  @Test(
    "that are none say why",
    arguments: [
      ("a[bc", "'[' is not closed"), ("(a", "'(' is not closed"), ("a)", "')' closes nothing"),
      ("*a", "'*' repeats nothing"), ("a{3,2}", "at most 2 is less than at least 3"),
      ("a{2000}", "more than 1000 repetitions"), (#"(a)\1"#, "back-references"),
      ("(?=a)", "looking ahead"), ("[z-a]", "ends before it begins"), (#"\q"#, "means nothing"),
      ("(a{100}){100}", "too large"), ("^*", "no length"), (#"a\"#, "stands before nothing"),
    ])
  func refused(_ pattern: String, _ reason: String) {
    do {
      _ = try Pattern(Array(pattern.utf8), ignoresCase: false)
      Issue.record("\(pattern) was read")
    } catch {
      #expect(error.text.contains(reason))
    }
  }

  /// If each letter were tried again from each other one, they would take hours.
  @Test(
    "take time in proportion to the text, whatever they are", .timeLimit(.minutes(10)),
    arguments: ["(a*)*b", "(a|aa)+$x", "(a?){30}a{30}b", "(.*a){20}b", "(x+x+)+y|a{50}b"])
  func linear(hostile: String) throws {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 200_000)
    let pattern = try Pattern(Array(hostile.utf8), ignoresCase: false)
    let isMatch = pattern.matches(text.span.bytes)
    #expect(!isMatch)
  }

  @Test("with more states than are kept find the same")
  func manyStates() throws {
    // Which of the last twelve bytes are an a: 4096 states.
    let pattern = try Pattern(Array("a[ab]{11}$".utf8), ignoresCase: false)
    var seed: UInt64 = 7
    for length in 12..<400 {
      var text: [UInt8] = []
      for _ in 0..<length {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1
        text.append(seed >> 60 & 1 == 0 ? UInt8(ascii: "a") : UInt8(ascii: "b"))
      }
      let isMatch = pattern.matches(text.span.bytes)
      #expect(isMatch == (text[length - 12] == UInt8(ascii: "a")))
    }
  }
}
