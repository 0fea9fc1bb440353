// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// When something was said, and where that stands in the evidence.
struct TraceMoment {
  /// Of the message in output order, from 1; of what is no message, that of the last one before it.
  var index: UInt64
  var origin: Origin

  /// Nanoseconds from another one to this; nil where that is not known.
  func since(_ other: TraceMoment) -> Int64? {
    guard origin.time.isKnown, other.origin.time.isKnown else { return nil }
    return origin.time.nanoseconds &- other.origin.time.nanoseconds
  }

  /// Decimal digits of the coarser of two clocks.
  func precision(_ other: TraceMoment) -> UInt8 {
    min(origin.precision, other.origin.precision)
  }
}
