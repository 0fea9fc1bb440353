// SPDX-License-Identifier: Apache-2.0
import TapFilter

/// A bound on a latency statistic: `p95: < 200ms`.
public struct LatencyBound: Sendable, Equatable {
  public enum Statistic: String, Sendable, CaseIterable {
    case min, p50, p90, p95, p99, max, mean

    /// The percentile; nil for the mean.
    var percent: Int? {
      switch self {
      case .min: 0
      case .p50: 50
      case .p90: 90
      case .p95: 95
      case .p99: 99
      case .max: 100
      case .mean: nil
      }
    }
  }

  public enum Relation: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  public var statistic: Statistic
  public var relation: Relation
  public var nanoseconds: Int64

  public init(_ statistic: Statistic, _ relation: Relation, _ nanoseconds: Int64) {
    (self.statistic, self.relation, self.nanoseconds) = (statistic, relation, nanoseconds)
  }

  /// Whether it holds for a value between `low` and `high`, in nanoseconds.
  func truth(_ low: Int64, _ high: Int64) -> Truth {
    let (first, last) = (holds(low), holds(high))
    return first == last ? (first ? .yes : .no) : .unknown
  }

  private func holds(_ value: Int64) -> Bool {
    switch relation {
    case .less: value < nanoseconds
    case .lessOrEqual: value <= nanoseconds
    case .greater: value > nanoseconds
    case .greaterOrEqual: value >= nanoseconds
    }
  }
}
