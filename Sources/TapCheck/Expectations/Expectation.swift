// SPDX-License-Identifier: Apache-2.0
public import TapFilter

/// One promise about the traffic, as the file has it: `each: CALL`, `none: failed`.
public struct Expectation {
  /// What is promised of the messages that match.
  public enum Form {
    /// Each request that matches gets its last answer, within so many nanoseconds where there is a
    /// number.
    case each(within: Int64?)
    /// So many lines match.
    case count(CountBounds)
    /// No line matches.
    case none
    /// The latencies of answers that match, at least so many of them.
    case latency([LatencyBound], least: Int)
    /// The filters match one after the other; from the first to the last within so many
    /// nanoseconds.
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

  /// What a promise is kept for separately.
  public enum Grouping: String, Sendable, CaseIterable {
    case session, connection, subject, client
  }

  /// Unique among all; what reports call it.
  public var name: String
  public var form: Form
  /// One, or the steps of `in-order`.
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

  /// Where it was written.
  public struct SourceLine: Sendable, Hashable {
    /// Empty for what was typed on the command line.
    public var file: String
    /// From 1.
    public var line: Int

    public init(file: String, line: Int) { (self.file, self.line) = (file, line) }
  }
}
