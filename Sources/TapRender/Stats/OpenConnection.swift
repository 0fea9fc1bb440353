// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Where a connection that is open is counted.
struct OpenConnection: BitwiseCopyable {
  /// Row of its present session.
  var session: Int
  /// Row of its client; -1 where that is not known.
  var client: Int

  static func key(_ connection: UInt32) -> WideKey { WideKey(0, UInt64(connection)) }
}
