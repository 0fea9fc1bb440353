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
  /// Index of the message that this one answers; 0 for none.
  public var answers: UInt64 = 0
  /// Index of the message that this one tells on: the PUBLISH of an EVENT. 0 when not known by id.
  public var carries: UInt64 = 0
  /// Nanoseconds since the message it answers; negative when unknown.
  public var latency: Int64 = -1
  /// Decimal digits of a second of the clock of the message it answers, which may be coarser than
  /// that of the answer.
  public var precision: UInt8 = 9

  @inlinable public init(index: UInt64) { self.index = index }
}
