// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Requests of polling that have no answer yet, by session and method: a client has one of each
/// open at most (engine.io-protocol, "HTTP long-polling").
final class EngineIORequests {
  private var open: [[UInt8]: Int] = [:]

  /// One more begins; answers whether another one is open.
  func begin(_ key: [UInt8]) -> Bool {
    open[key, default: 0] += 1
    return open[key] != 1
  }

  func end(_ key: [UInt8]) {
    guard let count = open[key] else { return }
    open[key] = count > 1 ? count - 1 : nil
  }
}
