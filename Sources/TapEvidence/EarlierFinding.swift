// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What is known of a finding that an earlier run of this program told, by its code alone.
public struct EarlierFinding: Sendable {
  /// It is about messages, and is found anew where they are read again; any other is about what
  /// they were in, which is gone.
  public var isRepeatable: Bool
  /// See `Explanation.isLoss`.
  public var isLoss: Bool
  /// Its connection may be several that could not be told apart: it is told again, under this code.
  public var mixing: Finding.Code?

  public init(isRepeatable: Bool = true, isLoss: Bool = false, mixing: Finding.Code? = nil) {
    (self.isRepeatable, self.isLoss, self.mixing) = (isRepeatable, isLoss, mixing)
  }
}
