// SPDX-License-Identifier: Apache-2.0

/// The result of a test (Kleene's three-valued logic).
public enum Truth: UInt8, Sendable {
  case no, yes
  /// The deciding data was not captured.
  case unknown

  public init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

  /// Logical or.
  public func or(_ other: Truth) -> Truth {
    if self == .yes || other == .yes { return .yes }
    return self == .unknown || other == .unknown ? .unknown : .no
  }

  /// Logical and.
  public func and(_ other: Truth) -> Truth {
    if self == .no || other == .no { return .no }
    return self == .unknown || other == .unknown ? .unknown : .yes
  }
}
