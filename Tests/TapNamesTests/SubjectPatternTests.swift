// SPDX-License-Identifier: Apache-2.0
import TapNames
import Testing

@Suite("Subject patterns") struct SubjectPatternTests {
  @Test(
    "match what WAMP's own would",
    arguments: [
      ("com.chat", "com.chat", true), ("com.chat", "com.chat.a", false),
      ("com.chat", "com", false), ("com.chat.*", "com.chat.a.b", true),
      ("com.chat.*", "com.chat", false), ("com.chat.*", "com.chatter.a", false),
      ("com.cha*", "com.chatter.a", true), ("com.cha*", "com.cha", true),
      ("com..update", "com.a.update", true), ("com..update", "com.a.b.update", false),
      ("com..update", "com..update", false), ("com..update", "com.a.updates", false),
      ("com..*", "com.a.b", true), ("com..*", "com.a", false),
      ("*", "anything.at.all", true), ("*", "", true), ("com.", "com.a", true),
      ("com.", "com.", false), ("é.*", "é.a", true), ("é.*", "e.a", false),
    ])
  func matches(_ pattern: String, _ subject: String, _ isMatch: Bool) throws {
    let bytes = Array(subject.utf8)
    #expect(try SubjectPattern(pattern).matches(bytes.span.bytes) == isMatch)
  }

  @Test(
    "say when they match what is not known", arguments: [("*", true), ("a*", false), ("a", false)])
  func unknown(_ pattern: String, _ isMatch: Bool) throws {
    #expect(try SubjectPattern(pattern).matchesUnknown == isMatch)
    #expect(SubjectPattern.any.matchesUnknown)
  }

  @Test(
    "are refused with the reason",
    arguments: [("", "without a character"), ("a*b", "at the end"), ("a b", "no spaces")])
  func refusals(_ pattern: String, _ reason: String) {
    let fault = #expect(throws: NamesFault.self) { try SubjectPattern(pattern) }
    #expect(fault?.text.contains(reason) == true)
  }
}
