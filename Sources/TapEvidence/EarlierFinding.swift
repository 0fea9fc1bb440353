// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What the code of a finding says that an earlier run of this program has printed.
public struct EarlierFinding: Sendable {
  /// It is about the messages themselves, and is found again when they are decoded again. Any other
  /// is about what carried them (packets, frames), which is no longer there.
  public var isRepeatable: Bool
  /// See `Explanation.isLoss`.
  public var isLoss: Bool
  /// The code under which it is reported again, because its connection may be several that could
  /// not be told apart.
  public var mixing: Finding.Code?

  public init(isRepeatable: Bool = true, isLoss: Bool = false, mixing: Finding.Code? = nil) {
    (self.isRepeatable, self.isLoss, self.mixing) = (isRepeatable, isLoss, mixing)
  }
}
