// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// The ladder of sessions, in one form or another.
///
/// Columns are known when the last message is, so the ladder is drawn at the end, or whenever as
/// much was reported as `Limits` lets it keep.
public struct LadderRenderer: Renderer {
  private var page: LadderPage
  private var form: any LadderForm
  private var hasDrawn = false

  private init(_ form: any LadderForm, _ narrowing: LadderFilter, _ limits: Limits) {
    (self.form, page) = (form, LadderPage(narrowing, limits))
  }

  /// One column for each peer, one arrow for each message.
  ///
  /// - Parameter options: what of it is about trees, frames and bytes is of no use here.
  public static func text(
    _ options: LineRenderer.Options, _ narrowing: LadderFilter, _ limits: Limits
  ) -> LadderRenderer {
    LadderRenderer(LadderPicture(options), narrowing, limits)
  }

  /// A sequence diagram of Mermaid (https://mermaid.js.org), which many places draw that show
  /// Markdown.
  public static func mermaid(
    _ options: LineRenderer.Options, _ narrowing: LadderFilter, _ limits: Limits
  ) -> LadderRenderer {
    LadderRenderer(MermaidDiagram(options), narrowing, limits)
  }

  public mutating func begins(at time: Instant) { page.begin(at: time) }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    turnIfFull(&text)
    page.opened(opening, connection: connection, delivery)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    turnIfFull(&text)
    return page.message(message, view)
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
    form.end(summary, isMissed: !hasDrawn && !page.narrowing.isEmpty, into: &text)
  }

  private mutating func turnIfFull(_ text: inout TextBuffer) {
    if page.isFull { draw(&text) }
  }

  private mutating func draw(_ text: inout TextBuffer) {
    let begin = text.count
    form.draw(&page, into: &text)
    page.turn()
    if text.count > begin { hasDrawn = true }
  }
}
