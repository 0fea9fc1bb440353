// SPDX-License-Identifier: Apache-2.0

/// What the rows of a table are sorted by, the greatest first. A table without such a column keeps
/// its own order.
public enum StatsSorting: String, CaseIterable, Sendable {
  /// How many: requests, messages.
  case calls
  /// How many failed.
  case errors
  /// The slowest answer.
  case max
  /// The 95th percentile of answers.
  case p95
  /// How many were never answered.
  case open
  /// Bytes of messages.
  case bytes
}
