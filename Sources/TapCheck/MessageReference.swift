// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// A message, as a verdict names it: enough to find it again.
public struct MessageReference: Sendable {
  /// Index of the message in output order, from 1; 0 for what is no message.
  public var index: UInt64
  /// 0 for pasted messages.
  public var connection: UInt32
  public var time: Instant
  /// Number of the input, from 0.
  public var input: UInt16
  /// Packet or line, from 1; 0 where the input has neither.
  public var record: UInt64
  /// `record` counts lines.
  public var isLine: Bool
  public var direction: Direction
  public var name: Symbol
  /// Number of the subject's text among those of ``CheckContext``; 0 without one.
  var subject: Int32
  /// Index of the request that it answers; 0 for none.
  public var answers: UInt64
}
