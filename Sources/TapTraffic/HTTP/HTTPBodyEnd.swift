// SPDX-License-Identifier: Apache-2.0

/// How an HTTP body ended, or an answer that did not come.
public enum HTTPBodyEnd: Sendable, Equatable {
  /// Its end was seen.
  case whole
  /// Its end was not captured.
  case lost
  /// Its connection ended first: who closed it, and when.
  case cutOff(by: Direction, at: Instant)
  /// The evidence ended first.
  case unfinished
}
