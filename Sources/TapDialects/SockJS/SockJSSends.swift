// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Requests that send and have no answer yet, by session.
final class SockJSSends {
  private var open: [[UInt8]: Int] = [:]

  /// One more begins; answers whether another one of its session is open.
  func begin(_ session: [UInt8]) -> Bool {
    open[session, default: 0] += 1
    return open[session] != 1
  }

  func end(_ session: [UInt8]) {
    guard let count = open[session] else { return }
    open[session] = count > 1 ? count - 1 : nil
  }
}
