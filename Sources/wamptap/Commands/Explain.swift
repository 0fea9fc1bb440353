// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapCheck
import TapFilter
import TapInputs
import TapInspector
import TapRender

/// `wamptap explain 33`: what a number, a name or a code means.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say what a message type, a code, a URI or a finding means.",
    discussion: """
      WHAT is a number or a name, in upper or lower case: 33, subscribed, 0x9, 1006, exclude_me, \
      wamp.error.no_such_procedure, wamp.subprotocol-missing. A number is explained in all it \
      can mean. Without an argument, the list of everything is printed.

      Exit status: 0 done, 64 bad usage, or an unknown word.
      """)

  @Argument(help: ArgumentHelp("A number or a name.", valueName: "what"))
  var words: [String] = []

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color = OutputOptions.Color.auto

  func run() throws {
    let guide = Guide(inputs: InputFindings.all, others: FilterGuide.topics + CheckGuide.topics)
    let style = Style(isColored: color == .auto ? Terminal.wantsColor : color == .always)
    let page = TopicPage(width: Terminal.width ?? 80, style, decode: Example.lines(_:dialect:))
    var text = TextBuffer()
    if words.isEmpty { page.append(listOf: guide.topics, to: &text) }
    var unknown: [String] = []
    for word in words {
      let topics = guide.topics(for: word)
      if topics.isEmpty { unknown.append(word) }
      for topic in topics {
        if !text.isEmpty { text.append("\n") }
        page.append(topic, to: &text)
      }
    }
    try Output.show(&text)
    for word in unknown { report(word, guide) }
    if !unknown.isEmpty { throw ExitCode(64) }
  }

  private func report(_ word: String, _ guide: Guide) {
    let nearest = guide.nearest(to: word)
    let hint =
      word.hasPrefix("[")
      ? "to decode a message, leave 'explain' out"
      : nearest.isEmpty
        ? "'wamptap explain' lists what is known"
        : "did you mean \(nearest.joined(separator: ", "))?"
    Terminal.report("\(word): nothing is known of that; \(hint)")
  }
}
