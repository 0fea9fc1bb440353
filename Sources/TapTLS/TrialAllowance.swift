// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How many bytes behind gaps one connection may try to open: eight times what it has opened, so
/// that long connections have as much as short ones, and a part of what all connections share.
struct TrialAllowance {
  /// Less is not worth the keys of all sessions that it may be.
  static let least = 16 << 10
  /// Of what all connections have left, one may take this part.
  private static let share = 8

  private let limits: Limits
  /// What all searches of the connection have tried to open.
  private var tried = 0
  /// Taken from the shared allowance, and given back because records opened.
  private var (borrowed, repaid) = (0, 0)
  /// What the connection has opened.
  private var opened = 0

  init(_ limits: Limits) { self.limits = limits }

  private var own: Int { min(opened, 1 << 40) * 8 }

  /// What may still be tried, when so much of the connection was opened.
  mutating func most(opened: UInt64) -> Int {
    self.opened = Int(clamping: opened)
    let shared = limits.recordTrials.rest / Self.share
    let left = own - tried
    return max(0, min(limits.recordTrialBytes + left, max(0, left + repaid) + shared))
  }

  /// Its own leave is used up, and not only that of all connections together.
  var isUsedUp: Bool { tried >= limits.recordTrialBytes + own }

  /// Trials beyond the leave of the connection are taken of those of all connections.
  ///
  /// - Parameter found: what has opened a record was not tried in vain, and is given back.
  mutating func spend(_ trials: Int, found: Int) {
    tried += trials
    repaid += found
    let beyond = max(0, tried - own - repaid)
    limits.recordTrials.spend(beyond - borrowed)
    borrowed = beyond
  }
}
