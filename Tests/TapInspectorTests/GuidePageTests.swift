// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInputs
import TapInspector
import TapRender
import TapTraffic
import Testing

/// Everything that can be explained, as it is printed.
@Suite("Pages of the guide") struct GuidePageTests {
  private let guide = Guide(inputs: InputFindings.all)

  private func lines(
    width: Int, colored: Bool = false, _ write: (TopicPage, inout TextBuffer) -> Void
  ) -> [String] {
    let page = TopicPage(width: width, Style(isColored: colored)) { pasted, _ in pasted }
    var text = TextBuffer()
    write(page, &text)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Without white space, so that it does not matter where lines were broken.
  private func dense(_ text: some Sequence<Character>) -> String {
    String(text.filter { !$0.isWhitespace })
  }

  @Test("no line is wider than it may be", arguments: [40, 41, 55, 80, 99, 100])
  func widths(_ width: Int) {
    for topic in guide.topics {
      for line in lines(width: width, { $0.append(topic, to: &$1) }) {
        #expect(line.count <= width || isOfMessage(line), "\(topic.name): \(line)")
        #expect(line.last != " ", "\(topic.name): \(line)")
      }
    }
    for line in lines(width: width, { $0.append(listOf: guide.topics, to: &$1) }) {
      #expect(line.count <= width, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  /// A text as it stands between quotes of the shell.
  private func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }

  /// Of a message that can be pasted, no string is broken: whether a line is a part of one.
  private func isOfMessage(_ line: String) -> Bool {
    line.prefix(20).allSatisfy { $0 == " " } && (line.contains("'") || line.contains("\""))
  }

  @Test("widths beyond what can be read are not used", arguments: [(0, 40), (-5, 40), (1000, 100)])
  func limits(_ width: Int, _ used: Int) {
    let narrow = lines(width: width) { $0.append(listOf: guide.topics, to: &$1) }
    #expect(narrow == lines(width: used) { $0.append(listOf: guide.topics, to: &$1) })
  }

  @Test("nothing is lost in breaking lines", arguments: [40, 80])
  func wholeness(_ width: Int) {
    for topic in guide.topics {
      let text = dense(lines(width: width) { $0.append(topic, to: &$1) }.joined())
      var wanted = [topic.name, topic.label, topic.summary, topic.source]
      for part in topic.parts {
        switch part.body {
        case .prose(let prose): wanted.append(prose)
        case .lines(let forms): wanted += forms
        case .example(let pasted, _): wanted += pasted.map(quoted)
        }
      }
      for piece in wanted { #expect(text.contains(dense(piece)), "\(topic.name): \(piece)") }
    }
  }

  @Test("examples can be copied: no message is broken at the usual width")
  func examples() {
    for topic in guide.topics {
      let text = lines(width: 80) { $0.append(topic, to: &$1) }
      for part in topic.parts {
        guard case .example(let pasted, _) = part.body else { continue }
        // Behind the column and the margin, with quotes and a backslash.
        for message in pasted.map(quoted) where message.count <= 80 - 16 - 4 - 4 {
          #expect(text.contains { $0.contains("'\(message)'") }, "\(topic.name): \(message)")
        }
      }
    }
  }

  @Test("longer ones are broken between the tokens of JSON", arguments: [40, 80])
  func breaks(_ width: Int) {
    for topic in guide.topics where !topic.parts.isEmpty {
      let text = lines(width: width) { $0.append(topic, to: &$1) }.joined(separator: "\n")
      for part in topic.parts {
        guard case .example(let pasted, _) = part.body else { continue }
        for message in pasted where message.hasPrefix("[") || message.hasPrefix("{") {
          // As it is between its quotes, without what stands before each line.
          let found = text.replacing("'\\''", with: "’").split(separator: "'").map { word in
            word.split(separator: "\n").map { $0.drop { $0 == " " } }
          }
          #expect(
            found.contains { lines in
              lines.joined() == message.replacing("'", with: "’")
                && lines.dropLast().allSatisfy { ",:[{".contains($0.last ?? " ") }
            }, "\(topic.name): \(message)")
        }
      }
    }
  }

  @Test("the list names everything once")
  func list() {
    let words = lines(width: 80) { $0.append(listOf: guide.topics, to: &$1) }
      .flatMap { $0.split(separator: " ").map(String.init) }
    for topic in guide.topics where topic.numbers == nil || topic.numbers!.count == 1 {
      #expect(words.contains(topic.name), "\(topic.name)")
    }
    for finding in guide.findings {
      #expect(words.filter { $0 == finding.code.name }.count == 1, "\(finding.code.name)")
    }
  }

  @Test("colours change nothing but colours")
  func colours() {
    for topic in guide.topics {
      let plain = lines(width: 80) { $0.append(topic, to: &$1) }
      let colored = lines(width: 80, colored: true) { $0.append(topic, to: &$1) }
      #expect(colored != plain)
      #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
    }
  }
}
