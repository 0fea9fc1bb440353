// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// The ladder of sessions as text: one column for each peer, one arrow for each message.
///
/// Columns are known when the last message is, so the ladder is drawn at the end, or whenever as
/// much was told as `Limits` lets it keep.
public struct LadderRenderer: Renderer {
  private var page: LadderPage
  private var picture: LadderPicture
  private let options: LineRenderer.Options
  public private(set) var kept = 0
  private var hasDrawn = false

  /// - Parameter options: what of it is about trees, frames and octets is of no use here.
  public init(_ options: LineRenderer.Options, _ narrowing: Narrowing, _ limits: Limits) {
    self.options = options
    page = LadderPage(narrowing, limits)
    picture = LadderPicture(options)
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
    let begin = text.count
    draw(&text)
    if !hasDrawn && text.count == begin && !page.narrowing.isEmpty {
      text.append("nothing that was read matches\n")
    }
    if options.isQuiet { return }
    if picture.sharing > 0 {
      remark(
        "+\(picture.sharing): that many connections share the last column, as there is no room for"
          + " more; --session, --subject or --width makes some", &text)
    }
    if picture.hasInferred {
      remark("~ is in this exchange by its subject and payload, not by an id", &text)
    }
    if !summary.hasPackets { return }
    let start = text.count
    let style = Style(isColored: options.isColored)
    style.begin(.dim, &text)
    SummaryLine.append(summary, to: &text)
    style.end(&text)
    if let width = options.width { text.wrap(from: start, to: width, indent: 4) }
    text.append("\n")
  }

  private func remark(_ words: String, _ text: inout TextBuffer) {
    let start = text.count
    text.append(words)
    if let width = options.width { text.wrap(from: start, to: width, indent: 4) }
    text.append("\n")
  }

  private mutating func turnIfFull(_ text: inout TextBuffer) {
    if page.isFull { draw(&text) }
  }

  private mutating func draw(_ text: inout TextBuffer) {
    let begin = text.count
    picture.draw(&page, into: &text)
    page.turn()
    kept = 0
    if text.count > begin { hasDrawn = true }
  }
}
