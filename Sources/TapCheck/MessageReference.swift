// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// A reference to a message in a verdict, sufficient to find it again.
public struct MessageReference: Sendable {
  /// The message index in output order, from 1; 0 when it is not a message.
  public var index: UInt64
  /// 0 for pasted messages.
  public var connection: UInt32
  public var time: Instant
  /// Number of the input, from 0.
  public var input: UInt16
  /// The packet or line, from 1; 0 when the input has neither.
  public var record: UInt64
  /// `record` counts lines.
  public var isLine: Bool
  public var direction: Direction
  public var name: Symbol
  /// The number of the subject's text in ``CheckContext``; 0 for none.
  var subject: Int32
  /// The index of the request that it answers; 0 for none.
  public var answers: UInt64
}
