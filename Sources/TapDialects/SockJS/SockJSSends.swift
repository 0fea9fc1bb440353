// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Requests that send and have no answer yet, by session.
final class SockJSSends {
  /// How many are open, and how many have begun since none was.
  private var open: [[UInt8]: (count: Int, begun: Int)] = [:]

  /// One more begins; answers which of its session it is.
  func begin(_ session: [UInt8]) -> Int {
    let before = open[session] ?? (0, 0)
    open[session] = (before.count + 1, before.begun + 1)
    return before.begun + 1
  }

  /// One is over; answers whether a later one of its session has begun meanwhile.
  func end(_ session: [UInt8], _ number: Int) -> Bool {
    guard let before = open[session] else { return false }
    open[session] = before.count > 1 ? (before.count - 1, before.begun) : nil
    return before.begun > number
  }
}
