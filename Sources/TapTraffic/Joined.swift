// SPDX-License-Identifier: Apache-2.0

/// What correlation adds to a message for renderers.
@frozen public struct Joined: Sendable, BitwiseCopyable {
  /// Number of the message in output order, from 1.
  public var index: UInt64
  /// Number of the connection in output order, from 1; 0 when there is none.
  public var connection: UInt32 = 0
  /// The subject's number in the interner, when correlation found it; 0 when the message carries
  /// its subject itself, or nobody knows it.
  public var subject: Int32 = 0
  /// The subject is a guess from equal payloads: no id and no message names it.
  public var isSubjectInferred = false
  /// Index of the message that this one answers; 0 for none.
  public var answers: UInt64 = 0
  /// Index of the message whose exchange is over with this one: answered, or ended by the side that
  /// asked; 0 for none.
  public var ends: UInt64 = 0
  /// Index of the message that this one passes on: the PUBLISH of an EVENT. 0 when no id shows it.
  public var carries: UInt64 = 0
  /// Nanoseconds since the message it answers; negative when unknown.
  public var latency: Int64 = -1
  /// Decimal digits of a second that the clock of the answered message resolves: it may be coarser
  /// than the clock of the answer.
  public var precision: UInt8 = 9
  /// Bytes of the message as it was sent, before it became another text and before masking; 0 where
  /// that is not known.
  public var size: UInt32 = 0
  public var isSizeKnown = true

  @inlinable public init(index: UInt64) { self.index = index }
}

extension Joined {
  /// The latency's upper bound in nanoseconds, where the clock is too coarse for the latency to be
  /// exact; nil where it is not.
  ///
  /// - Parameter precision: decimal digits of a second of the clock.
  public func latencyAtMost(precision: UInt8) -> UInt64? {
    Self.latencyUpperBound(latency, precision: precision)
  }

  /// The same for any latency.
  public static func latencyUpperBound(_ nanoseconds: Int64, precision: UInt8) -> UInt64? {
    let value = UInt64(max(nanoseconds, 0))
    if value == 0 { return tick(precision) }
    if precision >= 2 { return nil }
    let tick = tick(precision)
    return value < 10 * tick ? value + tick : nil
  }

  /// One tick of a clock with this many decimal digits, in nanoseconds.
  public static func tick(_ precision: UInt8) -> UInt64 {
    var tick: UInt64 = 1
    for _ in min(precision, 9)..<9 { tick *= 10 }
    return tick
  }
}
