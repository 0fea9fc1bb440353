// SPDX-License-Identifier: Apache-2.0

/// Unanswered requests of sessions that may have only one of a kind open at a time. Two overlap for
/// certain only when the earlier one is answered: until then, its answer may just not have been
/// captured.
public final class RequestOverlaps {
  /// How many are open, and how many have begun since there was none open.
  private var open: [[UInt8]: (count: Int, begun: Int)] = [:]

  public init() {}

  /// One more begins; returns its number among those of its kind.
  ///
  /// - Parameter kind: the session, and what is asked.
  public func begin(_ kind: [UInt8]) -> Int {
    let before = open[kind] ?? (0, 0)
    open[kind] = (before.count + 1, before.begun + 1)
    return before.begun + 1
  }

  /// One has ended; returns whether another of its kind began meanwhile.
  public func end(_ kind: [UInt8], _ number: Int) -> Bool {
    guard let before = open[kind] else { return false }
    open[kind] = before.count > 1 ? (before.count - 1, before.begun) : nil
    return before.begun > number
  }
}
