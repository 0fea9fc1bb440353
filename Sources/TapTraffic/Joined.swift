// SPDX-License-Identifier: Apache-2.0

/// What correlation added to a message: all that a renderer sees beside the message and its bytes.
/// The message itself stands apart, so that it need not be copied to have this at its side.
@frozen public struct Joined: Sendable, BitwiseCopyable {
  /// Number of the message in output order, from 1.
  public var index: UInt64
  /// Number of the connection in output order, from 1; 0 when there is none.
  public var connection: UInt32 = 0
  /// The subject in the interner, when correlation found it; 0 when the wire has it or nobody
  /// knows.
  public var subject: Int32 = 0
  /// No id and no message says that it is this subject: equal payloads do.
  public var isSubjectInferred = false
  /// Index of the message that this one answers; 0 for none.
  public var answers: UInt64 = 0
  /// Index of the message that this one tells on: the PUBLISH of an EVENT. 0 when not known by id.
  public var carries: UInt64 = 0
  /// Nanoseconds since the message it answers; negative when unknown.
  public var latency: Int64 = -1
  /// Decimal digits of a second of the clock of the message it answers, which may be coarser than
  /// that of the answer.
  public var precision: UInt8 = 9
  /// Bytes of the message as it was sent, whatever text stands for it, and before anything in it
  /// was masked.
  public var size: UInt32 = 0

  @inlinable public init(index: UInt64) { self.index = index }
}

extension Joined {
  /// What the latency is at most, in nanoseconds, where the clock is too coarse to tell more; nil
  /// where it is not.
  ///
  /// - Parameter precision: decimal digits of a second of the clock.
  public func latencyAtMost(precision: UInt8) -> UInt64? {
    Self.most(latency, precision: precision)
  }

  /// The same of any latency.
  public static func most(_ nanoseconds: Int64, precision: UInt8) -> UInt64? {
    let value = UInt64(max(nanoseconds, 0))
    if value == 0 { return tick(precision) }
    if precision >= 2 { return nil }
    let tick = tick(precision)
    return value < 10 * tick ? value + tick : nil
  }

  /// One tick of a clock with so many decimal digits, in nanoseconds.
  public static func tick(_ precision: UInt8) -> UInt64 {
    var tick: UInt64 = 1
    for _ in min(precision, 9)..<9 { tick *= 10 }
    return tick
  }
}
