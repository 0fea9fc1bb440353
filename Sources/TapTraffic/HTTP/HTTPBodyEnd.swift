// SPDX-License-Identifier: Apache-2.0

/// How a body of HTTP is over, or an answer that did not come.
public enum HTTPBodyEnd: Sendable, Equatable {
  /// Its end was seen.
  case whole
  /// Its end was not captured.
  case lost
  /// Its connection ended before: who ended it first, and when.
  case cutOff(by: Direction, at: Instant)
  /// The evidence ended before.
  case unfinished
}
