// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One request and its answer, for the lists of the slowest and of those that failed.
struct SingleExchange {
  /// Number of the subject's text among those of ``Statistics``; 0 without one.
  var subject: Int32 = 0
  /// Row of the request's type; that of the answer where the request was not captured.
  var kind = 0
  /// Id of the request; nil where it has none that is a number.
  var request: UInt64?
  /// 0 for pasted messages.
  var connection: UInt32 = 0
  /// Places of the two messages in the evidence; nil where the request was not captured.
  var asked: MessageSource?
  var answered: MessageSource
  /// Nanoseconds; negative when not known.
  var latency: Int64 = -1
  /// Decimal digits of the coarser of the two clocks.
  var precision: UInt8 = 9
  /// Whether the answer reports a failure.
  var isFailure = false
  /// Number of the reason's text; 0 without one.
  var reason: Int32 = 0

  /// Where one message stands.
  struct MessageSource: BitwiseCopyable {
    /// Index of the message in output order, from 1.
    var index: UInt64
    var time: Instant
    /// Number of the input, from 0.
    var input: UInt16
    /// Packet or line, from 1; 0 where the input has neither.
    var record: UInt64
    var isLine: Bool

    init(_ origin: Origin, index: UInt64) {
      (self.index, time, input, record) = (index, origin.time, origin.input, origin.record)
      isLine = origin.isLine
    }
  }

  /// When it began, or when it ended where that is not known.
  var time: Instant { asked?.time ?? answered.time }
}
