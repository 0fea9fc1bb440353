// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The pings of one side of a connection.
struct PingTally {
  /// 0 for all connections for which there was no row.
  var connection: UInt32
  /// Who pings.
  var direction: Direction
  var exchange: Int
}
