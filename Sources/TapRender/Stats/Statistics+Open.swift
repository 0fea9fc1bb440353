// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What counting remembers from one message to another.
extension Statistics {
  /// A request that was not answered yet.
  struct Open: BitwiseCopyable {
    var exchange: Int32
    /// Row of its subject and type; -1 of a ping.
    var subject: Int32
    var kind: Int32
    /// Nothing says that an answer is due.
    var mayAsk: Bool
    var place: SingleExchange.MessageSource
    /// One of its answers has reported a failure.
    var hasFailed = false
    var index: UInt64 { place.index }
  }

  /// Where the message that came last was counted.
  struct LastCounted {
    var kind = 0
    var subject: Int?
    var session = 0
    var size = 0
  }
}
