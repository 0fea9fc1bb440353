// SPDX-License-Identifier: Apache-2.0

/// What a test comes to (Kleene's three values).
enum Truth: UInt8, Sendable {
  case no, yes
  /// What decides was not captured.
  case unknown

  init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

  /// True when either is.
  func or(_ other: Truth) -> Truth {
    if self == .yes || other == .yes { return .yes }
    return self == .unknown || other == .unknown ? .unknown : .no
  }
}
