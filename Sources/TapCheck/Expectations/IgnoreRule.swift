// SPDX-License-Identifier: Apache-2.0
public import TapFilter

/// Findings that are known, and do not count.
public struct IgnoreRule {
  public var code: String
  /// Only those that match; nil for all of the code.
  public var filter: Filter?
  /// Why.
  public var reason: String
  /// The last day on which it holds, `2027-03-01`; nil for always.
  public var until: String?

  public init(
    _ code: String, _ filter: Filter? = nil, because reason: String, until: String? = nil
  ) {
    (self.code, self.filter, self.reason, self.until) = (code, filter, reason, until)
  }

  /// Days as they are written compare as text.
  func isOver(on today: String) -> Bool { until.map { $0 < today } ?? false }
}
