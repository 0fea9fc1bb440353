// SPDX-License-Identifier: Apache-2.0

/// Requests of sessions that may have one of a kind open at a time, and have no answer yet. That
/// two overlap shows when the earlier one is answered: until then, its answer may have been missed.
public final class RequestOverlaps {
  /// How many are open, and how many have begun since none was.
  private var open: [[UInt8]: (count: Int, begun: Int)] = [:]

  public init() {}

  /// One more begins; answers which of its kind it is.
  ///
  /// - Parameter kind: the session, and what is asked.
  public func begin(_ kind: [UInt8]) -> Int {
    let before = open[kind] ?? (0, 0)
    open[kind] = (before.count + 1, before.begun + 1)
    return before.begun + 1
  }

  /// One is over; answers whether a later one of its kind has begun meanwhile.
  public func end(_ kind: [UInt8], _ number: Int) -> Bool {
    guard let before = open[kind] else { return false }
    open[kind] = before.count > 1 ? (before.count - 1, before.begun) : nil
    return before.begun > number
  }
}
