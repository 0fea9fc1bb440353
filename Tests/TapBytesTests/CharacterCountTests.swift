// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@Suite("Characters of a text") struct CharacterCountTests {
  @Test(
    "are the bytes that continue none",
    arguments: [
      ("", 0), ("a", 1), ("wamp", 4), ("12345678", 8), ("123456789", 9), ("é", 1), ("aé", 2),
      ("ééééé", 5), ("日本語のテキスト", 8), ("a😀b", 3), ("1234567é", 8), ("\u{0}\u{7F}", 2),
    ])
  func characters(text: String, count: Int) {
    #expect(Array(text.utf8).span.bytes.characterCount == count)
  }
}
