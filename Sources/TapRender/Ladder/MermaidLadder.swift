// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The ladder as a sequence diagram of Mermaid.
struct MermaidLadder: LadderForm {
  private var diagram: MermaidDiagram
  private let options: LineRenderer.Options

  init(_ options: LineRenderer.Options) {
    self.options = options
    diagram = MermaidDiagram(inputs: options.inputs)
  }

  mutating func draw(_ page: inout LadderPage, into text: inout TextBuffer) {
    diagram.draw(&page, into: &text)
  }

  mutating func end(_ summary: Summary, isMissed: Bool, into text: inout TextBuffer) {
    if isMissed {
      diagram.begin(&text)
      text.append("  %% nothing that was read matches\n")
    }
    if options.isQuiet || !diagram.hasBegun { return }
    if diagram.hasInferred {
      text.append("  %% ~ is in this exchange by its subject and payload, not by an id\n")
    }
    if !summary.isWorthALine { return }
    text.append("  %% ")
    SummaryLine.append(summary, to: &text)
    text.append("\n")
  }
}
