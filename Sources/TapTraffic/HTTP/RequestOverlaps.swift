// SPDX-License-Identifier: Apache-2.0

/// Unanswered requests of sessions that may have only one of a kind open at a time. Two overlap for
/// certain only when the earlier one is answered: until then, its answer may just not have been
/// captured.
public final class RequestOverlaps {
  /// How many are open, and where the latest began since there was none open.
  private var open: [[UInt8]: (count: Int, latest: Origin)] = [:]

  public init() {}

  /// One more begins.
  ///
  /// - Parameter kind: the session, and what is asked.
  public func begin(_ kind: [UInt8], at origin: Origin) {
    let (count, latest) = open[kind] ?? (0, origin)
    open[kind] = (count + 1, latest.isBefore(origin) ? origin : latest)
  }

  /// One has ended; returns whether another of its kind began meanwhile. In which order they are
  /// reported does not say it: what comes behind missing bytes of its connection is read late.
  ///
  /// - Parameters:
  ///   - begin: where it began.
  ///   - end: where its answer was captured.
  public func end(_ kind: [UInt8], from begin: Origin, to end: Origin) -> Bool {
    guard let (count, latest) = open[kind] else { return false }
    open[kind] = count > 1 ? (count - 1, latest) : nil
    return begin.isBefore(latest) && latest.isBefore(end)
  }
}
