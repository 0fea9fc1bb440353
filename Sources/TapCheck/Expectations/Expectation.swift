// SPDX-License-Identifier: Apache-2.0
public import TapFilter

/// One expectation about the traffic, as in the file: `each: CALL`, `none: failed`.
public struct Expectation {
  /// What is expected of the matching messages.
  public enum Form {
    /// Each matching request gets its final answer, within this many nanoseconds if given.
    case each(within: Int64?)
    /// This many lines match.
    case count(CountBounds)
    /// No line matches.
    case none
    /// Bounds for the latencies of matching answers; there must be at least `least` of these.
    case latency([LatencyBound], least: Int)
    /// The filters match in this order, from the first to the last within this many nanoseconds if
    /// given.
    case inOrder(within: Int64?)

    /// Its key in the file.
    public var key: StaticString {
      switch self {
      case .each: "each"
      case .count: "count"
      case .none: "none"
      case .latency: "latency"
      case .inOrder: "in-order"
      }
    }
  }

  /// The groups for which an expectation is checked separately.
  public enum Grouping: String, Sendable, CaseIterable {
    case session, connection, subject, client
  }

  /// Its unique name, used in reports.
  public var name: String
  public var form: Form
  /// One filter, or the steps of `in-order`.
  public var filters: [Filter]
  /// Nil for all traffic together.
  public var grouping: Grouping?
  public var place: SourceLine

  public init(
    name: String, _ form: Form, _ filters: [Filter], per grouping: Grouping? = nil,
    at place: SourceLine
  ) {
    (self.name, self.form, self.filters) = (name, form, filters)
    (self.grouping, self.place) = (grouping, place)
  }

  /// The place where it is defined.
  public struct SourceLine: Sendable, Hashable {
    /// Empty for the command line.
    public var file: String
    /// From 1.
    public var line: Int

    public init(file: String, line: Int) { (self.file, self.line) = (file, line) }
  }
}
