// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Statistics of all traffic, in one form or another; written at the end.
public struct StatsRenderer: Renderer {
  public struct Options: Sendable {
    /// Columns of the terminal; nil outside one, where nothing is cut.
    public var width: Int?
    public var isColored = false
    /// Rows of each table; the rest is summed in one more.
    public var rows = 20
    public var limits = Limits()
    /// Nil for the order that each table has of its own.
    public var sorting: StatsSorting?
    /// How many of the slowest exchanges, and of those that failed, are listed one by one; tables
    /// that sum up are left out then.
    public var slowest = 0
    public var failed = 0
    /// Names of the inputs as typed, where there are several.
    public var inputs: [String] = []

    public init() {}
  }

  private var statistics: Statistics
  private let options: Options
  /// Otherwise people read it.
  private let isNDJSON: Bool

  private init(isNDJSON: Bool, _ options: Options) {
    (self.isNDJSON, self.options) = (isNDJSON, options)
    statistics = Statistics(
      limits: options.limits, slowest: options.slowest, failed: options.failed)
  }

  /// Text tables.
  public static func tables(_ options: Options) -> StatsRenderer {
    StatsRenderer(isNDJSON: false, options)
  }

  /// One JSON object a row, and the summary last.
  public static func ndjson(_ options: Options = Options()) -> StatsRenderer {
    StatsRenderer(isNDJSON: true, options)
  }

  public var wishes: Detail.Wishes { [.details, .frames, .hidden] }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    statistics.opened(opening, connection, delivery.origin)
  }

  public mutating func refused(_ attempt: Opening, _ delivery: Delivery) {
    statistics.refused(attempt, delivery.origin)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    statistics.message(message, view)
    return true
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    statistics.weigh(detail, view.joined)
  }

  public mutating func hidden(_ message: Message, _ view: MessageView) {
    statistics.hidden(message, view)
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    statistics.finding(finding)
  }

  public mutating func unreported(_ finding: Finding, connection: UInt32) {
    statistics.finding(finding)
  }

  public mutating func keepAlive(_ keepAlive: KeepAlive, connection: UInt32) {
    statistics.keepAlive(keepAlive, connection)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    statistics.closed(closing, connection, delivery.origin)
  }

  public var hasPreview: Bool { !isNDJSON }

  public mutating func preview(_ summary: Summary, into text: inout TextBuffer) {
    self.summary(summary, into: &text)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    if isNDJSON {
      var rows = StatsRows(statistics: statistics, inputs: options.inputs)
      return rows.append(summary, to: &text)
    }
    let style = Style(isColored: options.isColored)
    let start = text.count
    if summary.messages > 0 {
      StatsText.overall(statistics, summary, &text)
      if let width = options.width { TextLayout.wrap(&text, from: start, to: width, indent: 4) }
      text.append("\n")
    }
    let tables = StatsText(
      statistics: statistics, rows: max(options.rows, 1), sorting: options.sorting,
      inputs: options.inputs)
    for table in tables.all where !table.isEmpty {
      table.append(to: &text, width: options.width, style)
    }
    if text.count > start { text.append("\n") }
    SummaryLine.appendLine(summary, width: options.width, style, to: &text)
  }
}
