// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Statistics {
  /// What one side has agreed to send, at the end of its connection.
  mutating func keepAlive(_ side: KeepAlive, _ connection: UInt32) {
    if keepAlives.count < limits.statisticsRows {
      return keepAlives.append(KeepAliveTally(connection: connection, side: side))
    }
    if keepAlives.last?.connection != 0 {
      keepAlives.append(
        KeepAliveTally(connection: 0, side: KeepAlive(side.dialect, .unknown, interval: 0)))
    }
    keepAlives[keepAlives.count - 1].add(side)
  }
}
