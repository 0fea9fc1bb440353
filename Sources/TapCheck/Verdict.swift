// SPDX-License-Identifier: Apache-2.0

/// What a check comes to.
public enum Verdict: String, Sendable, CaseIterable {
  /// It was checked, and holds.
  case pass
  /// It is broken.
  case fail
  /// What decides was not captured.
  case inconclusive
  /// Nothing matched, so that nothing was checked.
  case nothing
}
