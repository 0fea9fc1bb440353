// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// What all traffic comes to, in one form or another: nothing before the end.
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

  private var statistics: Statistics
  private let form: any StatsForm

  private init(_ form: any StatsForm, _ limits: Limits) {
    (self.form, statistics) = (form, Statistics(limits: limits))
  }

  /// Text tables.
  public static func tables(_ options: Options) -> StatsRenderer {
    StatsRenderer(StatsTables(options: options), options.limits)
  }

  /// One JSON object a row, and the summary last.
  public static func ndjson(_ limits: Limits = Limits()) -> StatsRenderer {
    StatsRenderer(StatsNDJSON(), limits)
  }

  public var wishes: Detail.Wishes { [.details, .frames, .expectation] }

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
    form.append(statistics, summary, to: &text)
  }
}
