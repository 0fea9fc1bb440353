// SPDX-License-Identifier: Apache-2.0

/// What a test comes to (Kleene's three values).
public enum Truth: UInt8, Sendable {
  case no, yes
  /// What decides was not captured.
  case unknown

  public init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

  /// True when either is.
  public func or(_ other: Truth) -> Truth {
    if self == .yes || other == .yes { return .yes }
    return self == .unknown || other == .unknown ? .unknown : .no
  }

  /// True when both are.
  public func and(_ other: Truth) -> Truth {
    if self == .no || other == .no { return .no }
    return self == .unknown || other == .unknown ? .unknown : .yes
  }
}
