// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Limits how many bytes after gaps may be tried in one direction: eight times as many as the
/// connection has decrypted, so that the limit scales with it, plus a part of a shared allowance.
struct TrialAllowance {
  /// With less, deriving the keys of all possible sessions is not worth it.
  static let least = 16 << 10
  /// One direction may take one part in this many of the shared rest.
  private static let share = 8

  private let limits: Limits
  /// How many bytes all searches of the direction have tried.
  private var tried = 0
  /// Bytes taken from the shared allowance, and returned because records were decrypted.
  private var (borrowed, repaid) = (0, 0)
  /// How many bytes of the connection were decrypted.
  private var opened = 0

  init(_ limits: Limits) { self.limits = limits }

  private var own: Int { min(opened, 1 << 40) * 8 }

  /// How many bytes may still be tried, given how many were decrypted.
  mutating func most(opened: UInt64) -> Int {
    self.opened = Int(clamping: opened)
    let shared = limits.recordTrials.rest / Self.share
    let left = own - tried
    return max(0, min(limits.recordTrialBytes + left, max(0, left + repaid) + shared))
  }

  /// Its own allowance is used up, not only the shared one.
  var isUsedUp: Bool { tried >= limits.recordTrialBytes + own }

  /// Counts trials; those beyond the connection's own allowance are taken from the shared one.
  ///
  /// - Parameter found: successful trials, which are returned to the allowance.
  mutating func spend(_ trials: Int, found: Int) {
    tried += trials
    repaid += found
    let beyond = max(0, tried - own - repaid)
    limits.recordTrials.spend(beyond - borrowed)
    borrowed = beyond
  }
}
