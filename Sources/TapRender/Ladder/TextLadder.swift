// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The ladder as text.
struct TextLadder: LadderForm {
  private var picture: LadderPicture
  private let options: LineRenderer.Options

  init(_ options: LineRenderer.Options) {
    self.options = options
    picture = LadderPicture(options)
  }

  mutating func draw(_ page: inout LadderPage, into text: inout TextBuffer) {
    picture.draw(&page, into: &text)
  }

  func end(_ summary: Summary, isMissed: Bool, into text: inout TextBuffer) {
    if isMissed { text.append("nothing that was read matches\n") }
    if options.isQuiet { return }
    if picture.sharing > 0 {
      remark(
        "+\(picture.sharing): that many connections share the last column, as there is no room for"
          + " more; --session, --subject or --width makes some", &text)
    }
    if picture.hasInferred {
      remark("~ is in this exchange by its subject and payload, not by an id", &text)
    }
    if !summary.isWorthALine { return }
    let start = text.count
    let style = Style(isColored: options.isColored)
    style.begin(.dim, &text)
    SummaryLine.append(summary, to: &text)
    style.end(&text)
    if let width = options.width { TextLayout.wrap(&text, from: start, to: width, indent: 4) }
    text.append("\n")
  }

  private func remark(_ words: String, _ text: inout TextBuffer) {
    let start = text.count
    text.append(words)
    if let width = options.width { TextLayout.wrap(&text, from: start, to: width, indent: 4) }
    text.append("\n")
  }
}
