// SPDX-License-Identifier: Apache-2.0

/// The verdict of a check.
public enum Verdict: String, Sendable, CaseIterable {
  /// It was checked, and holds.
  case pass
  /// It is broken.
  case fail
  /// The deciding data was not captured.
  case inconclusive
  /// Nothing matched, so nothing was checked.
  case nothing
}
