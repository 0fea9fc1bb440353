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
  private let form: any StatsForm

  private init(_ form: any StatsForm, _ options: Options) {
    self.form = form
    statistics = Statistics(
      limits: options.limits, slowest: options.slowest, failed: options.failed)
  }

  /// Text tables.
  public static func tables(_ options: Options) -> StatsRenderer {
    StatsRenderer(StatsTables(options: options), options)
  }

  /// One JSON object a row, and the summary last.
  public static func ndjson(_ options: Options = Options()) -> StatsRenderer {
    StatsRenderer(StatsNDJSON(inputs: options.inputs), options)
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
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan,
    into text: inout TextBuffer
  ) -> Bool {
    statistics.message(message, joined, bytes, subject: subject)
    return true
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ joined: Joined, _ bytes: RawSpan, subject: RawSpan,
    into text: inout TextBuffer
  ) {
    statistics.weigh(detail, joined)
  }

  public mutating func hidden(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, subject: RawSpan
  ) {
    statistics.hidden(message, joined, bytes, subject: subject)
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    statistics.finding(finding)
  }

  public mutating func untold(_ finding: Finding, connection: UInt32) {
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

  public var hasPreview: Bool { form.isRead }

  public mutating func preview(_ summary: Summary, into text: inout TextBuffer) {
    form.append(statistics, summary, to: &text)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    form.append(statistics, summary, to: &text)
  }
}
