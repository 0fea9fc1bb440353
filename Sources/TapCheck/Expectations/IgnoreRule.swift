// SPDX-License-Identifier: Apache-2.0
public import TapFilter

/// Findings to ignore.
public struct IgnoreRule {
  public var code: String
  /// Only matching ones; nil for all with the code.
  public var filter: Filter?
  /// The reason.
  public var reason: String
  /// The last valid day, `2027-03-01`; nil for always.
  public var until: String?

  public init(
    _ code: String, _ filter: Filter? = nil, because reason: String, until: String? = nil
  ) {
    (self.code, self.filter, self.reason, self.until) = (code, filter, reason, until)
  }

  /// ISO dates compare as text.
  func isOver(on today: String) -> Bool { until.map { $0 < today } ?? false }
}
