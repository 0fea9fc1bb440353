// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapRender
import TapTraffic
import Testing

@Suite struct TopicPageTests {
  private func page(_ parts: [Topic.Part], width: Int = 40) -> String {
    let page = TopicPage(width: width, Style(isColored: false)) { pasted, _ in
      pasted.map { "READ        \($0)" }
    }
    let topic = Topic(Topic.Group("Things", "thing"), "NAME", "What it is.", parts, source: "RFC 1")
    var text = TextBuffer()
    page.append(topic, to: &text)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }

  @Test func partsStandInTwoColumns() {
    let text = page([
      .sender("client → server"), .answers(""), .layout(["[ONE, Request|id]", "[ONE]"]),
      .causes("x"),
    ])
    #expect(
      text == """
        NAME  thing

          What it is.

          Sent by       client → server
          Layout        [ONE, Request|id]
                        [ONE]
          Usual cause   x
          Source        RFC 1

        """)
  }

  @Test func textIsBrokenBetweenWords() {
    #expect(
      page([.causes("a cause that goes on and on, as long as it likes")]).contains(
        """
          Usual cause   a cause that goes on and
                        on, as long as it likes

        """))
  }

  @Test func formsAreIndentedWhereTheyAreBroken() {
    #expect(
      page([.layout(["[ONE, Request|id, Options|dict]"])]).contains(
        """
          Layout        [ONE, Request|id,
                            Options|dict]

        """))
  }

  @Test func wordsThatAreTooLongAreCut() {
    let long = String(repeating: "0123456789", count: 5)
    #expect(
      page([.causes("so \(long)")]).contains(
        """
                        so
                        012345678901234567890123
                        456789012345678901234567
                        89

        """.dropFirst(22)))
  }

  @Test func examplesAreOneCommandAndWhatItPrints() {
    #expect(
      page([.example(["[1]", "[2]"])], width: 50).contains(
        """
          Example       $ wamptap '[1]' '[2]'
                        READ        [1]
                        READ        [2]

        """))
    #expect(
      page([.example(["[1,2,3]", "[4,5,6]"])]).contains(
        """
          Example       $ wamptap '[1,2,3]' \\
                            '[4,5,6]'
                        READ        [1,2,3]
                        READ        [4,5,6]

        """))
  }

  @Test func theListGoesDownTheColumnsInTheOrderOfNumbers() {
    let group = Topic.Group("Things", "thing")
    func topic(_ name: String, _ number: UInt64) -> Topic {
      Topic(group, name, "A thing.", numbers: number...number, source: "RFC 1")
    }
    let other = Topic(
      Topic.Group("Others", "other"), "a-name-that-is-wider-than-half-a-line", "It.",
      source: "RFC 1")
    let range = Topic(group, "range", "It.", numbers: 50...60, source: "RFC 1")
    let page = TopicPage(width: 40, Style(isColored: false)) { pasted, _ in pasted }
    var text = TextBuffer()
    page.append(
      listOf: [topic("THREE", 3), topic("ONE", 1), range, topic("TEN", 10), other], to: &text)
    #expect(
      String(decoding: text.bytes.copied(), as: Unicode.UTF8.self) == """
        Things
           1 ONE     3 THREE  10 TEN

        Others
          a-name-that-is-wider-than-half-a-line

        """)
  }
}
