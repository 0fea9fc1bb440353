// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// The ladder of sessions as a sequence diagram of Mermaid (https://mermaid.js.org), which many
/// places draw that show Markdown.
public struct MermaidRenderer: Renderer {
  private var page: LadderPage
  private var diagram: MermaidDiagram
  private let options: LineRenderer.Options
  public private(set) var kept = 0

  public init(_ options: LineRenderer.Options, _ narrowing: Narrowing, _ limits: Limits) {
    self.options = options
    page = LadderPage(narrowing, limits)
    diagram = MermaidDiagram(inputs: options.inputs)
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    turnIfFull(&text)
    page.opened(opening, connection: connection, delivery)
  }

  public mutating func message(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>,
    subject: RawSpan, into text: inout TextBuffer
  ) {
    turnIfFull(&text)
    if page.message(message, joined, bytes, notes, subject: subject) { kept += 1 }
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    turnIfFull(&text)
    page.finding(finding, connection: connection, messages: messages)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    turnIfFull(&text)
    page.closed(closing, connection: connection, delivery)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    draw(&text)
    if !diagram.hasBegun && !page.narrowing.isEmpty {
      diagram.begin(&text)
      text.append("  %% nothing that was read matches\n")
    }
    if options.isQuiet || !diagram.hasBegun { return }
    if diagram.hasInferred {
      text.append("  %% ~ is in this exchange by its subject and payload, not by an id\n")
    }
    if !summary.hasPackets { return }
    text.append("  %% ")
    SummaryLine.append(summary, to: &text)
    text.append("\n")
  }

  private mutating func turnIfFull(_ text: inout TextBuffer) {
    if page.isFull { draw(&text) }
  }

  private mutating func draw(_ text: inout TextBuffer) {
    diagram.draw(&page, into: &text)
    page.turn()
    kept = 0
  }
}
