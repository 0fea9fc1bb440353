// SPDX-License-Identifier: Apache-2.0

/// How many lines must match.
public struct CountBounds: Sendable, Equatable {
  public var least: UInt64?
  public var most: UInt64?

  /// `exactly` is both.
  public init(least: UInt64? = nil, most: UInt64? = nil) {
    (self.least, self.most) = (least, most)
  }

  /// `at least 1`, `at most 3`, `exactly 2`, `2 to 5`.
  var text: String {
    switch (least, most) {
    case (let least?, let most?): least == most ? "exactly \(least)" : "\(least) to \(most)"
    case (let least?, nil): "at least \(least)"
    case (nil, let most?): "at most \(most)"
    case (nil, nil): "any number"
    }
  }
}
