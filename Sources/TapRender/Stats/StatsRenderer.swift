// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// What all traffic comes to, in tables: nothing before the end.
public struct StatsRenderer: Renderer {
  public struct Options: Sendable {
    /// Columns of the terminal; nil outside one, where nothing is cut.
    public var width: Int?
    public var isColored = false
    /// Rows of each table; the rest is summed in one more.
    public var rows = 20
    public var limits = Limits()

    public init() {}
  }

  private let options: Options
  private var statistics: Statistics

  public init(_ options: Options) {
    self.options = options
    statistics = Statistics(limits: options.limits)
  }

  public var wishes: Detail.Wishes { [.details, .frames, .expectation] }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    statistics.opened(opening, connection, delivery.origin)
  }

  public mutating func message(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan,
    into text: inout TextBuffer
  ) {
    statistics.message(message, joined, bytes, subject: subject)
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ joined: Joined, _ bytes: RawSpan, subject: RawSpan,
    into text: inout TextBuffer
  ) {
    statistics.weigh(detail, joined)
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    statistics.finding(finding)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    statistics.closed(closing, connection, delivery.origin)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    let style = Style(isColored: options.isColored)
    let start = text.count
    if summary.messages > 0 {
      StatsText.overall(statistics, summary, &text)
      if let width = options.width { text.wrap(from: start, to: width, indent: 4) }
      text.append("\n")
    }
    let tables = StatsText(statistics: statistics, rows: max(options.rows, 1))
    for table in tables.all where !table.isEmpty {
      table.append(to: &text, width: options.width, style)
    }
    if text.count > start { text.append("\n") }
    let last = text.count
    style.begin(.dim, &text)
    SummaryLine.append(summary, to: &text)
    style.end(&text)
    if let width = options.width { text.wrap(from: last, to: width, indent: 4) }
    text.append("\n")
  }
}
